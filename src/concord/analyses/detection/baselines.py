"""Trivial scores as baselines: a detector should tell bugs from correct cases better than these do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import LCSseq

from concord.analyses.detection.ground_truth import AgreedVerdict, Decided
from concord.language.comparison_units import difference, units
from concord.metrics import chrf
from concord.model import Text
from concord.stats.detection import Floats
from concord.store import Workspace

REMEMBERED = 50_000
LONGEST = 2_000
"""The number of characters of a text that are compared, to keep baselines fast."""


@lru_cache(REMEMBERED)
def unlike(first: Text, second: Text) -> float:
    """The proportion of units that are not in the longest common subsequence."""
    return float(LCSseq.normalized_distance(units(first).forms, units(second).forms))


@lru_cache(REMEMBERED)
def missing(first: Text, second: Text) -> float:
    """The proportion of the shorter text's units that the longer one lacks."""
    short, long = sorted((units(first), units(second)), key=len)
    return len(difference(short, long).missing) / max(1, len(short))


SCORES: Mapping[str, Callable[[Text, Text], float]] = {
    "LCS ratio": unlike,
    "missing units": missing,
    "chrF": lru_cache(REMEMBERED)(lambda first, second: 1 - chrf.similarity(first, second)),
}


def baselines(decided: Decided, store: Workspace) -> tuple[dict[str, Floats], list[str]]:
    """The trivial scores of the labelled cases, higher being worse; and notes on those that are left out."""
    try:
        pairs = [_compared(_case(store, verdict)) for verdict in decided.verdicts]
    except LookupError:
        return {}, ["no trivial baseline: some labelled cases are gone since their run was indexed"]
    if any(first.lang != second.lang for first, second in pairs):
        return {}, ["no trivial baseline: the texts that are compared are in different languages"]
    names, notes = list(SCORES), []
    if _parts(pairs):
        names.remove("chrF")
        notes.append("chrF is no baseline here: most cases compare a part with a whole")
    scores = {name: np.array([SCORES[name](*pair) for pair in pairs], dtype=np.float64) for name in names}
    same = [name for name, values in scores.items() if np.allclose(values, decided.suspicion, atol=1e-9)]
    for name in same:
        notes.append(f"{name} is what this detector itself measures")
    return {name: values for name, values in scores.items() if name not in same}, notes


@dataclass(frozen=True, slots=True)
class _Case:
    """A case to be read; `identity` changes if its run is repeated or its outputs change."""

    identity: tuple[object, ...]
    store: Workspace = field(compare=False)
    verdict: AgreedVerdict = field(compare=False)


def _case(store: Workspace, verdict: AgreedVerdict) -> _Case:
    run = verdict.run
    return _Case((store.path, run.id, run.started, verdict.where, verdict.outputs), store, verdict)


@lru_cache(REMEMBERED)
def _compared(case: _Case) -> tuple[Text, Text]:
    """The two texts that a case compares."""
    row = case.store.row_at(case.verdict.run, case.verdict.where)
    if row is None:
        raise LookupError(case.verdict.where)
    first, second = (Text(str(text["words"])[:LONGEST], str(text["lang"])) for text in row["compared"])
    return first, second


def _parts(pairs: Sequence[tuple[Text, Text]]) -> bool:
    """Whether most texts are less than half as long as those they are compared with."""
    lengths = [sorted((len(first.words), len(second.words))) for first, second in pairs]
    return 2 * sum(2 * short < long for short, long in lengths) > len(lengths)
