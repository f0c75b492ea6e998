"""The rows of labels: who said what of which case, and of which outputs of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from concord.model import ROLES
from concord.store import case_json
from concord.store.damage import DamagedRow, Shape, shown

VERDICTS = ("error", "correct", "bad test")
# A follow-up may be the system's own product; where it is an input, the case key holds it fast anyway.
_PRODUCED = ("source_output", "follow_up", "follow_up_output")
WORD = Shape(case_key=bytes, annotator=str, outputs=str, verdict=str)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TEXTS = re.compile(
    r"\{" + ", ".join(rf'"{role}": \{{"words": (?P<{role}>{_STRING}), "lang": {_STRING}\}}' for role in ROLES)
)
"""The texts of a case at the beginning of its body."""
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def outputs_of(row: Mapping[str, Any]) -> str:
    """The outputs of a case as one text: labels of the same text judged the same."""
    return _encoded({role: row[role]["words"] for role in _PRODUCED})


def packed_outputs(packed: Any) -> str:
    """`outputs_of` a case as the workspace keeps it, without reading all of it: both write texts alike."""
    found = _TEXTS.match(packed) if isinstance(packed, str) else None
    if found is None:
        return outputs_of(case_json.unpack(packed))
    return "{" + ", ".join(f'"{role}": {found[role]}' for role in _PRODUCED) + "}"


def word_of(*row: Any) -> Sequence[Any]:
    """Case, annotator, outputs and verdict, if they are sound."""
    if row[3] not in VERDICTS:
        raise DamagedRow(f"its verdict is '{shown(row[3])}'")
    return row


def named(row: Sequence[Any]) -> str:
    return f"the label of case {shown(row[0])} by '{shown(row[1])}'"
