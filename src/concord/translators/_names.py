"""What adapters have in common: ids of systems, codes of languages, and keys, which live in the environment only."""

import os
from collections.abc import Mapping
from typing import Any

from concord.errors import UserError
from concord.language.codes import normalise
from concord.signature import option_text


def system_id(name: str, **options: tuple[Any, Any]) -> str:
    """The id of a system: its name, and those of its options (value, default) that are not at their default.

    >>> system_id("azure", category=("", ""), url=("http://127.0.0.1", "https://example.org"))
    'azure,url=http://127.0.0.1'
    """
    changed = {option: value for option, (value, default) in options.items() if value != default}
    return name + "".join(f",{option}={option_text(value)}" for option, value in changed.items())


def our_codes(theirs: str) -> tuple[str, ...]:
    """The BCP-47 code of a language that a service lists; empty if its code is unknown."""
    try:
        return (normalise(theirs),)
    except UserError:
        return ()


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
