"""What people said of the cases of a run. Labels are few, so each looks for its case."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from concord.store.index.building import half, mark
from concord.store.index.columns import Array, Columns
from concord.store.workspace import Workspace

_LABELS = "SELECT case_key, annotator, verdict, outputs FROM labels ORDER BY created, id"


@dataclass(slots=True)
class State:
    """The labels of one case: verdicts on its outputs by annotator, who spoke of other outputs, and the newest."""

    present: dict[str, str] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    newest: int = 0

    @property
    def speakers(self) -> set[str]:
        return self.others | self.present.keys()

    def passes(self, label: str, annotator: str = "") -> bool:
        """Whether a label (as `Wanted` has it) is true of this case, by that annotator's word where one is named."""
        mine = {name: verdict for name, verdict in self.present.items() if annotator in ("", name)}
        if label == "disputed":
            return bool(mine) and len(set(self.present.values())) > 1
        if label == "stale":
            return any(annotator in ("", name) for name in self.others - self.present.keys())
        return bool(mine) if label == "any" else not mine if label == "none" else label in mine.values()


class Said:
    """Every label of a workspace, in the order in which they were said; read when they are first asked for."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._labels: list[tuple[str, str, int]] = []
        self._halves: Array | None = None

    def _read(self) -> Array:
        if self._halves is None:
            found = list(self._workspace._many(_LABELS, ()))
            self._labels = [(annotator, verdict, mark(outputs)) for _, annotator, verdict, outputs in found]
            self._halves = np.array([half(key) for key, *_ in found], dtype=np.uint64)
        return self._halves

    def of(self, columns: Columns) -> dict[int, State]:
        """The labelled cases of a run by their places."""
        which, places = columns.places(self._read())
        outputs = columns["outputs"]
        found: dict[int, State] = {}
        for number, place in zip(which.tolist(), places.tolist(), strict=True):
            annotator, verdict, outputs_said = self._labels[number]
            state = found.setdefault(place, State())
            if outputs_said == int(outputs[place]):
                state.present[annotator] = verdict
            else:
                state.others.add(annotator)
            state.newest = max(state.newest, number)
        return found
