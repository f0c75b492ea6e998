"""The verdicts of a run as arrays, by which runs of a million cases are compared without reading them again.

A case is one test: what it asks, whatever the system, the options and the answers. It may occur several times in a run
(in repetitions, or because its sentence stands in the corpus twice). It fails if it is violated each time, passes if it
never is, and is flaky if it is sometimes.

A sentence is violated if it has a violated case in more than half of its repetitions that were judged: repetitions are
no further evidence. Where a relation tells its cases apart by granularity, a sentence has a verdict for each.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.model import RelationFacts
from concord.signature import digest
from concord.store.array_codec import Array, pack, unpack
from concord.store.case_keys import asked_factors
from concord.store.hashes import half, mark
from concord.store.label_rows import outputs_of
from concord.store.workspace import Workspace

PASSES, FAILS, FLAKY = 0, 1, 2
PART = "granularity"
"""The factor by which a relation tells its cases apart: what fails nearly always would hide all else of a sentence."""
FEW = 10_000
"""So many cases of a run are read while somebody waits for a page."""
_NAME = "verdicts3"
MOST_PARTS = 256
_KINDS = {
    "asked": "Q", "key": "Q", "outputs": "Q", "sentence": "Q", "part": "B", "position": "i", "repetition": "i",
    "number": "i", "suspicion": "d", "violated": "B", "check": "i", "untested": "i",
}  # fmt: skip
_CHECKS = {"sentence": "Q", "domain": "i", "repetition": "i", "error": "B"}
Hashes = NDArray[np.uint64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A run in arrays: its cases by rising `case`, its sentences by rising `sentence`, and every row in corpus order.

    `rows` has, for each row: which case and which verdict of a sentence it belongs to (`case`, `verdict`), where it
    stands (`position`, `repetition`, `number`), whether it is `violated`, the first half of its `key`, and a mark of
    its `outputs`; also the number of its `check`, and of what is `untested` there.

    `checks` has every check in corpus order: its `sentence`, which here is a text in a domain, the number of that
    `domain`, the `repetition`, and whether it ended in an `error`.
    """

    case: Hashes
    state: NDArray[np.uint8]
    outputs: Hashes
    part: NDArray[np.uint8]
    suspicion: NDArray[np.float64]
    place: NDArray[np.int32]
    """The row that stands for the case: its first violated one, or else its first."""
    sentence: Hashes
    sentence_part: NDArray[np.uint8]
    violated: NDArray[np.uint8]
    failed: Hashes
    """The sentences of which a check ended in an error."""
    rows: Mapping[str, Array]
    checks: Mapping[str, Array]
    parts: Sequence[str]
    domains: Sequence[str]
    untested: Sequence[Mapping[str, str]]
    """By number, the parts that could not be tested and why, without what is particular to the sentence."""
    counts: Mapping[str, int]
    """As `Workspace.tally` has them, `repetitions`, and how many rows are `damaged`: they are errors, too."""


class TooMuch(Exception):
    """A run is too large to be read while somebody waits for a page."""


def verdicts(
    workspace: Workspace, run: int, keep: Callable[[int, str, Callable[[], bytes]], bytes], *, patient: bool = True
) -> Verdicts:
    """The arrays of a run; `keep` makes them once and remembers them until the run changes.

    Without patience, `TooMuch` is raised where those of a large run would have to be made.
    """

    def make() -> bytes:
        if not patient and more_cases_than(workspace, [run], FEW):
            raise TooMuch
        return made(workspace, run)

    return _verdicts(*unpack(keep(run, _NAME, make)))


def prepared(workspace: Workspace, run: int, keep: Callable[[int, str, Callable[[], bytes]], bytes]) -> bool:
    """Make the arrays of a run if they are not kept; says whether they are then."""
    keep(run, _NAME, lambda: made(workspace, run))
    try:
        keep(run, _NAME, _refused)
    except LookupError:
        return False
    return True


def _refused() -> bytes:
    raise LookupError


def made(workspace: Workspace, run: int) -> bytes:
    """The arrays of a run, read from its rows."""
    relation = workspace.run(run).facts
    reading = _Reading(relation)
    for row in workspace.rows([run], bare=True):
        reading.row(row)
    return pack(*reading.done(relation.distinct))


def rows_at(workspace: Workspace, run: int, places: Sequence[tuple[int, int, int]]) -> Iterator[dict[str, Any]]:
    """The rows of cases, by position, repetition and number, in that order; what is gone meanwhile is passed over."""
    record = workspace.run(run)
    for place in places:
        if row := workspace.row_at(record, place):
            yield row


def more_cases_than(workspace: Workspace, runs: Sequence[int], limit: int) -> bool:
    """Whether runs have more cases together than a limit; no more than that are counted."""
    marks = ", ".join("?" * len(runs))
    query = f"SELECT count(*) FROM (SELECT 1 FROM cases INDEXED BY cases_by_suspicion WHERE run IN ({marks}) LIMIT ?)"
    (found,) = workspace.one(query, (*runs, limit + 1))
    return int(found) > limit


def sentence_verdicts(
    sentence: Integers, repetition: Integers, violated: Booleans, count: int
) -> tuple[Booleans, Booleans]:
    """For so many sentences: whether each was judged, and whether it is violated in more than half of the times."""
    last = int(repetition.max(initial=0)) + 1
    times = sentence * last + repetition
    judged, where = np.unique(times, return_inverse=True)
    bad = np.bincount(where, violated, minlength=len(judged)) > 0
    several = np.bincount(judged // last, minlength=count)
    return several > 0, np.bincount(judged // last, bad, minlength=count) * 2 > several


class _Reading:
    """Rows on their way into arrays; plain arrays grow as they come, in a tenth of the memory of objects."""

    def __init__(self, relation: RelationFacts) -> None:
        self._relation = relation
        self._rows = {name: array(kind) for name, kind in _KINDS.items()}
        self._checks = {name: array(kind) for name, kind in _CHECKS.items()}
        self._parts: dict[str, int] = {}
        self._domains: dict[str, int] = {}
        self._untested: dict[str, int] = {"{}": 0}
        self._failed: set[int] = set()
        self._counts = {"checks": 0, "bare": 0, "errors": 0, "damaged": 0, "repetitions": 1}
        self._place = (-1, -1)
        self._text, self._sentence, self._where = ("", ""), half(digest("", size=8)), half(digest("", "", size=8))

    def row(self, row: Mapping[str, Any]) -> None:
        text, domain = row["text"], row["domain"]
        if (text, domain) != self._text:
            self._text, self._sentence = (text, domain), half(digest(text, size=8))
            self._where = half(digest(text, domain, size=8))
        if (place := (row["position"], row["repetition"])) != self._place:
            self._place = place
            self._check(row)
        if row["error"] is not None:
            self._failure("damaged" in row)
        if "case" not in row:
            return
        part = self._parts.setdefault(row["factors"].get(PART, ""), len(self._parts))
        found = (
            self._asked(row),
            half(bytes.fromhex(row["case"])),
            mark(outputs_of(row)),
            self._sentence,
            min(part, MOST_PARTS - 1),
            *place,
            row["number"],
            row["suspicion"],
            row["violated"],
            self._counts["checks"] - 1,
            self._reasons(row["evidence"].get("untested")),
        )
        for column, value in zip(self._rows.values(), found, strict=True):
            column.append(value)

    def _reasons(self, untested: Mapping[str, str] | None) -> int:
        if not untested:
            return 0
        # Behind a semicolon stands what is particular to the sentence.
        plain = json.dumps({part: why.partition(";")[0] for part, why in untested.items()})
        return self._untested.setdefault(plain, len(self._untested))

    def _check(self, row: Mapping[str, Any]) -> None:
        place = self._domains.setdefault(row["domain"], len(self._domains))
        for column, value in zip(self._checks.values(), (self._where, place, row["repetition"], 0), strict=True):
            column.append(value)
        self._counts["checks"] += 1
        self._counts["bare"] += row["error"] is None and "case" not in row
        self._counts["repetitions"] = max(self._counts["repetitions"], row["repetition"] + 1)

    def _failure(self, damaged: bool) -> None:
        """Count the check that is being read as one with an error, which also a single damaged case of it is."""
        self._counts["errors"] += not self._checks["error"][-1]
        self._counts["damaged"] += damaged
        self._checks["error"][-1] = 1
        self._failed.add(self._sentence)

    def _asked(self, told: Mapping[str, Any]) -> int:
        """What a case asks: its texts and its factors, but for what the system made itself or what came out."""
        produced = (told["source_output"], *told["steps"].values())
        inputs = (told["source"],) if told["follow_up"] in produced else (told["source"], told["follow_up"])
        texts = (part for text in inputs for part in (text["lang"], text["words"]))
        return half(digest(asked_factors(self._relation, told["factors"]), *texts, size=8))

    def done(self, distinct: bool) -> tuple[dict[str, Array], dict[str, Any]]:
        rows = {name: np.array(column, dtype=column.typecode) for name, column in self._rows.items()}
        violated = rows["violated"] > 0
        cases, case_of = np.unique(rows.pop("asked"), return_inverse=True)
        sentences, sentence_of = np.unique(rows.pop("sentence"), return_inverse=True)
        part = rows.pop("part")
        # A sentence has a verdict for each part of its cases.
        found, verdict_of = np.unique(sentence_of * MOST_PARTS + part, return_inverse=True)
        _, bad = sentence_verdicts(verdict_of, rows["repetition"], violated, len(found))
        arrays = _folded(case_of, len(cases), violated, rows["outputs"])
        arrays |= {
            "case": cases,
            "part": part[arrays["place"]],
            "suspicion": rows.pop("suspicion")[arrays["place"]],
            "sentence": sentences[found // MOST_PARTS],
            "sentence_part": (found % MOST_PARTS).astype(np.uint8),
            "violated": bad.astype(np.uint8),
            "failed": np.array(sorted(self._failed), dtype=np.uint64),
            "row_case": case_of.astype(np.int32),
            "row_verdict": verdict_of.astype(np.int32),
        }
        arrays |= {f"row_{name}": column for name, column in rows.items()}
        arrays |= {f"check_{name}": np.array(each, dtype=each.typecode) for name, each in self._checks.items()}
        counts = self._counts | tallied(rows["repetition"], rows["key"], violated, distinct)
        facts = {"parts": list(self._parts)[:MOST_PARTS], "domains": list(self._domains), "counts": counts}
        return arrays, facts | {"untested": [json.loads(each) for each in self._untested]}


def _folded(case_of: Integers, count: int, violated: Booleans, outputs: Hashes) -> dict[str, Array]:
    """Rows made one for each case: its state, the row that stands for it, and all of its outputs as one number."""
    times, bad = np.bincount(case_of, minlength=count), np.bincount(case_of, violated, minlength=count)
    state = np.where(bad == 0, PASSES, np.where(bad == times, FAILS, FLAKY)).astype(np.uint8)
    order = np.lexsort((~violated, case_of))
    place = order[np.searchsorted(case_of[order], np.arange(count))].astype(np.int32)
    marks, mark_of = np.unique(outputs, return_inverse=True)
    every = np.unique(case_of * max(1, len(marks)) + mark_of)
    together = np.zeros(count, dtype=np.uint64)
    np.add.at(together, every // max(1, len(marks)), marks[every % max(1, len(marks))])
    return {"state": state, "outputs": together, "place": place}


def tallied(repetition: Array, key: Hashes, violated: Booleans, distinct: bool) -> dict[str, int]:
    """Cases and violations as people count them: a relation of distinct cases asks the same once in a repetition."""
    if not distinct:
        return {"cases": len(key), "violated": int(violated.sum())}
    keys, key_of = np.unique(key, return_inverse=True)
    found, of = np.unique(repetition.astype(np.int64) * max(1, len(keys)) + key_of, return_inverse=True)
    return {"cases": len(found), "violated": int((np.bincount(of, violated, minlength=len(found)) > 0).sum())}


def _verdicts(arrays: dict[str, Array], facts: dict[str, Any]) -> Verdicts:
    rows, checks = (_taken(arrays, prefix) for prefix in ("row_", "check_"))
    told: dict[str, Any] = {**arrays, **facts}
    return Verdicts(rows=rows, checks=checks, **told)


def _taken(arrays: dict[str, Array], prefix: str) -> dict[str, Array]:
    return {name.removeprefix(prefix): arrays.pop(name) for name in list(arrays) if name.startswith(prefix)}
