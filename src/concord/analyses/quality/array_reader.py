"""Reads the verdict arrays of runs, so that a million cases are ranked without reading their rows."""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable

import numpy as np

from concord.analyses.quality.observations import FLAGGED, HELD, Column, Observed
from concord.stats.bootstrap_sentences import Floats, Integers
from concord.stats.table import in_order_of_appearance
from concord.store import RunRecord, Workspace
from concord.store.verdict_arrays import MOST_PARTS, Verdicts

Load = Callable[[int], Verdicts]
"""Gives the arrays of a run."""


class RunReader(ABC):
    """Collects the verdicts of runs of one direction."""

    def __init__(self, store: Workspace, obs: Observed) -> None:
        self.store, self.obs = store, obs
        self.systems: dict[str, int] = {}
        self.columns: dict[Column, int] = {}
        self.cells: list[Floats] = []
        """For each run six rows of numbers: column, system, sentence, repetition, `satisfied` and `similar`."""
        self.untested: dict[Column, Counter[str]] = {}
        self.errors = 0

    @abstractmethod
    def run(self, record: RunRecord, label: str) -> None:
        """Add the verdicts of a run; of the checks of one sentence in one repetition, the first counts."""

    def finish(self) -> None:
        obs, cells = self.obs, np.concatenate(self.cells, axis=1)
        obs.systems, obs.columns = list(self.systems), list(self.columns)
        shape = (len(obs.columns), len(obs.systems), len(obs.domain_of))
        *place, repetition = cells[:4].astype(np.int64)
        # Renumbered, since runs may lack some of them; 0 is always there.
        repetitions, number = np.unique(np.append(repetition, 0), return_inverse=True)
        obs.verdicts = np.zeros((*shape, len(repetitions)), dtype=np.uint8)
        obs.verdicts[*place, number[:-1]] = np.where(cells[4] == 1, HELD, FLAGGED)
        cell, size = np.ravel_multi_index(place, shape), math.prod(shape)
        times = np.bincount(cell, minlength=size)
        means = [np.bincount(cell, values, size) / np.where(times > 0, times, np.nan) for values in cells[4:]]
        obs.satisfied, obs.similar = (mean.reshape(shape) for mean in means)


class ArrayReader(RunReader):
    """Reads what a ranking needs: no texts, and no suspicions."""

    def __init__(self, store: Workspace, obs: Observed, load: Load) -> None:
        super().__init__(store, obs)
        self._load = load
        self._domains: dict[str, int] = {}
        self._sentences = np.zeros(0, dtype=np.uint64)

    def run(self, record: RunRecord, label: str) -> None:
        verdicts = self._load(record.id)
        self.errors += verdicts.counts["errors"]
        for untested, reasons in verdicts.untested.items():
            self.untested.setdefault(Column(label, untested), Counter()).update(reasons)
        check, repetition = (verdicts.rows[name].astype(np.int64) for name in ("check", "repetition"))
        sentence = self._numbered(verdicts)[check]
        rows = _of_first_checks(check, sentence, repetition)
        part = verdicts.sentence_part[verdicts.rows["verdict"][rows]].astype(np.int64)
        columns = np.zeros(MOST_PARTS, dtype=np.int64)
        for number in part[in_order_of_appearance(part)[1]].tolist():
            columns[number] = self.columns.setdefault(Column(label, verdicts.parts[number]), len(self.columns))
        _, first, cell = np.unique(check[rows] * MOST_PARTS + part, return_index=True, return_inverse=True)
        satisfied = np.bincount(cell, verdicts.rows["flagged"][rows] == 0) / np.bincount(cell)
        row, alone = rows[first], self.store.repetitions(record.id) == 1
        system = self.systems.setdefault(record.system, len(self.systems))
        place = (columns[part[first]], system, sentence[row], 0 if alone else repetition[row] + 1)
        self.cells.append(np.stack(np.broadcast_arrays(*place, satisfied, np.nan)))

    def _numbered(self, verdicts: Verdicts) -> Integers:
        """The number of the sentence of each check; all runs share the numbers of sentences and of domains."""
        obs, known = self.obs, len(self._sentences)
        domains = np.array([self._domains.setdefault(name, len(self._domains)) for name in verdicts.domains], dtype=int)
        obs.domain_names = list(self._domains)
        sentences = np.concatenate([self._sentences, verdicts.check_sentence])
        numbers, firsts = in_order_of_appearance(sentences)
        self._sentences = sentences[firsts]
        obs.domain_of = np.concatenate([obs.domain_of, domains[verdicts.check_domain]])[firsts]
        return numbers[known:]


def _of_first_checks(check: Integers, sentence: Integers, repetition: Integers) -> Integers:
    """The rows whose check is the first one of their sentence in their repetition."""
    location = sentence * (repetition.max(initial=0) + 1) + repetition
    _, first, location_of = np.unique(location, return_index=True, return_inverse=True)
    return np.flatnonzero(check == check[first][location_of])
