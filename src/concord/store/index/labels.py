"""What people said of the cases of a run. Labels are few, so each looks for its case."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from concord.store.damage import sound
from concord.store.hashes import half, mark
from concord.store.index.columns import Array, Columns
from concord.store.label_rows import WORD, named, word_of
from concord.store.workspace import Workspace

_LABELS = "SELECT case_key, annotator, outputs, verdict FROM labels ORDER BY created, id"


@dataclass(slots=True)
class State:
    """The labels of one case: verdicts on its outputs by annotator, who spoke of other outputs, and the newest."""

    present: dict[str, str] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    newest: int = 0

    @property
    def speakers(self) -> set[str]:
        return self.others | self.present.keys()

    def labels(self, annotator: str = "") -> set[str]:
        """Which labels (as `Wanted` has them) are true of this case, by that annotator's word where one is named."""
        mine = {verdict for name, verdict in self.present.items() if annotator in ("", name)}
        found = {"any", *mine} if mine else {"none"}
        if mine and len(set(self.present.values())) > 1:
            found.add("disputed")
        if any(annotator in ("", name) and name not in self.present for name in self.others):
            found.add("stale")
        return found


class Said:
    """Every label of a workspace, in the order in which they were said; read when they are first asked for."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._labels: list[tuple[str, str]] = []
        self._read: tuple[Array, Array, Array] | None = None
        self._states: dict[int, dict[int, State]] = {}

    def _arrays(self) -> tuple[Array, Array, Array]:
        """Half of each key, the label's number and the mark of its outputs, by rising keys: so they are found fast."""
        if self._read is None:
            found = list(sound(self._workspace.many(_LABELS, ()), WORD, word_of, named))
            self._labels = [(annotator, verdict) for _, annotator, _, verdict in found]
            halves = np.array([half(key) for key, *_ in found], dtype=np.uint64)
            marks = np.array([mark(outputs) for _, _, outputs, _ in found], dtype=np.uint64)
            order = np.argsort(halves, kind="stable")
            self._read = halves[order], order, marks[order]
        return self._read

    def of(self, columns: Columns) -> dict[int, State]:
        """The labelled cases of a run by their places."""
        if columns.run not in self._states:
            self._states[columns.run] = self._found(columns)
        return self._states[columns.run]

    def _found(self, columns: Columns) -> dict[int, State]:
        halves, numbers, marks = self._arrays()
        which, places = columns.places(halves)
        same = marks[which] == columns["outputs"][places]
        found: dict[int, State] = {}
        for number, place, present in zip(numbers[which].tolist(), places.tolist(), same.tolist(), strict=True):
            annotator, verdict = self._labels[number]
            state = found.setdefault(place, State())
            if present:
                state.present[annotator] = verdict
            else:
                state.others.add(annotator)
            state.newest = max(state.newest, number)
        return found
