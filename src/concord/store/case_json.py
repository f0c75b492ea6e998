"""A case's texts and evidence as one JSON column."""

import json
from itertools import chain
from operator import itemgetter
from typing import Any

from concord.errors import MALFORMED
from concord.model import ROLES, Case, Text
from concord.store.damage import DamagedRow, check_depth, parsed

_OPTIONAL: dict[str, Any] = {"steps": {}, "scores": {}, "factors": {}, "evidence": {}}
_FIELDS = len((*ROLES, "compared", *_OPTIONAL))
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
    """The fields of a packed case; texts are `{"words", "lang"}`. DamagedRow if `pack` cannot have written it."""
    fields = _OPTIONAL | parsed(packed, dict, "body")
    try:
        sound = len(fields) == _FIELDS and _is_sound(fields)
    except MALFORMED:
        sound = False
    if not sound:
        raise DamagedRow("its body is not of the form that cases have")
    if fields["evidence"]:
        check_depth(fields["evidence"], "body")
    return fields


def _is_sound(fields: dict[str, Any]) -> bool:
    """Whether all fields have the right types. Every row that is read is checked, so the loops are those of C."""
    texts = (*_texts(fields), *fields["compared"], *fields["steps"].values())
    return (
        len(fields["compared"]) == 2
        and sum(map(len, texts)) == 2 * len(texts)
        and _STR.issuperset(map(type, chain.from_iterable(map(_parts, texts))))
        and _STR.issuperset(map(type, fields["factors"].values()))
        and _NUMBERS.issuperset(map(type, fields["scores"].values()))
        and type(fields["evidence"]) is dict
        and _STR.issuperset(map(type, fields["evidence"].get("untested", {}).values()))
    )


def _plain(text: Text) -> dict[str, str]:
    return {"words": text.words, "lang": text.lang}
