"""A case's texts and evidence as one JSON column."""

from __future__ import annotations

import json
from itertools import chain
from operator import itemgetter
from typing import Any

from concord.errors import MALFORMED
from concord.model import ROLES, Case, Text
from concord.store.damage import DamagedRow, check_depth, parsed

_NOTHING: dict[str, Any] = {"steps": {}, "scores": {}, "factors": {}, "evidence": {}}
_FIELDS = len((*ROLES, "compared", *_NOTHING))
_STR, _NUMBERS = frozenset((str,)), frozenset((int, float, bool))
_texts, _parts = itemgetter(*ROLES), itemgetter("words", "lang")


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
    found = _NOTHING | parsed(packed, dict, "body")
    try:
        sound = len(found) == _FIELDS and _is_sound(found)
    except MALFORMED:
        sound = False
    if not sound:
        raise DamagedRow("its body is not of the form that cases have")
    if found["evidence"]:
        check_depth(found["evidence"], "body")
    return found


def _is_sound(found: dict[str, Any]) -> bool:
    """Whether texts, scores, factors and evidence are; every row is looked at, so the loops are those of C."""
    texts = (*_texts(found), *found["compared"], *found["steps"].values())
    return (
        len(found["compared"]) == 2
        and sum(map(len, texts)) == 2 * len(texts)
        and _STR.issuperset(map(type, chain.from_iterable(map(_parts, texts))))
        and _STR.issuperset(map(type, found["factors"].values()))
        and _NUMBERS.issuperset(map(type, found["scores"].values()))
        and type(found["evidence"]) is dict
        and _STR.issuperset(map(type, found["evidence"].get("untested", {}).values()))
    )


def _plain(text: Text) -> dict[str, str]:
    return {"words": text.words, "lang": text.lang}
