"""Judges pairs that were translated elsewhere by a relation."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord import plugins
from concord.bounds import comparable
from concord.corpus.files import File, open_file
from concord.corpus.formats.rows import Note
from concord.corpus.pairs import Pair, no_column, read_pairs
from concord.errors import CONFIGURATION, CorpusError, NotJudged, UserError
from concord.language.parse._choice import SharedParsers
from concord.language.plugin_choice import chosen
from concord.language.sanity import SANE, Failure, failure
from concord.language.sanity.profile import AnswerProfile, profile
from concord.model import ROLES, Case, Direction, Text
from concord.plural import plural
from concord.relations._judgement import compared_texts, judged
from concord.relations._protocol import load_relation
from concord.relations.sane import case
from concord.runs.config import chosen_plugins
from concord.runs.plan import check_services

if TYPE_CHECKING:
    from concord.comparator import Aligned

ALIASES = {"purity": "rti", "cit": "cat"}
"""Names of our relations in published data: RTI was first called Purity, and CIT compares as CAT does."""
MOST_LEARNT_FROM = 20_000
"""How many translations of a direction are learnt from: the first ones of a file."""
ENOUGH = 50
"""The number of translations of a direction below which word alignment learns next to nothing."""
BATCH = 64
ANSWERED = {"source_output": "source", "follow_up": "source", "follow_up_output": "follow_up"}
"""The role of the text that each role translates, if their languages differ."""


def judge(
    path: str | Path,
    *,
    relation: str = "",
    source: str = "",
    target: str = "",
    glossary: str = "",
    synonyms: str = "",
    dictionaries: str = "all",
    services: Mapping[str, str] | None = None,
    config: str | Path = CONFIGURATION,
    note: Note = lambda _: None,
) -> Iterator[dict[str, Any]]:
    """The verdict on every pair of a file, in the file's order; nothing is translated.

    A pair that needs an answer that is no translation is not judged; a row of the relation `sane` before it, at the
    first line that has the answer, says why. The file is read twice, since usual lengths, repeated answers and, where
    the comparator judges, word alignment are learnt from it. `services` are the parsers and encoders of a comparison
    that needs some, before those of the file `config`. `note` receives a warning if its texts are too few, and
    which dictionaries help or could help.
    """
    evidence = {"glossary": glossary, "synonyms": synonyms, "dictionaries": dictionaries}
    plugins.admit(relation)
    check_services(evidence)
    plugged = chosen_plugins(services or {}, config)
    path = Path(path)
    file = _File(path, open_file(path), relation, source, target)
    translations, sanity = _first_pass(file)
    for warning in _too_few(translations):
        note(warning)
    learnt = _learnt(translations, evidence, note)
    pairs = (sanity.checked(*entry) for entry in file.pairs())
    with contextlib.closing(SharedParsers()) as parsers:
        while batch := list(islice(pairs, BATCH)):
            alignment = _of_batch(learnt, batch)
            for pair, compare, texts, failing in batch:
                yield from ({"line": pair.line, "relation": SANE, **row} for row in failing)
                with parsers.used(), chosen(plugged):
                    verdict = texts if isinstance(texts, dict) else compare.verdict(texts, alignment)
                yield {"line": pair.line, "relation": relation or pair.relation, **verdict}


Four = tuple[Text, Text, Text, Text]
Row = dict[str, Any]
PairToJudge = tuple[Pair, "_Compare", Four | Row]
"""A pair, its comparison, and its texts or the row that is its verdict already."""
Checked = tuple[Pair, "_Compare", Four | Row, list[Row]]
"""The same with the rows of those of its answers that are no translations."""
Alignment = Mapping[Direction, "Aligned"]
"""The word alignment of each direction."""


@dataclass(slots=True)
class _File:
    """The pairs of a file, each with its relation's comparison and its texts, or the error in their place."""

    path: Path
    file: File
    relation: str
    source: str
    target: str
    _compares: dict[str, _Compare] = field(default_factory=dict)

    def pairs(self) -> Iterator[PairToJudge]:
        for pair in read_pairs(self.file, source=self.source, target=self.target, relation=self.relation):
            compare = self._compare(pair)
            if missing := compare.reads - pair.words.keys():
                relation = self.relation or pair.relation
                raise CorpusError(
                    f"{self.path}: {relation} reads more than the file has: {no_column(sorted(missing), pair.row)}"
                )
            yield pair, compare, compare.texts(pair)

    def _compare(self, pair: Pair) -> _Compare:
        relation = self.relation or pair.relation
        if relation not in self._compares:
            try:
                self._compares[relation] = _Compare(self.relation or _our_name(relation))
            except UserError as error:
                raise CorpusError(f"{self.path}, line {pair.line}: {error}") from None
        return self._compares[relation]


def _our_name(name: str) -> str:
    """Our name of a relation that a file names, in whatever case."""
    lower = name.strip().lower()
    return ALIASES.get(lower, lower if lower in plugins.names("relations") else name)


Answers = dict[tuple[Text, Text], None]
"""Different texts, each with its answer, in the order of the file."""
Translations = Mapping[Direction, Answers]


def _first_pass(file: _File) -> tuple[Translations, _Sanity]:
    """The translations that the comparator learns from, if it judges any pair, and what is known of all answers."""
    translations: dict[Direction, Answers] = {}
    answers: dict[Direction, Answers] = {}
    for _, compare, texts in file.pairs():
        if isinstance(texts, dict):
            continue
        if compare.explains and not compare.blank(texts):
            first, second, first_output, second_output = compare.compared(texts)
            _collect(translations, [(first, first_output), (second, second_output)])
        _collect(answers, [(text, answer) for _, text, answer in compare.answers(texts)])
    return translations, _Sanity({direction: profile(pairs) for direction, pairs in answers.items()})


def _collect(by_direction: dict[Direction, Answers], pairs: Sequence[tuple[Text, Text]]) -> None:
    """Add pairs to those of their directions, of which the first ones of a file are enough."""
    for pair in pairs:
        known = by_direction.setdefault((pair[0].lang, pair[1].lang), {})
        if len(known) < MOST_LEARNT_FROM:
            known[pair] = None


@dataclass(slots=True)
class _Sanity:
    """Whether answers are translations at all; each that fails is shown once."""

    profiles: Mapping[Direction, AnswerProfile]
    _shown: set[tuple[Text, Text]] = field(default_factory=set)

    def checked(self, pair: Pair, compare: _Compare, texts: Four | Row) -> Checked:
        """The pair with the rows of its answers that fail; only `sane` itself judges it then."""
        rows: list[Row] = []
        if isinstance(texts, dict):
            return pair, compare, texts, rows
        failing = [(*entry, found) for entry in compare.answers(texts) if (found := self._failure(*entry[1:]))]
        for role, text, answer, found in failing:
            if (text, answer) not in self._shown or compare.is_sane:
                self._shown.add((text, answer))
                rows.append(_verdict(case(text, answer, found, role)))
        if failing and compare.is_sane:
            return pair, compare, rows[0], []
        if failing:
            _, text, _, found = failing[0]
            return pair, compare, {"error": str(NotJudged(found.message(text)))}, rows
        blank = compare.blank(texts)
        return pair, compare, {"error": f"empty: {', '.join(map(pair.column, blank))}"} if blank else texts, rows

    def _failure(self, text: Text, answer: Text) -> Failure | None:
        return failure(text, answer, self.profiles.get((text.lang, answer.lang)))


def _too_few(translations: Translations) -> Iterator[str]:
    """A warning for every direction with too few translations to learn from."""
    for (source, target), pairs in translations.items():
        if len(pairs) < ENOUGH:
            yield (
                f"{source}→{target}: the file has {plural(len(pairs), 'different text')} with a translation; so few"
                f" hardly align any words, suspicions are low, and plain errors may be missed. Judge {ENOUGH} or more"
                " together, or use the form RELATION:paper"
            )


def _learnt(translations: Translations, files: Mapping[str, str], note: Note) -> Alignment:
    """The word alignment learnt from a file's own translations, by direction."""
    if not translations:
        return {}
    from concord.comparator import align, gather

    evidence = {direction: gather(direction, **files) for direction in translations}
    for message in dict.fromkeys(message for gathered in evidence.values() for message in gathered.notes()):
        note(message)
    return {direction: align(pairs, evidence[direction]) for direction, pairs in translations.items()}


def _of_batch(learnt: Alignment, batch: list[Checked]) -> Alignment:
    """The alignment with the pairs of a batch, all at once, which is quicker than one after the other."""
    if not learnt:
        return {}
    from concord.comparator.serialisation import with_pairs

    fours = [compare.compared(texts) for _, compare, texts, _ in batch if not isinstance(texts, dict)]
    of_batch = {}
    for direction, aligned in learnt.items():
        own = [four for four in fours if (four[0].lang, four[2].lang) == direction]
        of_batch[direction] = with_pairs(aligned, [pair for a, b, c, d in own for pair in ((a, c), (b, d))])
    return of_batch


class _Compare:
    """A relation's comparison with its options set; `reads` are the roles that the verdict depends on."""

    def __init__(self, text: str) -> None:
        spec = plugins.parse("relations", text)
        self._relation = load_relation(spec.name)
        self._settings = plugins.settings("relations", spec)
        self._compare = self._relation.comparison(self._settings)
        traits = self._relation.traits
        self._langs, self._roles, self.explains = traits.langs, traits.compared, self._relation.compares
        self.is_sane = self._relation.base == SANE
        reads = set(traits.reads)
        # A follow-up that is the translation itself need not be repeated in the file.
        self.reads = reads - {"follow_up"} if self._langs[1] == "target" else reads

    def texts(self, pair: Pair) -> Four | Row:
        """The texts of a pair by role, or the error that stands in place of its verdict."""
        words = dict.fromkeys(ROLES, "") | dict(pair.words)
        if self._langs[1] == "target":
            words["follow_up"] = words["follow_up"] or words["source_output"]
        try:
            for role in ROLES:
                comparable(words[role], pair.column(role))
        except NotJudged as error:
            return {"error": str(error)}
        langs = [pair.langs[f"{side}_lang"] for side in self._langs]
        source, follow_up, *outputs = (Text(words[role], lang) for role, lang in zip(ROLES, langs, strict=True))
        return source, follow_up, outputs[0], outputs[1]

    def blank(self, texts: Four) -> list[str]:
        """The roles that the verdict depends on and that have no words."""
        return [role for role, text in zip(ROLES, texts, strict=True) if role in self.reads and not text.words.strip()]

    def answers(self, texts: Four) -> Iterator[tuple[str, Text, Text]]:
        """The answers that the verdict depends on, each with its role and its text."""
        of_role = dict(zip(ROLES, texts, strict=True))
        for role, text in ANSWERED.items():
            if role in self.reads and of_role[role].lang != of_role[text].lang:
                yield role, of_role[text], of_role[role]

    def compared(self, texts: Four) -> Four:
        """The texts that the comparator reads."""
        return compared_texts(texts, self._roles)

    def verdict(self, texts: Four, alignment: Alignment) -> Row:
        try:
            judgement = self._compare(*texts)
            if self.explains:
                from concord.comparator import compare

                four = self.compared(texts)
                comparison = compare(*four, alignment[four[0].lang, four[2].lang])
                judgement = judged(judgement, comparison, self._settings["threshold"], self._roles)
        except UserError:
            raise
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        return _verdict(judgement)


def _verdict(case: Case) -> Row:
    """What a row says of a case."""
    return {
        "suspicion": case.suspicion,
        "threshold": case.threshold,
        "operator": case.operator,
        "flagged": case.flagged,
        "scores": case.scores,
        "factors": case.factors,
        "evidence": case.evidence,
    }
