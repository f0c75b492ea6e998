"""Cases by their names, of which people write as many digits as tell one from all others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from concord.errors import UserError
from concord.store.file import DatabaseFile

_DIGITS, _SHORT, _CANDIDATES = 32, 12, 10
"""The digits of a case's name, those that lists show, and how many cases are named in an error."""


def whole_name(workspace: DatabaseFile, case: str) -> str:
    """The name of the one case that begins so; what no case begins with is given back as it is."""
    begun = case.strip().lstrip("'").lower()
    if not re.fullmatch("[0-9a-f]+", begun) or len(begun) > _DIGITS:
        return case
    bounds = [bytes.fromhex(begun.ljust(_DIGITS, digit)) for digit in "0f"]
    query = "SELECT DISTINCT key FROM cases WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?"
    found = [key.hex() for (key,) in workspace.many(query, (*bounds, _CANDIDATES + 1))]
    if len(found) > 1 and begun not in found:
        more = ", …" if len(found) > _CANDIDATES else ""
        names = ", ".join(_told_apart(found)[:_CANDIDATES])
        raise UserError(f"several cases begin with '{begun}': {names}{more}. Write more of the one that is meant")
    return case if len(found) != 1 else found[0]


def _told_apart(cases: Sequence[str]) -> list[str]:
    """The beginnings of sorted names, as short as lists show them unless these are alike."""
    size = next(size for size in range(_SHORT, _DIGITS + 1) if len({case[:size] for case in cases}) == len(cases))
    return [case[:size] for case in cases]
