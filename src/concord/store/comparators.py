"""Comparators that labels have taught, kept by relation and direction; later runs of these are judged by them."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass

from concord.errors import UserError
from concord.model import Direction
from concord.store.damage import DamagedRow, Shape, inflated
from concord.store.workspace import Workspace

_SHAPE = Shape(
    relation=str, source=str, target=str, data=bytes, area=float, area_of_rule=float, labels=int, wrong=int,
    margin=float,
)  # fmt: skip
_COLUMNS = _SHAPE.columns


@dataclass(frozen=True, slots=True)
class Comparator:
    """A fitted comparator as bytes, and how well it and the rule ranked labelled cases that it had not seen.

    The areas are those under the ROC curve, and `margin` is the gain that chance alone exceeds once in twenty times;
    `labels` counts the cases, `wrong` those of them that are errors.
    """

    relation: str
    direction: Direction
    data: bytes
    area: float
    area_of_rule: float
    labels: int
    wrong: int
    margin: float = 0.0

    @property
    def better(self) -> bool:
        """Whether it beats guessing, and the rule by more than the margin; if not, it is kept but no run uses it."""
        return self.area > max(0.5, self.area_of_rule + self.margin)

    @property
    def name(self) -> str:
        """How signatures call it: a hash of what it has learnt."""
        return f"fitted@{hashlib.blake2b(self.data, digest_size=4).hexdigest()}"


class Comparators:
    """The fitted comparators of a workspace: one for every relation and direction with labels enough."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def of(self, relation: str, direction: Direction) -> Comparator | None:
        """The one for a relation and direction, whether it beats the rule or not."""
        columns = _COLUMNS if self._workspace.has("comparators", "margin") else _COLUMNS.replace("margin", "0.0")
        query = f"SELECT {columns} FROM comparators WHERE relation = ? AND source = ? AND target = ?"
        row = self._workspace.one(query, (relation, *direction))
        if row is None:
            return None
        name, source, target, data, *numbers = row
        try:
            _SHAPE.check(row)
            return Comparator(name, (source, target), inflated(data, "data"), *numbers)
        except DamagedRow as error:
            cure = f"Fit it again: concord tune --fit --relation {relation}, or have it forgotten: --forget"
            raise UserError(f"what labels have taught about {relation} is damaged: {error}. {cure}") from None

    def used(self, relation: str, direction: Direction) -> Comparator | None:
        """The one that runs are judged by, if there is one that beats the rule."""
        found = self.of(relation, direction)
        return found if found and found.better else None

    def keep(self, found: Comparator) -> None:
        """In place of the one that was there for the same relation and direction."""
        numbers = (found.area, found.area_of_rule, found.labels, found.wrong, found.margin, self._workspace.clock())
        row = (found.relation, *found.direction, zlib.compress(found.data), *numbers)
        with self._workspace.writing() as db:
            db.execute(f"INSERT OR REPLACE INTO comparators ({_COLUMNS}, created) VALUES ({'?, ' * 9}?)", row)

    def forget(self, relation: str) -> list[Direction]:
        """Remove those of a relation; gives their directions."""
        gone = self._workspace.many("SELECT source, target FROM comparators WHERE relation = ?", (relation,))
        found = [(source, target) for source, target in gone]
        with self._workspace.writing() as db:
            db.execute("DELETE FROM comparators WHERE relation = ?", (relation,))
        return found
