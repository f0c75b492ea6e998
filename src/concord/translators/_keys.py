"""Keys of services, which live in the environment only."""

from __future__ import annotations

import os
from collections.abc import Mapping

from concord.errors import UserError


def key_of(system: str, variable: str, environ: Mapping[str, str] | None = None, *, needed: bool = True) -> str:
    """A key from the environment; a missing one is asked for by the variable's name, and none is ever shown."""
    value = (os.environ if environ is None else environ).get(variable, "").strip()
    if not value and needed:
        raise UserError(f"{system} needs a key: set {variable} in the environment")
    if not (value.isascii() and value.isprintable()):
        raise UserError(f"the value of {variable} cannot be sent: it holds characters that no key has")
    return value
