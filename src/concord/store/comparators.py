"""What runs are judged by: comparators that were fitted to labels, and what the first pass of a run has learnt.

There is a comparator for each relation and direction. Alignments are stored with their run, so that a resumed run
judges by the same.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from concord.errors import UserError
from concord.language.sanity import SANE
from concord.model import Direction
from concord.store.damage import DamagedRow, Shape, inflated, loads
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

T = TypeVar("T")
_SHAPE = Shape(
    relation=str, source=str, target=str, data=bytes, area=float, area_of_rule=float, labels=int, wrong=int,
    margin=float,
)  # fmt: skip
_COLUMNS = _SHAPE.columns


@dataclass(frozen=True, slots=True)
class Comparator:
    """A fitted comparator as bytes, and how well it and the rule ranked labelled cases that were held out.

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
        """Whether it beats guessing, and the rule by more than the margin; if not, it is stored but no run uses it."""
        return self.area > max(0.5, self.area_of_rule + self.margin)

    @property
    def name(self) -> str:
        """The name that signatures give it: a hash of its bytes."""
        return f"fitted@{hashlib.blake2b(self.data, digest_size=4).hexdigest()}"


class Comparators:
    """The fitted comparators of a workspace: one for every relation and direction with enough labels."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get(self, relation: str, direction: Direction) -> Comparator | None:
        """The comparator of a relation and direction, whether it beats the rule or not."""
        columns = _COLUMNS if self._workspace.has("comparators", "margin") else _COLUMNS.replace("margin", "0.0")
        query = f"SELECT {columns} FROM comparators WHERE relation = ? AND source = ? AND target = ?"
        row = self._workspace.first(query, (relation, *direction))
        if row is None:
            return None
        name, source, target, data, *numbers = row
        try:
            _SHAPE.check(row)
            return Comparator(name, (source, target), inflated(data, "data"), *numbers)
        except DamagedRow as error:
            cure = f"Fit it again: concord tune --fit --relation {relation}, or delete it: --forget"
            raise UserError(f"the fitted comparator of {relation} is damaged: {error}. {cure}") from None

    def used(self, relation: str, direction: Direction) -> Comparator | None:
        """The comparator that runs are judged by, if there is one that beats the rule."""
        fitted = self.get(relation, direction)
        return fitted if fitted and fitted.better else None

    def keep(self, fitted: Comparator) -> None:
        """Store a comparator in place of the one for the same relation and direction."""
        numbers = (fitted.area, fitted.area_of_rule, fitted.labels, fitted.wrong, fitted.margin)
        row = (fitted.relation, *fitted.direction, zlib.compress(fitted.data), *numbers, self._workspace.clock())
        with self._workspace.writing() as db:
            db.execute(f"INSERT OR REPLACE INTO comparators ({_COLUMNS}, created) VALUES ({'?, ' * 9}?)", row)

    def forget(self, relation: str) -> list[Direction]:
        """Remove the comparators of a relation and return their directions."""
        query = "SELECT source, target FROM comparators WHERE relation = ?"
        directions = list(self._workspace.many(query, (relation,)))
        with self._workspace.writing() as db:
            db.execute("DELETE FROM comparators WHERE relation = ?", (relation,))
        return directions


def _profile(text: Any, name: str) -> dict[str, Any]:
    """The fields of a profile of answers. DamagedRow if they are others, or of other types."""
    fields: dict[str, Any] = loads(text, dict, name)
    kinds: dict[str, Any] = {"usual": int | float, "times": int | float, "answers": dict, "prefix": str, "suffix": str}
    if not all(name in kinds and isinstance(value, kinds[name]) for name, value in fields.items()):
        raise DamagedRow(f"{name} has other fields than a profile of answers")
    return fields


class Learnt:
    """What the first passes of runs have learnt: alignments, and profiles of the answers as plain data."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def load(self, run: int) -> bytes | None:
        """The alignments of a run, or None if it has none or its first pass has not ended."""
        return self._read(run, "data", inflated) or None

    def profile(self, run: int) -> dict[str, Any] | None:
        """The profile of a run's answers, or None if its first pass has not ended."""
        return self._read(run, "profile", _profile)

    def sane_profile(self, run: RunRecord) -> dict[str, Any] | None:
        """The profile of the latest run of `sane` on the same system, direction and corpus."""
        query = (
            "SELECT max(id) FROM runs JOIN learnt ON run = id WHERE relation = ? AND system = ? AND source = ?"
            " AND target = ? AND corpus = ?"
        )
        (latest,) = self._workspace.first(query, (SANE, run.system, run.source, run.target, run.corpus))
        return None if latest is None else self.profile(latest)

    def latest(self, system: str, direction: Direction) -> tuple[bytes, dict[str, Any]] | None:
        """The alignments and the profile of the latest run that learnt words on a system in a direction."""
        query = (
            "SELECT max(run) FROM runs JOIN learnt ON run = id WHERE length(data) > ? AND system = ? AND source = ?"
            " AND target = ?"
        )
        (run,) = self._workspace.first(query, (len(zlib.compress(b"")), system, *direction))
        return None if run is None else (self.load(run) or b"", self.profile(run) or {})

    def _read(self, run: int, column: str, read: Callable[[Any, str], T]) -> T | None:
        row = self._workspace.first(f"SELECT {column} FROM learnt WHERE run = ?", (run,))
        try:
            return None if row is None else read(row[0], column)
        except DamagedRow as error:
            raise UserError(
                f"what run {run} has learnt is damaged: {error}. Give its command again with another --workspace"
            ) from None

    def keep(self, run: int, data: bytes, profile: Mapping[str, Any]) -> None:
        row = (run, zlib.compress(data), json.dumps(profile, ensure_ascii=False))
        with self._workspace.writing() as db:
            db.execute("INSERT OR REPLACE INTO learnt VALUES (?, ?, ?)", row)
