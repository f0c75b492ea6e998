"""A case's texts and evidence as one JSON column."""

from __future__ import annotations

import json
from typing import Any

from concord.errors import MALFORMED
from concord.model import ROLES, Case, Text
from concord.store.damage import DamagedRow, loads

_NOTHING: dict[str, Any] = {"steps": {}, "scores": {}, "factors": {}, "evidence": {}}
_FIELDS = frozenset((*ROLES, "compared", *_NOTHING))


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
    """The row's fields; texts are `{"words", "lang"}`. DamagedRow if they are not what `pack` has written."""
    found = _NOTHING | loads(packed, dict, "body")
    if found.keys() != _FIELDS:
        raise DamagedRow(f"its body has other fields: {', '.join(sorted(found.keys() ^ _FIELDS))[:80]}")
    try:
        sound = _is_sound(found)
    except MALFORMED:
        sound = False
    if not sound:
        raise DamagedRow("its body is not of the form that cases have")
    return found


def _is_sound(found: dict[str, Any]) -> bool:
    one, other = found["compared"]
    texts = [*(found[role] for role in ROLES), one, other, *found["steps"].values()]
    words = [value for text in texts for value in (text["words"], text["lang"])]
    return (
        set(map(type, (*words, *found["factors"].values()))) == {str}
        and set(map(len, texts)) == {2}
        and {int, float, bool}.issuperset(map(type, found["scores"].values()))
        and type(found["evidence"]) is dict
        and {str}.issuperset(map(type, found["evidence"].get("untested", {}).values()))
    )


def _plain(text: Text) -> dict[str, str]:
    return {"words": text.words, "lang": text.lang}
