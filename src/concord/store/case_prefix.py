"""Looking a case up by any unambiguous prefix of its key."""

import re

from concord.errors import UserError
from concord.store.file import DatabaseFile

_DIGITS, _SHORT, _CANDIDATES = 32, 12, 10
"""The hexadecimal digits of a key, the digits that lists show, and how many cases an error names."""


def full_key(workspace: DatabaseFile, case: str) -> str:
    """The key of the one case that begins with a prefix; a prefix of no case is returned as it is."""
    prefix = case.strip().lstrip("'").lower()
    if not re.fullmatch("[0-9a-f]+", prefix) or len(prefix) > _DIGITS:
        return case
    bounds = [bytes.fromhex(prefix.ljust(_DIGITS, digit)) for digit in "0f"]
    query = "SELECT DISTINCT key FROM cases WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?"
    keys = [key.hex() for (key,) in workspace.many(query, (*bounds, _CANDIDATES + 1))]
    if len(keys) > 1 and prefix not in keys:
        more = ", …" if len(keys) > _CANDIDATES else ""
        # As short as lists show them, unless some keys share that prefix.
        size = next(size for size in range(_SHORT, _DIGITS + 1) if len({key[:size] for key in keys}) == len(keys))
        names = ", ".join(key[:size] for key in keys[:_CANDIDATES])
        raise UserError(
            f"several cases begin with '{prefix}': {names}{more}. Write more digits of the one that you mean"
        )
    return case if len(keys) != 1 else keys[0]
