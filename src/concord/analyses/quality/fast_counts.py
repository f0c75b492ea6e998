"""Observations counted from the stored verdict arrays of runs: a million cases are ranked without reading rows.

The counts equal those of reading every row; only the texts of sentences are missing.
"""

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
    return by_direction(store, runs, lambda obs: _Counting(obs, load))


@dataclass(frozen=True, slots=True)
class _Part:
    """The verdicts of one run: parallel arrays of its columns, sentences (as the run numbers them) and repetitions."""

    system: int
    column: Integers
    sentence: Integers
    repetition: Integers
    share: Floats
    satisfied: Booleans


class _Counting:
    """Collects the verdicts of runs into one array."""

    def __init__(self, obs: Observed, load: Callable[[int], Verdicts]) -> None:
        self._obs, self._load = obs, load
        self._systems: dict[str, int] = {}
        self._columns: dict[Column, int] = {}
        self._domains: dict[str, int] = {}
        self._sentences: list[tuple[Array, Integers]] = []
        self._parts: list[_Part] = []
        self._untested: dict[Column, Counter[str]] = {}
        self._sentence_count = 0
        self.errors = 0

    def run(self, record: RunRecord, label: str) -> None:
        verdicts = self._load(record.id)
        system = self._systems.setdefault(record.system, len(self._systems))
        checks, check_of = verdicts.checks, verdicts.rows["check"]
        failed = checks["error"] > 0
        self.errors += int(failed.sum())
        tested = (np.bincount(check_of, minlength=len(failed)) > 0) & ~failed
        used = tested | failed
        self._sentences.append((checks["sentence"][used], self._numbered(verdicts)[used]))
        sentence = np.cumsum(used) - 1 + self._sentence_count
        self._sentence_count += int(used.sum())
        first = _first(checks["sentence"], checks["repetition"], tested)
        rows = np.flatnonzero(first[check_of])
        self._reasons(verdicts, rows, label)
        part = verdicts.sentence_part[verdicts.rows["verdict"][rows]].astype(np.int64)
        columns = self._columns_of(verdicts.parts, part, label)
        groups, group_of = np.unique(check_of[rows].astype(np.int64) * MOST_PARTS + part, return_inverse=True)
        size, bad = np.bincount(group_of), np.bincount(group_of, verdicts.rows["violated"][rows])
        check = groups // MOST_PARTS
        alone = verdicts.counts["repetitions"] == 1
        repetition = np.zeros(len(check), dtype=np.int64) if alone else checks["repetition"][check].astype(np.int64) + 1
        share = (size - bad) / size
        self._parts.append(_Part(system, columns[groups % MOST_PARTS], sentence[check], repetition, share, bad == 0))

    def _numbered(self, verdicts: Verdicts) -> Integers:
        """The number of the domain of each check; all runs share the numbers."""
        numbers = [self._domains.setdefault(name, len(self._domains)) for name in verdicts.domains]
        return np.array(numbers, dtype=np.int64)[verdicts.checks["domain"]]

    def _columns_of(self, parts: Sequence[str], part: Integers, label: str) -> Integers:
        """The column of each part, in the order in which they appear."""
        numbers = np.zeros(MOST_PARTS, dtype=np.int64)
        for first in in_order_of_appearance(part)[1].tolist():
            column = Column(label, parts[part[first]])
            numbers[part[first]] = self._columns.setdefault(column, len(self._columns))
        return numbers

    def _reasons(self, verdicts: Verdicts, rows: Integers, label: str) -> None:
        codes = verdicts.rows["untested"][rows]
        numbers, firsts = in_order_of_appearance(codes)
        for first, times in zip(firsts.tolist(), np.bincount(numbers).tolist(), strict=True):
            reasons: Mapping[str, Any] = verdicts.untested[codes[first]]
            for part, why in reasons.items():
                self._untested.setdefault(Column(label, part), Counter())[why] += times

    @property
    def has_cases(self) -> bool:
        return any(len(part.column) for part in self._parts)

    def finish(self) -> Observed:
        obs = self._obs
        obs.systems, obs.columns, obs.domain_names = list(self._systems), list(self._columns), list(self._domains)
        number, first = in_order_of_appearance(np.concatenate([hashes for hashes, _ in self._sentences]))
        obs.domain_of = np.concatenate([domain for _, domain in self._sentences])[first]
        shape = (len(obs.columns), len(obs.systems), len(first))
        last = max((int(part.repetition.max(initial=0)) for part in self._parts), default=0)
        obs.verdicts = np.zeros((*shape, last + 1), dtype=np.uint8)
        cells = []
        for part in self._parts:
            cell = (part.column, np.full(len(part.column), part.system), number[part.sentence])
            obs.verdicts[(*cell, part.repetition)] = np.where(part.satisfied, HELD, BROKEN)
            cells.append(np.ravel_multi_index(cell, shape))
        obs.satisfied = _means(np.concatenate(cells), [part.share for part in self._parts], math.prod(shape))
        obs.satisfied = obs.satisfied.reshape(shape)
        obs.notes += never_tested(obs, self._untested)
        return obs


def _means(cells: Integers, shares: Sequence[Floats], size: int) -> Floats:
    """The mean of the shares of each cell; NaN where there is none."""
    times = np.bincount(cells, minlength=size)
    total = np.bincount(cells, np.concatenate(shares), minlength=size)
    return np.asarray(np.divide(total, times, out=np.full(size, np.nan), where=times > 0))


def _first(sentence: Array, repetition: Array, among: Booleans) -> Booleans:
    """Which of the checks `among` are the first of their sentence and repetition."""
    indices = np.flatnonzero(among)
    last = int(repetition.max(initial=0)) + 1
    number = np.unique(sentence[indices], return_inverse=True)[1]
    _, firsts = np.unique(number * last + repetition[indices], return_index=True)
    mask = np.zeros(len(among), dtype=bool)
    mask[indices[firsts]] = True
    return mask
