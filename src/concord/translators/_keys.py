"""Keys of services, which live in the environment only."""

import os
from collections.abc import Mapping

from concord.errors import UserError


def key_of(system: str, variable: str, environ: Mapping[str, str] | None = None, *, needed: bool = True) -> str:
    """A key from the environment; the error for a missing one names the variable, and no key is ever shown."""
    value = (os.environ if environ is None else environ).get(variable, "").strip()
    if not value and needed:
        raise UserError(f"{system} needs a key: set {variable} in the environment")
    return sendable(value, variable)


def sendable(value: str, variable: str) -> str:
    """The value of a variable, if an HTTP header can carry it."""
    if not (value.isascii() and value.isprintable()):
        raise UserError(f"the value of {variable} cannot be sent: it holds characters that no key has")
    return value
