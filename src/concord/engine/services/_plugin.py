"""Plug-ins of this machine: made from the user's words, and asked what they are without trusting that they can tell."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from concord import plugins
from concord.errors import ConcordError, UserError
from concord.language.codes import base
from concord.signature import option_text

T = TypeVar("T")
NEEDED = {
    "parsers": ("id", "kind", "version", "languages", "parse"),
    "substitutes": ("id", "version", "languages", "substitutes"),
    "encoders": ("id", "version", "languages", "embed"),
}
OPTIONS = {"parsers": "--parser", "substitutes": "--substitutes", "encoders": "--encoder"}


def made(family: str, text: str, **more: Any) -> Any:
    """A plug-in of a family from `name:argument,option=value`, with what only the engine can give it."""
    chosen = plugins.parse(family, text)
    plugin = told(family, chosen.name, "made", lambda: plugins.create(family, chosen, **more))
    lacking = [name for name in NEEDED[family] if not hasattr(plugin, name)]
    if lacking:
        singular = plugins.FAMILIES[family].singular
        raise UserError(f"the {singular} '{chosen.name}' is not a plug-in: it lacks {', '.join(lacking)}")
    return plugin


def options_of(family: str, text: str) -> str:
    """The options of a plug-in that were set, for the signature: answers depend on them."""
    chosen = plugins.parse(family, text)
    return "".join(f",{name}={option_text(value)}" for name, value in sorted(chosen.options.items()))


def known_to(family: str, plugin: Any) -> Collection[str] | None:
    """The languages that a plug-in knows, or None if it does not say."""
    known = told(family, plugin.id, "asked for its languages", plugin.languages)
    if known is not None and not isinstance(known, (set, frozenset, list, tuple)):
        singular = plugins.FAMILIES[family].singular
        raise UserError(f"the {singular} '{plugin.id}' is not a plug-in: its languages are a {type(known).__name__}")
    return known


def knows(family: str, plugin: Any, lang: str) -> bool:
    known = known_to(family, plugin)
    return known is None or lang in known or base(lang) in known


def version_of(family: str, plugin: Any, lang: str) -> str:
    """`id@version`; a plug-in of many languages has a version for each."""

    def version() -> Any:
        each = "lang" in inspect.signature(plugin.version).parameters
        return plugin.version(lang) if each else plugin.version()

    return f"{plugin.id}@{told(family, plugin.id, 'asked for its version', version)}"


def told(family: str, name: str, what: str, ask: Callable[[], T]) -> T:
    """An answer of a plug-in about itself; a stranger's code can fail in any way."""
    try:
        return ask()
    except ConcordError:
        raise
    except Exception as error:
        singular = plugins.FAMILIES[family].singular
        raise UserError(
            f"the {singular} '{name}' failed when it was {what} ({type(error).__name__}: {error})."
            f" Choose another with {OPTIONS[family]}: {', '.join(plugins.names(family))}"
        ) from error
