"""A case's texts and evidence as one JSON column."""

from __future__ import annotations

import json
from typing import Any

from concord.model import ROLES, Case, Text


def pack(case: Case) -> str:
    texts: dict[str, Any] = {role: _plain(getattr(case, role)) for role in ROLES}
    texts["compared"] = [_plain(text) for text in case.compared]
    rest = {
        "steps": {role: _plain(text) for role, text in case.steps.items()},
        "scores": case.scores,
        "factors": case.factors,
        "evidence": case.evidence,
    }
    return json.dumps(texts | {name: value for name, value in rest.items() if value}, ensure_ascii=False)


def unpack(packed: str) -> dict[str, Any]:
    """The row's fields; texts are `{"words", "lang"}`."""
    found: dict[str, Any] = json.loads(packed)
    return {"steps": {}, "scores": {}, "factors": {}, "evidence": {}} | found


def _plain(text: Text) -> dict[str, str]:
    return {"words": text.words, "lang": text.lang}
