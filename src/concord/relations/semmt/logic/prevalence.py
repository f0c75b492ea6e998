"""How common quantifiers and logic are in a corpus, by more words than those of Cao et al. 2021 (SemMT, table 1)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from concord.language.numbers.english import OFTEN
from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.english import BASES, CHANGES, COLLECTIONS, FIXED, RELATIONS, ROLES, VAGUE
from concord.relations.semmt.logic.quantifier_spans import Finding, check_language, findings_in
from concord.relations.semmt.logic.words import Words

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
        return float(getattr(self, name)) / self.kept if self.kept else 0.0


def prevalence(texts: Iterable[str], *, lang: str = "en", least_words: int = 10) -> Prevalence:
    """Count the sentences of a corpus that have quantifiers or logic.

    As in table 1, quantities other than a bare number in digits count, and of logic the relations of part and whole
    (inclusion, exclusion); but more words are known than the paper's patterns have, so that shares are higher than
    the paper's. Sentences of fewer than `least_words` words are left out.
    """
    check_language(lang)
    stops = _stops()
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
        counts = [finding for finding in findings_in(sentence, "range") if _counts(finding)]
        if counts:
            _add(counted, counts)
            _show(examples, text, counts)
    counted.examples = {kind: tuple(sentences) for kind, sentences in sorted(examples.items())}
    return counted


def _stops() -> frozenset[str]:
    """The words of which a sentence must have one to count; this test is faster than the search.

    A phrase is represented by its longest word, which is the rarest. Comparisons need no word: they need a number.
    """
    counted = {phrase for phrase, relation in RELATIONS.items() if relation in _PART_WHOLE}
    words = {max(phrase.split(), key=len) for phrase in counted | FIXED.keys() | VAGUE.keys()}
    often = OFTEN.keys() | CHANGES.keys() | BASES.keys()
    numbers = phrase_index.NUMBERS | often | ROLES["every"]
    return frozenset(words | numbers | COLLECTIONS | ROLES["held"])


def _counts(finding: Finding) -> bool:
    return not finding.bare if finding.family == "quantity" else finding.kind in _PART_WHOLE


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
