"""The columns of labels: the case and its outputs, the annotator, and the verdict."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from concord.model import ROLES
from concord.store import case_json
from concord.store.damage import DamagedRow, Shape, printable

VERDICTS = ("error", "correct", "bad test")
# A follow-up may be an answer of the system; where it is an input, it is part of the case's key anyway.
_PRODUCED = ("source_output", "follow_up", "follow_up_output")
LABEL_COLUMNS = Shape(case_key=bytes, annotator=str, outputs=str, verdict=str)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TEXTS = re.compile(
    r"\{" + ", ".join(rf'"{role}": \{{"words": (?P<{role}>{_STRING}), "lang": {_STRING}\}}' for role in ROLES)
)
"""The texts of a case at the beginning of its body."""
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def outputs_of(row: Mapping[str, Any]) -> str:
    """The outputs of a case as one text; labels with equal texts judge the same outputs."""
    return _encoded({role: row[role]["words"] for role in _PRODUCED})


def packed_outputs(packed: Any) -> str:
    """The `outputs_of` a packed case, usually without parsing its JSON, because both encode texts in the same way."""
    texts = _TEXTS.match(packed) if isinstance(packed, str) else None
    if texts is None:
        return outputs_of(case_json.unpack(packed))
    return "{" + ", ".join(f'"{role}": {texts[role]}' for role in _PRODUCED) + "}"


def checked_label(*row: Any) -> Sequence[Any]:
    """The columns case, annotator, outputs and verdict; DamagedRow if there is no such verdict."""
    if row[3] not in VERDICTS:
        raise DamagedRow(f"its verdict is '{printable(row[3])}'")
    return row


def label_name(row: Sequence[Any]) -> str:
    return f"the label of case {printable(row[0])} by '{printable(row[1])}'"
