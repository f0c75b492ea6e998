"""The verdicts of a run as arrays, by which runs of a million cases are compared without reading their rows again.

A case is one test: what it asks identifies it, not the system, the options or the answers. It may occur several times
in a run (in repetitions, or because its sentence stands in the corpus twice). It fails if it is flagged each time,
passes if it is never flagged, and is flaky otherwise.

A sentence is flagged if it has a flagged case in more than half of its repetitions that were judged: repetitions are no
further evidence. Where a relation tells its cases apart by granularity, a sentence has a verdict for each.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.errors import NOT_JUDGED
from concord.model import RelationFacts
from concord.signature import digest
from concord.store.array_codec import Array, pack, unpack
from concord.store.case_keys import asked_factors, key_number, outputs_number, sentence_number
from concord.store.label_rows import outputs_of
from concord.store.workspace import Workspace

PASSES, FAILS, FLAKY = 0, 1, 2
PART = "granularity"
"""The factor by which a relation splits its cases: a part that is nearly always flagged must not hide the others."""
FEW = 10_000
"""The most cases of a run that are read while somebody waits for a page."""
_NAME = "verdicts5"
MOST_PARTS = 256
_KINDS = {
    "question": "Q", "key": "Q", "outputs": "Q", "sentence": "Q", "part": "B", "position": "i", "repetition": "i",
    "number": "i", "suspicion": "d", "flagged": "B", "check": "i",
}  # fmt: skip
Hashes = NDArray[np.uint64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A run in arrays: its cases, ascending by `case`, its sentences, ascending by `sentence`, and all rows.

    `rows` has, for each row in corpus order: the index of its case and of its sentence's verdict (`case`, `verdict`),
    its location (`position`, `repetition`, `number`), whether it is `flagged`, the first half of its `key`,
    a hash of its `outputs`, and the index of its `check` among those with a case or an error.
    """

    case: Hashes
    state: NDArray[np.uint8]
    outputs: Hashes
    part: NDArray[np.uint8]
    suspicion: NDArray[np.float64]
    place: NDArray[np.int32]
    """The row that represents the case: its first flagged one, or else its first."""
    sentence: Hashes
    sentence_part: NDArray[np.uint8]
    flagged: NDArray[np.uint8]
    failed: Hashes
    """The sentences with a check that ended in an error."""
    check_sentence: Hashes
    """The sentence of each check, which here is a text in a domain."""
    check_domain: NDArray[np.int32]
    rows: Mapping[str, Array]
    parts: Sequence[str]
    domains: Sequence[str]
    untested: Mapping[str, Mapping[str, int]]
    """By part, how often it could not be tested for each reason, without the details of the sentence."""
    counts: Mapping[str, int]
    """The counts of `Workspace.tally`, and how many rows are `damaged`; these are errors, too."""


Cache = Callable[[int, str, Callable[[], bytes]], bytes]
"""Returns the bytes of a run under a name; calls the function to make them if the run has changed (`Index.blob`)."""


class TooMuch(Exception):
    """A run is too large to be read while somebody waits for a page."""


def verdicts(workspace: Workspace, run: int, keep: Cache, *, patient: bool = True) -> Verdicts:
    """The arrays of a run, cached by `keep`. Without patience, `TooMuch` is raised if a large run is not cached."""

    def make() -> bytes:
        if not patient and more_cases_than(workspace, [run], FEW):
            raise TooMuch
        return build(workspace, run)

    arrays, facts = unpack(keep(run, _NAME, make))
    rows = {name.removeprefix("row_"): arrays.pop(name) for name in list(arrays) if name.startswith("row_")}
    fields: dict[str, Any] = {**arrays, **facts}
    return Verdicts(rows=rows, **fields)


def prepared(workspace: Workspace, run: int, keep: Cache) -> bool:
    """Build and cache the arrays of a run; False if they could not be cached."""
    keep(run, _NAME, lambda: build(workspace, run))
    try:
        keep(run, _NAME, _not_cached)
    except LookupError:
        return False
    return True


def _not_cached() -> bytes:
    raise LookupError


def build(workspace: Workspace, run: int) -> bytes:
    """The arrays of a run, read from its rows."""
    relation = workspace.run(run).facts
    builder = _ArrayBuilder(relation)
    for row in workspace.rows([run], bare=True):
        builder.add(row)
    return pack(*builder.arrays(relation.distinct))


def more_cases_than(workspace: Workspace, runs: Sequence[int], limit: int) -> bool:
    """Whether runs have more cases together than a limit; counting stops there."""
    numbers = ", ".join("?" * len(runs))
    query = f"SELECT count(*) FROM (SELECT 1 FROM cases INDEXED BY cases_by_suspicion WHERE run IN ({numbers}) LIMIT ?)"
    (count,) = workspace.first(query, (*runs, limit + 1))
    return int(count) > limit


def sentence_verdicts(
    sentence: Integers, repetition: Integers, flagged: Booleans, count: int
) -> tuple[Booleans, Booleans]:
    """For each of `count` sentences, whether it was judged, and whether over half of its repetitions are flagged."""
    repetitions = int(repetition.max(initial=0)) + 1
    judged, check_of = np.unique(sentence * repetitions + repetition, return_inverse=True)
    flagged_checks = np.bincount(check_of, flagged, minlength=len(judged)) > 0
    checks = np.bincount(judged // repetitions, minlength=count)
    return checks > 0, np.bincount(judged // repetitions, flagged_checks, minlength=count) * 2 > checks


class _ArrayBuilder:
    """Collects rows in growing arrays of numbers, which take a tenth of the memory of objects."""

    def __init__(self, relation: RelationFacts) -> None:
        self._relation = relation
        self._rows = {name: array(kind) for name, kind in _KINDS.items()}
        self._check_sentence, self._check_domain = array("Q"), array("i")
        self._parts: dict[str, int] = {}
        self._domains: dict[str, int] = {}
        self._untested: dict[str, Counter[str]] = {}
        self._failed: set[int] = set()
        self._counts = {"checks": 0, "bare": 0, "not_judged": 0, "errors": 0, "damaged": 0}
        self._location = (-1, -1)
        self._failed_here = False
        self._text: str | None = None
        self._sentence = 0

    def add(self, row: Mapping[str, Any]) -> None:
        if row["text"] != self._text:
            self._text, self._sentence = row["text"], sentence_number(row["text"])
        if (location := (row["position"], row["repetition"])) != self._location:
            self._location, self._failed_here = location, False
            self._add_check(row)
        if row["error"] is not None:
            self._add_error(row["error"], "damaged" in row)
        if "case" not in row:
            return
        part = self._parts.setdefault(row["factors"].get(PART, ""), len(self._parts))
        values = (
            self._question(row),
            key_number(bytes.fromhex(row["case"])),
            outputs_number(outputs_of(row)),
            self._sentence,
            min(part, MOST_PARTS - 1),
            *location,
            row["number"],
            row["suspicion"],
            row["flagged"],
            len(self._check_sentence) - 1,
        )
        for column, value in zip(self._rows.values(), values, strict=True):
            column.append(value)
        for untested, reason in row["evidence"].get("untested", {}).items():
            # Details of the sentence follow a semicolon.
            self._untested.setdefault(untested, Counter())[reason.partition(";")[0]] += 1

    def _add_check(self, row: Mapping[str, Any]) -> None:
        self._counts["checks"] += 1
        if row["error"] is None and "case" not in row:
            self._counts["bare"] += 1
            return
        self._check_sentence.append(key_number(digest(row["text"], row["domain"], size=8)))
        self._check_domain.append(self._domains.setdefault(row["domain"], len(self._domains)))

    def _add_error(self, error: str, damaged: bool) -> None:
        """Count the present check as one with an error; one damaged case is enough."""
        self._counts["not_judged" if error.startswith(NOT_JUDGED) else "errors"] += not self._failed_here
        self._counts["damaged"] += damaged
        self._failed_here = True
        self._failed.add(self._sentence)

    def _question(self, row: Mapping[str, Any]) -> int:
        """The hash of what a case asks: the texts and factors that do not depend on the answers."""
        produced = (row["source_output"], *row["steps"].values())
        inputs = (row["source"],) if row["follow_up"] in produced else (row["source"], row["follow_up"])
        texts = (part for text in inputs for part in (text["lang"], text["words"]))
        return key_number(digest(asked_factors(self._relation, row["factors"]), *texts, size=8))

    def arrays(self, distinct: bool) -> tuple[dict[str, Array], dict[str, Any]]:
        rows = {name: np.array(column, dtype=column.typecode) for name, column in self._rows.items()}
        flagged = rows["flagged"] > 0
        cases, case_of = np.unique(rows.pop("question"), return_inverse=True)
        sentences, sentence_of = np.unique(rows.pop("sentence"), return_inverse=True)
        part = rows.pop("part")
        # A sentence has a verdict for each part of its cases.
        judged, verdict_of = np.unique(sentence_of * MOST_PARTS + part, return_inverse=True)
        _, flagged_sentences = sentence_verdicts(verdict_of, rows["repetition"], flagged, len(judged))
        arrays = _by_case(case_of, len(cases), flagged, rows["outputs"])
        arrays |= {
            "case": cases,
            "part": part[arrays["place"]],
            "suspicion": rows.pop("suspicion")[arrays["place"]],
            "sentence": sentences[judged // MOST_PARTS],
            "sentence_part": (judged % MOST_PARTS).astype(np.uint8),
            "flagged": flagged_sentences.astype(np.uint8),
            "failed": np.array(sorted(self._failed), dtype=np.uint64),
            "check_sentence": np.array(self._check_sentence, dtype=np.uint64),
            "check_domain": np.array(self._check_domain, dtype=np.int32),
            "row_case": case_of.astype(np.int32),
            "row_verdict": verdict_of.astype(np.int32),
        }
        arrays |= {f"row_{name}": column for name, column in rows.items()}
        counts = self._counts | tallied(rows["repetition"], rows["key"], flagged, distinct)
        facts = {"parts": list(self._parts)[:MOST_PARTS], "domains": list(self._domains), "untested": self._untested}
        return arrays, facts | {"counts": counts}


def _by_case(case_of: Integers, count: int, flagged: Booleans, outputs: Hashes) -> dict[str, Array]:
    """For each case: its state, the row that represents it, and the sum of its distinct outputs' hashes."""
    rows, times = np.bincount(case_of, minlength=count), np.bincount(case_of, flagged, minlength=count)
    state = np.where(times == 0, PASSES, np.where(times == rows, FAILS, FLAKY)).astype(np.uint8)
    order = np.lexsort((~flagged, case_of))
    place = order[np.searchsorted(case_of[order], np.arange(count))].astype(np.int32)
    hashes, hash_of = np.unique(outputs, return_inverse=True)
    width = max(1, len(hashes))
    pairs = np.unique(case_of * width + hash_of)
    sums = np.zeros(count, dtype=np.uint64)
    np.add.at(sums, pairs // width, hashes[pairs % width])
    return {"state": state, "outputs": sums, "place": place}


def tallied(repetition: Array, key: Hashes, flagged: Booleans, distinct: bool) -> dict[str, int]:
    """The numbers of cases and of flagged cases; if `distinct`, cases with the same key count once in a repetition."""
    if not distinct:
        return {"cases": len(key), "flagged": int(flagged.sum())}
    keys, key_of = np.unique(key, return_inverse=True)
    cases, case_of = np.unique(repetition.astype(np.int64) * max(1, len(keys)) + key_of, return_inverse=True)
    return {"cases": len(cases), "flagged": int((np.bincount(case_of, flagged, minlength=len(cases)) > 0).sum())}
