"""Names that adapters make: ids of systems, and our codes for languages that services spell in their own way."""

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
