"""The record of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from concord.model import FLAGS, RelationFacts
from concord.store.damage import DamagedRow, Shape, loads

RECORD = Shape(
    id=int, signature=str, relation=str, settings=str, system=str, source=str, target=str, corpus=str, seed=int,
    notes=str, fresh=int, started=str, finished=str | None, asked=int, sent=int, cached=int, seconds=float,
    given=str, rejected=str, stages=str, facts=str,
)  # fmt: skip
"""The columns of a run's row in the order of the fields of `RunRecord`."""
_JSON: dict[str, type] = {"settings": dict, "notes": list, "rejected": dict, "stages": dict, "facts": dict}
_NO_FACTS = asdict(RelationFacts())


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run: one relation, one system (`given` is how the user wrote it), one direction, one corpus.

    `rejected` counts the substitutes that were rejected during the run, by reason, and `stages` has the seconds that
    each stage took; stages overlap. `facts` are the relation's properties when the run began.
    """

    id: int
    signature: str
    relation: str
    settings: Mapping[str, Any]
    system: str
    source: str
    target: str
    corpus: str
    seed: int
    notes: Sequence[str]
    fresh: bool
    started: str
    finished: str | None
    asked: int
    sent: int
    cached: int
    seconds: float
    given: str = ""
    rejected: Mapping[str, int] = field(default_factory=dict)
    stages: Mapping[str, float] = field(default_factory=dict)
    facts: RelationFacts = field(default_factory=RelationFacts)

    @property
    def question(self) -> dict[str, Any]:
        """The settings without thresholds: runs that agree in these ask the same."""
        return self.facts.without_thresholds(self.settings)


def record_of(*row: Any) -> RunRecord:
    """The record of a run from its columns (`RECORD`). DamagedRow if any of them cannot be read."""
    facts = dict(zip(RunRecord.__slots__, row, strict=True))
    facts |= {name: _unpacked(name, facts[name]) for name in _JSON}
    return RunRecord(**facts | {"fresh": bool(facts["fresh"])})


def mended(row: Sequence[Any], error: DamagedRow) -> RunRecord:
    """As much of a damaged record as can be read, with a note. It counts as unfinished, so that no gate passes it."""
    facts: dict[str, Any] = {}
    for name, kinds, value in zip(RunRecord.__slots__, RECORD.kinds, row, strict=True):
        if isinstance(value, bytes) and str in kinds:
            value = value.decode(errors="replace")
        try:
            facts[name] = _unpacked(name, value) if name in _JSON else kinds[0](value)
        except (ValueError, TypeError, OverflowError):
            facts[name] = RelationFacts(known=False) if name == "facts" else _JSON.get(name, kinds[0])()
    note = f"the record of run {facts['id']} is damaged, and may be shown with less than it had: {error}"
    return RunRecord(**facts | {"finished": None, "notes": [*facts["notes"], note]})


def _unpacked(name: str, packed: str) -> Any:
    unpacked: Any = loads(packed, _JSON[name], name)
    if name == "facts":
        return _facts(unpacked)
    values, kinds = (unpacked, {str}) if name == "notes" else (unpacked.values(), {int, float})
    if name != "settings" and not kinds.issuperset(map(type, values)):
        raise DamagedRow(f"its {name} are not of the right form")
    return unpacked


def _facts(unpacked: dict[str, Any]) -> RelationFacts:
    facts: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in unpacked.items()}
    names = (name for value in facts.values() if isinstance(value, tuple) for name in value)
    if (
        any(key not in _NO_FACTS or type(value) is not type(_NO_FACTS[key]) for key, value in facts.items())
        or not all(isinstance(name, str) for name in names)
        or facts.get("operator", ">") not in FLAGS
    ):
        raise DamagedRow("its facts are not of the right form")
    return RelationFacts(**facts)
