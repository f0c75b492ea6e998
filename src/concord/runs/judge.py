"""A relation's verdict on pairs that were translated elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord import plugins
from concord.bounds import comparable
from concord.corpus.formats.rows import Note
from concord.corpus.pairs import Pair, no_column, read_pairs
from concord.errors import CorpusError, NotJudged, UserError
from concord.language.parse._choice import SharedParsers
from concord.model import ROLES, Direction, Text
from concord.plural import plural
from concord.relations._judgement import compared_texts, judged
from concord.relations._protocol import load_relation
from concord.runs.plan import check_services

if TYPE_CHECKING:
    from concord.comparator import Aligned, Comparison

ALIASES = {"purity": "rti", "cit": "cat"}
"""Names that published data have for our relations: RTI was first called Purity, and CIT compares as CAT does."""
LEARNT_FROM = 20_000
"""Translations of a direction that word alignment is learnt from: the first ones of a file."""
ENOUGH = 50
"""Translations of a direction below which word alignment learns next to nothing."""
TOGETHER = 64


def judge(
    path: str | Path,
    *,
    relation: str = "",
    source: str = "",
    target: str = "",
    glossary: str = "",
    synonyms: str = "",
    dictionaries: str = "all",
    note: Note = lambda _: None,
) -> Iterator[dict[str, Any]]:
    """A relation's verdict on every pair of a file, in its order; nothing is translated.

    Where differences are explained by what the texts themselves teach, the file is read twice; `note` is told if they
    are too few to teach much, and which dictionaries help or could.
    """
    evidence = {"glossary": glossary, "synonyms": synonyms, "dictionaries": dictionaries}
    check_services(evidence)
    file = _File(Path(path), relation, source, target)
    teaching = _teaching(file)
    for thin in _thin(teaching):
        note(thin)
    taught = _Taught.by(teaching, evidence, note)
    pairs = file.pairs()
    with contextlib.closing(SharedParsers()) as parsers:
        while some := list(islice(pairs, TOGETHER)):
            taught.meet(some)
            for pair, compare, texts in some:
                with parsers.used():
                    verdict = texts if isinstance(texts, dict) else compare.verdict(texts, taught)
                yield {"line": pair.line, "relation": relation or pair.relation, **verdict}


Four = tuple[Text, Text, Text, Text]
Read = tuple[Pair, "_Compare", Four | dict[str, Any]]


@dataclass(slots=True)
class _File:
    """The pairs of a file, each with the comparison of its relation and its texts (or why it cannot be judged)."""

    path: Path
    relation: str
    source: str
    target: str
    _compares: dict[str, _Compare] = field(default_factory=dict)

    def pairs(self) -> Iterator[Read]:
        for pair in read_pairs(self.path, source=self.source, target=self.target, relation=self.relation):
            compare = self._compare(pair)
            if missing := compare.reads - pair.words.keys():
                shown = self.relation or pair.relation
                raise CorpusError(
                    f"{self.path}: {shown} reads more than the file has: {no_column(sorted(missing), pair.row)}"
                )
            yield pair, compare, compare.texts(pair)

    def _compare(self, pair: Pair) -> _Compare:
        chosen = self.relation or _ours(pair.relation)
        if chosen not in self._compares:
            try:
                self._compares[chosen] = _Compare(chosen)
            except UserError as error:
                raise CorpusError(f"{self.path}, line {pair.line}: {error}") from None
        return self._compares[chosen]


def _ours(name: str) -> str:
    """Our name for a relation that a file's column names, whatever the case of its letters."""
    known = name.strip().lower()
    return ALIASES.get(known, known if known in plugins.names("relations") else name)


Teaching = Mapping[Direction, Mapping[tuple[Text, Text], None]]


def _teaching(file: _File) -> Teaching:
    """The distinct translations to learn from, by direction; none, if no relation has differences explained."""
    found: dict[Direction, dict[tuple[Text, Text], None]] = {}
    for _, compare, texts in file.pairs():
        if compare.explains and not isinstance(texts, dict):
            one, other, of_one, of_other = compare.asked(texts)
            pairs = found.setdefault((one.lang, of_one.lang), {})
            if len(pairs) < LEARNT_FROM:
                pairs.update(dict.fromkeys([(one, of_one), (other, of_other)]))
    return found


def _thin(teaching: Mapping[Direction, Sized]) -> Iterator[str]:
    for (source, target), pairs in teaching.items():
        if len(pairs) < ENOUGH:
            yield (
                f"{source}→{target}: the file has {plural(len(pairs), 'different text')} with a translation; so few"
                f" hardly align any words, suspicions are low, and plain errors may be missed. Judge {ENOUGH} or more"
                " together, or use the form RELATION:paper"
            )


@dataclass(slots=True)
class _Taught:
    """What a file's own translations teach, by direction; nothing, if no relation has differences explained."""

    known: dict[Direction, Aligned] = field(default_factory=dict)
    _met: dict[Direction, Aligned] = field(default_factory=dict)

    @classmethod
    def by(cls, teaching: Teaching, given: Mapping[str, str], note: Note) -> _Taught:
        if not teaching:
            return cls()
        from concord.comparator import align, gather

        known = {way: gather(way, **given) for way in teaching}
        for fromkey in dict.fromkeys(each for evidence in known.values() for each in evidence.notes()):
            note(fromkey)
        return cls({way: align(pairs, known[way]) for way, pairs in teaching.items()})

    def meet(self, some: list[Read]) -> None:
        """Align these pairs all at once, which is quicker than one after the other."""
        if not self.known:
            return
        from concord.comparator.serialisation import with_pairs

        fours = [compare.asked(texts) for _, compare, texts in some if not isinstance(texts, dict)]
        for way, aligned in self.known.items():
            these = [four for four in fours if (four[0].lang, four[2].lang) == way]
            self._met[way] = with_pairs(aligned, [pair for a, b, c, d in these for pair in ((a, c), (b, d))])

    def comparison(self, four: Four) -> Comparison:
        from concord.comparator import compare

        return compare(*four, self._met[four[0].lang, four[2].lang])


class _Compare:
    """The comparison of a relation, with its options set; `reads` are the roles that its verdict depends on."""

    def __init__(self, text: str) -> None:
        spec = plugins.parse("relations", text)
        self._relation = load_relation(spec.name)
        self._settings = plugins.settings("relations", spec)
        self._compare = self._relation.comparison(self._settings)
        traits = self._relation.traits
        self._langs, self._roles, self.explains = traits.langs, traits.compared, self._relation.compares
        reads = set(traits.reads)
        # Where the follow-up is the translation itself, a file need not repeat it.
        self.reads = reads - {"follow_up"} if self._langs[1] == "target" else reads

    def texts(self, pair: Pair) -> Four | dict[str, Any]:
        """The texts of a pair by role, or the error that stands in place of its verdict."""
        words = dict.fromkeys(ROLES, "") | dict(pair.words)
        if self._langs[1] == "target":
            words["follow_up"] = words["follow_up"] or words["source_output"]
        blank = [role for role in ROLES if role in self.reads and not words[role].strip()]
        if blank:
            return {"error": f"empty: {', '.join(map(pair.column, blank))}"}
        try:
            for role in ROLES:
                comparable(words[role], pair.column(role))
        except NotJudged as error:
            return {"error": str(error)}
        langs = [pair.langs[f"{side}_lang"] for side in self._langs]
        one, other, output, other_output = (Text(words[role], lang) for role, lang in zip(ROLES, langs, strict=True))
        return one, other, output, other_output

    def asked(self, texts: Four) -> Four:
        """The texts that are compared, in the order of `explain`."""
        return compared_texts(texts, self._roles)

    def verdict(self, texts: Four, taught: _Taught) -> dict[str, Any]:
        try:
            case = self._compare(*texts)
            if self.explains:
                comparison = taught.comparison(self.asked(texts))
                case = judged(case, comparison, self._settings["threshold"], self._roles)
        except UserError:
            raise
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        return {
            "suspicion": case.suspicion,
            "threshold": case.threshold,
            "operator": case.operator,
            "violated": case.violated,
            "scores": case.scores,
            "factors": case.factors,
            "evidence": case.evidence,
        }
