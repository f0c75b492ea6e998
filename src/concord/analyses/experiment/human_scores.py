"""Human scores beside the metamorphic ones: how often each score was given, and how far the two correlate."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from concord.analyses.experiment.observations import Observation
from concord.analyses.experiment.rating_sheet import SCORES, rating_key
from concord.analyses.quality.reference_scores import first_few
from concord.errors import UserError
from concord.plain_data import plain
from concord.runs.summary import Summary
from concord.stats.correlation import Correlation, correlate
from concord.stats.table import scores_of, texts_of

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pace:
    """The seconds that people, or Concord with a system, took for a judgement; `median` is of people alone."""

    name: str
    judgements: int
    mean: float
    median: float | None = None


@dataclass(frozen=True, slots=True)
class Human:
    """Counts by system and score (table 4 of the 2018 paper), and correlations with the metamorphic score.

    `by_sentence` pairs the scores of one sentence in one system (and target, where the table has it); the scores of
    several people are averaged. `by_system` pairs the systems' means. `points` are the pairs by sentence: system,
    metamorphic, human. `paces` has people first; it is empty if nobody's seconds are known.
    """

    counts: dict[str, dict[str, int]]
    matched: int
    unmatched: int
    by_sentence: list[Correlation]
    by_system: list[Correlation]
    within: dict[str, list[Correlation]]
    points: list[tuple[str, float, float]]
    paces: list[Pace]

    def json(self) -> dict[str, Any]:
        return dict(plain(self))


def compare_human_scores(
    path: str | Path, observed: Sequence[Observation], level: float, runs: Sequence[Summary]
) -> Human:
    """Match a filled-in rating sheet, or a table with the columns system, sentence (its id or text) and score.

    Such a table may also have the columns target and seconds.
    """
    rows = list(_of_sheet(path, observed) or _of_table(path))
    if not rows:
        raise UserError(f"{path} has no scores. It needs the columns: system, sentence, score, and perhaps target")
    with_target = any(row.target for row in rows)
    metamorphic = _metamorphic(observed, with_target)
    human, counts = defaultdict[Key, list[float]](list), defaultdict[str, Counter[str]](Counter)
    for row in rows:
        counts[row.system][f"{row.score:g}"] += 1
        human[row.system, row.sentence, *((row.target,) if with_target else ())].append(row.score)
    # Several people's scores of one translation are one piece of evidence: their mean.
    known = {key: scores for key, scores in human.items() if key in metamorphic}
    points = [(key[0], metamorphic[key], sum(scores) / len(scores)) for key, scores in known.items()]
    matched = sum(map(len, known.values()))
    if not points:
        raise UserError(
            f"no row of {path} belongs to an observation. Its systems: {first_few(counts)}; those of the experiment:"
            f" {first_few(obs.system for obs in observed)}. A sentence is named by its id or its text"
        )
    systems = list(dict.fromkeys(system for system, _, _ in points))
    return Human(
        counts={
            system: dict(sorted(tally.items(), key=lambda pair: float(pair[0]))) for system, tally in counts.items()
        },
        matched=matched,
        unmatched=len(rows) - matched,
        by_sentence=_correlated(points, level),
        by_system=_correlated([_mean(system, points) for system in systems], level),
        within={system: _correlated([point for point in points if point[0] == system], level) for system in systems},
        points=points,
        paces=_paces([row.seconds for row in rows if row.seconds is not None], runs),
    )


class _Judgement(NamedTuple):
    system: str
    sentence: str
    target: str
    score: float
    seconds: float | None


def _of_sheet(path: str | Path, observed: Sequence[Observation]) -> list[_Judgement]:
    """The scores of a sheet of `label rate`; nothing if the table is none. Lines without a score are skipped."""
    rows = [(n, row) for n, row in enumerate(texts_of(path, [], ["key", "score", "seconds"]), 1) if row["key"]]
    if rows and not any(row["score"] for _, row in rows):
        raise UserError(f"{path}: nothing is scored yet. Write {', '.join(SCORES)} into the column score")
    by_key = {rating_key(observation): observation for observation in observed}
    found = []
    for number, row in rows:
        if not row["score"]:
            continue
        if row["score"] not in SCORES:
            raise UserError(f"{path}, row {number}: the score '{row['score']}' is none of {', '.join(SCORES)}")
        known = by_key.get(row["key"].lstrip("'"))
        about = (known.system, known.text, known.target) if known else ("not of this experiment", "", "-")
        found.append(_Judgement(*about, float(row["score"]), _seconds(path, number, row["seconds"])))
    return found


def _of_table(path: str | Path) -> Iterator[_Judgement]:
    rows = enumerate(scores_of(path, ["system", "sentence"], ["target", "seconds"]), 1)
    for number, (row, score) in rows:
        seconds = _seconds(path, number, row["seconds"])
        yield _Judgement(row["system"], row["sentence"], row["target"], score, seconds)


def _seconds(path: str | Path, number: int, cell: str) -> float | None:
    try:
        seconds = float(cell) if cell else None
    except ValueError:
        seconds = float("nan")
    if seconds is not None and not (isfinite(seconds) and seconds >= 0):
        raise UserError(
            f"{path}, row {number}: '{cell}' is no number of seconds. Write it as 30 or 12.5, or leave it out"
        )
    return seconds


def _paces(seconds: Sequence[float], runs: Sequence[Summary]) -> list[Pace]:
    """Those of people, and what each run took for an observation, its translations included."""
    if not seconds:
        return []
    people = Pace("people", len(seconds), fmean(seconds), median(seconds))
    return [people, *(Pace(each.run.system, each.cases, each.run.seconds / each.cases) for each in runs if each.cases)]


def _metamorphic(observed: Sequence[Observation], with_target: bool) -> dict[Key, float]:
    """The mean score by system and sentence (and target); a sentence is named by its id or by its text.

    A system that a file describes may be named without the hash after its name, unless that is ambiguous.
    """
    by_key = defaultdict[Key, list[float]](list)
    bare = Counter(system.partition("#")[0] for system in {obs.system for obs in observed})
    for obs in observed:
        rest = (obs.target,) if with_target else ()
        short = obs.system.partition("#")[0]
        systems = {obs.system, short} if bare[short] == 1 else {obs.system}
        for system, name in product(systems, {obs.sentence, obs.text}):
            by_key[system, name, *rest].append(obs.score)
    return {key: sum(scores) / len(scores) for key, scores in by_key.items()}


def _correlated(points: Sequence[tuple[str, float, float]], level: float) -> list[Correlation]:
    return correlate([x for _, x, _ in points], [y for _, _, y in points], level=level)


def _mean(system: str, points: Sequence[tuple[str, float, float]]) -> tuple[str, float, float]:
    own = [(x, y) for name, x, y in points if name == system]
    return system, sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)
