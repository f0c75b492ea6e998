"""The plug-ins behind services: made from the user's settings; errors in a guest's code become UserErrors."""

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


def make_plugin(family: str, text: str, **more: Any) -> Any:
    """A plug-in of a family from `name:argument,option=value`, and from `more`, which only the engine can give it."""
    spec = plugins.parse(family, text)
    plugin = _guarded(family, spec.name, "made", lambda: plugins.create(family, spec, **more))
    lacking = [name for name in NEEDED[family] if not hasattr(plugin, name)]
    if lacking:
        singular = plugins.FAMILIES[family].singular
        raise UserError(f"the {singular} '{spec.name}' is not a plug-in: it lacks {', '.join(lacking)}")
    return plugin


def options_of(family: str, text: str) -> str:
    """The options of a plug-in that were set, for the signature: answers depend on them."""
    options = plugins.parse(family, text).options
    return "".join(f",{name}={option_text(value)}" for name, value in sorted(options.items()))


def languages_of(family: str, plugin: Any) -> Collection[str] | None:
    """The languages that a plug-in knows, or None if it does not say."""
    codes = _guarded(family, plugin.id, "asked for its languages", plugin.languages)
    if codes is not None and not isinstance(codes, (set, frozenset, list, tuple)):
        singular = plugins.FAMILIES[family].singular
        raise UserError(f"the {singular} '{plugin.id}' is not a plug-in: its languages are a {type(codes).__name__}")
    return codes


def knows(family: str, plugin: Any, lang: str) -> bool:
    codes = languages_of(family, plugin)
    return codes is None or lang in codes or base(lang) in codes


def version_of(family: str, plugin: Any, lang: str) -> str:
    """`id@version`; a plug-in of many languages has a version for each."""

    def version() -> Any:
        by_language = "lang" in inspect.signature(plugin.version).parameters
        return plugin.version(lang) if by_language else plugin.version()

    return f"{plugin.id}@{_guarded(family, plugin.id, 'asked for its version', version)}"


def _guarded(family: str, name: str, action: str, call: Callable[[], T]) -> T:
    """The result of a call into a plug-in; whatever a guest's code raises becomes a UserError."""
    try:
        return call()
    except ConcordError:
        raise
    except Exception as error:
        singular = plugins.FAMILIES[family].singular
        raise UserError(
            f"the {singular} '{name}' failed when it was {action} ({type(error).__name__}: {error})."
            f" Choose another with {OPTIONS[family]}: {', '.join(plugins.names(family))}"
        ) from error
