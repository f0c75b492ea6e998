"""Repair: where translations disagree, the odd one is reworded like another (TransRepair, Sun et al., ICSE 2020).

The sentence and its mutants, each with one word replaced, should be translated alike. If two translations disagree, the
one that agrees less with all the others (or that the model itself considers less probable) is the odd one. Another
translation, the best first, provides the wording; in it, the words that translate the replaced word are exchanged for
those that stand for that word in the odd translation. The outcome is offered if it passes the test that failed.

Nothing is translated: everything is in the rows of a run. The word alignment is learnt from the run's own pairs; the
test is the run's, with the alignment that it stored. With more mutants of each sentence (`count=3`) it is clearer which
translation is the odd one.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Literal

from concord.analyses.repair.mend import Forms, Mender, Repair, Repairs, Row, SentenceFamily, Suspect, Version
from concord.bounds import LONGEST_TEXT
from concord.errors import NOT_JUDGED, ServiceError, UserError
from concord.language.align import Model, fit
from concord.language.analysis import Word
from concord.language.codes import base
from concord.model import ROLES, Text
from concord.relations.transrepair.set_aside import Measure, Tokenised, compared, measure
from concord.store import RunRecord, Workspace
from concord.store.comparators import Comparators, Learnt

__all__ = ["By", "Forms", "Mender", "Repair", "Repairs", "SentenceFamily", "Version", "repairs"]

By = Literal["agreement", "probability"]
RELATIONS = ("transrepair", "cat")
NOTED = "log_probability"
"""The name under which an adapter notes the log probability of an answer."""


def repairs(
    store: Workspace, run: RunRecord, by: By = "agreement", forms: Forms | None = None, *, glossary: str = ""
) -> Repairs:
    """The repairs that can be offered for the flagged cases of a run.

    `forms` analyses a translation, so that no word is exchanged for one of another gender or number. `glossary` is
    the file that the run used, if any.
    """
    if run.relation.partition(":")[0] not in RELATIONS:
        raise UserError(f"run {run.id} is of {run.relation}; repair is for runs of {' and '.join(RELATIONS)}")
    likely = _probabilities(store.notes(run.system), run) if by == "probability" else None
    offers = Repairs()
    rows = list(_comparable((row for row in store.rows([run.id]) if not row["error"]), offers))
    if any(row["flagged"] for row in rows):
        groups = groupby(rows, lambda row: (row["position"], row["repetition"]))
        families = [SentenceFamily.of(list(cases)) for _, cases in groups]
        similarity = measure(run.settings.get("metric", "lcs"), run.settings.get("corpus", ""), run.target)
        by_paper = run.relation.endswith(":paper")
        suspect = _suspecting(similarity) if by_paper else _explaining(store, run, families, glossary)
        mender = Mender(similarity, _aligned(families, run), suspect, likely, forms)
        for family in families:
            mender.mend(family, offers)
    return offers


@contextlib.contextmanager
def analysing(lang: str) -> Iterator[Forms | None]:
    """The analysis of texts in a language, where Apertium has one."""
    from concord.language.parse.apertium import Parser

    with contextlib.closing(Parser()) as parser:

        def forms(text: Text) -> list[Word]:
            (words,) = parser.analyse([text.words], text.lang)
            return [] if isinstance(words, ServiceError) else words

        yield forms if {lang, base(lang)} & parser.languages() else None


def _comparable(rows: Iterable[Row], offers: Repairs) -> Iterator[Row]:
    """The rows whose texts are short enough to be compared; the others get no repair."""
    for row in rows:
        if max(len(row[role]["words"]) for role in ROLES) <= LONGEST_TEXT:
            yield row
        elif row["flagged"]:
            offers.unrepaired[f"{NOT_JUDGED}a text has more than {LONGEST_TEXT:,} characters"] += 1


def _suspecting(similarity: Measure) -> Suspect:
    """The test of the paper, for runs that were judged by it."""
    return lambda x, y, of_x, of_y: 1 - compared(Tokenised(of_x).words, Tokenised(of_y).words, similarity).similarity


def _explaining(store: Workspace, run: RunRecord, families: Iterable[SentenceFamily], glossary: str) -> Suspect:
    """The test of the comparator, with the run's alignment and with what labels had taught it.

    Without a stored alignment, one is learnt from the run's pairs.
    """
    from concord.comparator import align, compare
    from concord.comparator.dictionaries import used_by
    from concord.comparator.learned import load as load_fitted
    from concord.comparator.serialisation import evidence_for, load

    evidence = evidence_for((run.source, run.target), glossary, dictionaries=used_by(run.signature))
    learnt = Learnt(store).load(run.id)
    pairs = ((version.text, version.output) for family in families for version in family.versions)
    alignment = align(pairs, evidence) if learnt is None else load(learnt, evidence)
    taught = Comparators(store).used(run.relation, (run.source, run.target))
    # A comparator that was fitted after the run did not judge it.
    fitted = load_fitted(taught.data) if taught and taught.name in run.signature else None
    return lambda x, y, of_x, of_y: compare(x, y, of_x, of_y, alignment, fitted=fitted).suspicion


def _aligned(families: Iterable[SentenceFamily], run: RunRecord) -> Model:
    """The word alignment, learnt from every pair of the run, each once."""
    versions = {(version.text, version.output): version for family in families for version in family.versions}
    pairs = [(version.source.words, version.target.words) for version in versions.values()]
    return fit(pairs, langs=(run.source, run.target))


def _probabilities(notes: Iterator[Mapping[str, Any]], run: RunRecord) -> dict[str, float]:
    langs = (run.source, run.target)
    scored = [note for note in notes if NOTED in note and (note["source_lang"], note["target_lang"]) == langs]
    if not scored:
        raise UserError(f"{run.system} does not tell how probable its answers are; rank them by agreement instead")
    return {note["text"]: float(note[NOTED]) for note in scored}
