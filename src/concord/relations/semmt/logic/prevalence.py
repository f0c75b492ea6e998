"""How common quantifiers and logic are in a corpus, counted as Cao et al. 2021 count them (SemMT, table 1)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from concord.errors import UnknownName
from concord.language.numbers.english import OFTEN
from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.english import BASES, CHANGES, COLLECTIONS, FIXED, RELATIONS, ROLES, VAGUE
from concord.relations.semmt.logic.quantifier_spans import Finding, check_language, findings_in
from concord.relations.semmt.logic.words import Words

Scope = Literal["paper", "all"]
_PART_WHOLE = frozenset(("inclusion", "exclusion"))
_EXAMPLES = 3
_OTHER = re.compile(r"[\d'’]")


@dataclass(slots=True)
class Prevalence:
    """Numbers of sentences; those that are `_precise` have no vague quantity.

    `logic_precise` are the sentences with logic and no vague quantity beside it. `total` are all sentences, `kept`
    those that are long enough; proportions are of `kept`. `examples` are the first sentences by family and kind, such
    as "quantity: at_least".
    """

    total: int = 0
    kept: int = 0
    quantity: int = 0
    quantity_precise: int = 0
    logic: int = 0
    logic_precise: int = 0
    related: int = 0
    related_precise: int = 0
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def share(self, name: str) -> float:
        """A count as a proportion of the kept sentences: `share("logic_precise")`."""
        names = [field for field in self.__slots__ if field not in ("total", "kept", "examples")]
        if name not in names:
            raise UnknownName("count", name, names)
        return float(getattr(self, name)) / self.kept if self.kept else 0.0


def prevalence(texts: Iterable[str], *, lang: str = "en", scope: Scope = "paper", least_words: int = 10) -> Prevalence:
    """Count the sentences of a corpus that have quantifiers or logic.

    `scope="paper"` keeps to the scope of table 1: quantities other than a bare number in digits, and of logic the
    relations of part and whole (inclusion, exclusion); it knows more words than the paper's patterns do. "all"
    counts everything that `find` finds but "and" and "but", which join words in nearly every sentence. Sentences of
    fewer than `least_words` words are left out.
    """
    if scope not in ("paper", "all"):
        raise UnknownName("scope", scope, ("paper", "all"))
    check_language(lang)
    stops = _stops(scope)
    counted = Prevalence()
    examples: dict[str, list[str]] = {}
    for text in texts:
        counted.total += 1
        if len(text.split()) < least_words:
            continue
        counted.kept += 1
        sentence = Words(text)
        if not _OTHER.search(text) and stops.isdisjoint(sentence.words):
            continue
        counts = [finding for finding in findings_in(sentence, "range") if _counts(finding, scope)]
        if counts:
            _add(counted, counts)
            _show(examples, text, counts)
    counted.examples = {kind: tuple(sentences) for kind, sentences in sorted(examples.items())}
    return counted


def _stops(scope: Scope) -> frozenset[str]:
    """The words of which a sentence must have one to count; this test is faster than the search.

    A phrase is represented by its longest word, which is the rarest. Comparisons need no word: they need a number.
    """
    counted = {
        phrase
        for phrase, relation in RELATIONS.items()
        if (relation in _PART_WHOLE if scope == "paper" else relation != "conjunction")
    }
    words = {max(phrase.split(), key=len) for phrase in counted | FIXED.keys() | VAGUE.keys()}
    often = OFTEN.keys() | CHANGES.keys() | BASES.keys()
    numbers = phrase_index.NUMBERS | often | ROLES["every"]
    if scope == "all":
        words.add("should")
    return frozenset(words | numbers | COLLECTIONS | ROLES["held"])


def _counts(finding: Finding, scope: Scope) -> bool:
    if finding.family == "quantity":
        return scope == "all" or not finding.bare
    return finding.kind in _PART_WHOLE if scope == "paper" else finding.kind != "conjunction"


def _add(counted: Prevalence, findings: list[Finding]) -> None:
    families = {finding.family for finding in findings}
    precise = not any(finding.approximate for finding in findings)
    counted.related += 1
    counted.related_precise += precise
    counted.quantity += "quantity" in families
    counted.quantity_precise += precise and "quantity" in families
    counted.logic += "logic" in families
    counted.logic_precise += precise and "logic" in families


def _show(examples: dict[str, list[str]], text: str, findings: list[Finding]) -> None:
    for finding in findings:
        sentences = examples.setdefault(f"{finding.family}: {finding.kind}", [])
        if len(sentences) < _EXAMPLES and text not in sentences:
            sentences.append(text)
