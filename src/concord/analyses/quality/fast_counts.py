"""Runs counted from the arrays that are kept of them: what ranks systems of a million cases without reading them again.

What is counted is what reading every row finds; only the texts of sentences are not there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from concord.analyses.quality.observations import BROKEN, HELD, Booleans, Column, Observed
from concord.analyses.quality.run_reader import by_direction, never_tested
from concord.stats.bootstrap_sentences import Floats, Integers
from concord.stats.table import in_order_of_appearance
from concord.store import RunRecord, Workspace
from concord.store.array_codec import Array
from concord.store.verdict_arrays import MOST_PARTS, Verdicts


def counted(store: Workspace, runs: Sequence[int], load: Callable[[int], Verdicts]) -> list[Observed]:
    """The runs by direction; `load` gives the arrays of one."""
    return by_direction(store, runs, lambda made: _Counting(made, load))


@dataclass(frozen=True, slots=True)
class _Part:
    """The verdicts of one run: parallel arrays of its columns, sentences (as the run numbers them) and repetitions."""

    system: int
    column: Integers
    sentence: Integers
    repetition: Integers
    share: Floats
    held: Booleans


class _Counting:
    """Runs on their way into one array."""

    def __init__(self, made: Observed, load: Callable[[int], Verdicts]) -> None:
        self._made, self._load = made, load
        self._systems: dict[str, int] = {}
        self._columns: dict[Column, int] = {}
        self._domains: dict[str, int] = {}
        self._sentences: list[tuple[Array, Integers]] = []
        self._parts: list[_Part] = []
        self._untested: dict[Column, Counter[str]] = {}
        self._seen = 0
        self.errors = 0

    def run(self, record: RunRecord, label: str) -> None:
        found = self._load(record.id)
        system = self._systems.setdefault(record.system, len(self._systems))
        checks, check_of = found.checks, found.rows["check"]
        failed = checks["error"] > 0
        self.errors += int(failed.sum())
        tested = (np.bincount(check_of, minlength=len(failed)) > 0) & ~failed
        told = tested | failed
        self._sentences.append((checks["sentence"][told], self._numbered(found)[told]))
        sentence = np.cumsum(told) - 1 + self._seen
        self._seen += int(told.sum())
        first = _first(checks["sentence"], checks["repetition"], tested)
        rows = np.flatnonzero(first[check_of])
        self._reasons(found, rows, label)
        part = found.sentence_part[found.rows["verdict"][rows]].astype(np.int64)
        columns = self._columns_of(found.parts, part, label)
        groups, of = np.unique(check_of[rows].astype(np.int64) * MOST_PARTS + part, return_inverse=True)
        size, bad = np.bincount(of), np.bincount(of, found.rows["violated"][rows])
        check = groups // MOST_PARTS
        alone = found.counts["repetitions"] == 1
        repetition = np.zeros(len(check), dtype=np.int64) if alone else checks["repetition"][check].astype(np.int64) + 1
        held = (size - bad) / size
        self._parts.append(_Part(system, columns[groups % MOST_PARTS], sentence[check], repetition, held, bad == 0))

    def _numbered(self, found: Verdicts) -> Integers:
        """The domain of each check, numbered as in all runs."""
        numbers = [self._domains.setdefault(name, len(self._domains)) for name in found.domains]
        return np.array(numbers, dtype=np.int64)[found.checks["domain"]]

    def _columns_of(self, parts: Sequence[str], part: Integers, label: str) -> Integers:
        """The column of each part, in the order in which they appear."""
        made = np.zeros(MOST_PARTS, dtype=np.int64)
        for first in in_order_of_appearance(part)[1].tolist():
            column = Column(label, parts[part[first]])
            made[part[first]] = self._columns.setdefault(column, len(self._columns))
        return made

    def _reasons(self, found: Verdicts, rows: Integers, label: str) -> None:
        codes = found.rows["untested"][rows]
        numbers, firsts = in_order_of_appearance(codes)
        for first, times in zip(firsts.tolist(), np.bincount(numbers).tolist(), strict=True):
            told: Mapping[str, Any] = found.untested[codes[first]]
            for part, why in told.items():
                self._untested.setdefault(Column(label, part), Counter())[why] += times

    @property
    def has_cases(self) -> bool:
        return any(len(part.column) for part in self._parts)

    def done(self) -> Observed:
        made = self._made
        made.systems, made.columns, made.domain_names = list(self._systems), list(self._columns), list(self._domains)
        number, first = in_order_of_appearance(np.concatenate([marks for marks, _ in self._sentences]))
        made.domain_of = np.concatenate([domain for _, domain in self._sentences])[first]
        shape = (len(made.columns), len(made.systems), len(first))
        last = max((int(part.repetition.max(initial=0)) for part in self._parts), default=0)
        made.marks = np.zeros((*shape, last + 1), dtype=np.uint8)
        places = []
        for each in self._parts:
            at = (each.column, np.full(len(each.column), each.system), number[each.sentence])
            made.marks[(*at, each.repetition)] = np.where(each.held, HELD, BROKEN)
            places.append(np.ravel_multi_index(at, shape))
        made.satisfied = _means(np.concatenate(places), [part.share for part in self._parts], math.prod(shape))
        made.satisfied = made.satisfied.reshape(shape)
        made.notes += never_tested(made, self._untested)
        return made


def _means(places: Integers, shares: Sequence[Floats], size: int) -> Floats:
    """The mean of the shares at each place; NaN where there is none."""
    times = np.bincount(places, minlength=size)
    total = np.bincount(places, np.concatenate(shares), minlength=size)
    found: Floats = np.divide(total, times, out=np.full(size, np.nan), where=times > 0)
    return found


def _first(sentence: Array, repetition: Array, among: Booleans) -> Booleans:
    """Which of some checks are the first of their sentence and repetition."""
    places = np.flatnonzero(among)
    last = int(repetition.max(initial=0)) + 1
    number = np.unique(sentence[places], return_inverse=True)[1]
    _, firsts = np.unique(number * last + repetition[places], return_index=True)
    found = np.zeros(len(among), dtype=bool)
    found[places[firsts]] = True
    return found
