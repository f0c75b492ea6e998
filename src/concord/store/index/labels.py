"""The labels of the cases of a run. Labels are few, so each is looked up among the cases."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from concord.store.case_keys import key_number, outputs_number
from concord.store.damage import sound
from concord.store.index.columns import Array, Columns
from concord.store.label_rows import LABEL_COLUMNS, checked_label, label_name
from concord.store.workspace import Workspace

_LABELS = "SELECT case_key, annotator, outputs, verdict FROM labels ORDER BY created, id"


@dataclass(slots=True)
class State:
    """The labels of one case: verdicts on its outputs by annotator, annotators of other outputs, the newest label."""

    present: dict[str, str] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    newest: int = 0

    @property
    def annotators(self) -> set[str]:
        return self.stale | self.present.keys()

    def labels(self, annotator: str = "") -> set[str]:
        """The labels, as `Filter` names them, that this case has, of one annotator or of all."""
        mine = {verdict for name, verdict in self.present.items() if annotator in ("", name)}
        names = {"any", *mine} if mine else {"none"}
        if mine and len(set(self.present.values())) > 1:
            names.add("disputed")
        if any(annotator in ("", name) and name not in self.present for name in self.stale):
            names.add("stale")
        return names


class LabelStates:
    """Every label of a workspace, in the order in which they were made; read when they are first used."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._states: dict[int, dict[int, State]] = {}

    @cached_property
    def _read(self) -> tuple[list[tuple[str, str]], Array, Array, Array]:
        """The labels, and half of the key, number and hash of outputs of each, by key, so that search is fast."""
        rows = list(sound(self._workspace.many(_LABELS, ()), LABEL_COLUMNS, checked_label, label_name))
        halves = np.array([key_number(key) for key, *_ in rows], dtype=np.uint64)
        hashes = np.array([outputs_number(outputs) for _, _, outputs, _ in rows], dtype=np.uint64)
        order = np.argsort(halves, kind="stable")
        return [(annotator, verdict) for _, annotator, _, verdict in rows], halves[order], order, hashes[order]

    def states(self, columns: Columns) -> dict[int, State]:
        """The labels of a run's cases, by the case's index."""
        if columns.run not in self._states:
            self._states[columns.run] = self._look_up(columns)
        return self._states[columns.run]

    def _look_up(self, columns: Columns) -> dict[int, State]:
        labels, halves, numbers, hashes = self._read
        which, cases = columns.find_keys(halves)
        same = hashes[which] == columns["outputs"][cases]
        states: dict[int, State] = {}
        for number, case, present in zip(numbers[which].tolist(), cases.tolist(), same.tolist(), strict=True):
            annotator, verdict = labels[number]
            state = states.setdefault(case, State())
            if present:
                state.present[annotator] = verdict
            else:
                state.stale.add(annotator)
            state.newest = max(state.newest, number)
        return states
