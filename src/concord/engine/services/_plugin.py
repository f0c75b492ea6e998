"""The plug-ins behind services: made from the user's settings; errors in a guest's code become UserErrors."""

import inspect
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from concord import plugins
from concord.errors import ConcordError, UserError
from concord.language.plugin_choice import OPTIONS, PluginChoice
from concord.signature import option_text

T = TypeVar("T")
NEEDED = {
    "parsers": ("id", "kind", "version", "languages", "parse"),
    "substitutes": ("id", "version", "languages", "substitutes"),
    "encoders": ("id", "version", "languages", "embed"),
}


class ServicePlugins(PluginChoice):
    """The plug-in of a service for each language, with its version for the signature.

    `given` is what only the engine can give a plug-in that it makes.
    """

    def __init__(self, family: str, setting: str, *, alone: bool = False, **given: Any) -> None:
        super().__init__(family, setting, alone=alone)
        self._given = given

    def make(self, spec: plugins.Spec) -> Any:
        return make_plugin(self.family, spec, **self._given)

    def languages(self, plugin: Any) -> Collection[str] | None:
        return languages_of(self.family, plugin)

    def version(self, lang: str) -> str:
        """The plug-in of a language, with its version and the options that were set."""
        plugin, spec = self.require(lang), self.spec(lang)
        options = sorted(spec.options.items()) if spec else ()
        text = "".join(f",{name}={option_text(value)}" for name, value in options)
        return version_of(self.family, plugin, lang) + text

    def notes(self, langs: Iterable[str]) -> list[str]:
        """A remark for each plug-in that the user named and that does not know one of the languages."""
        return [
            f"{name} does not know '{lang}', which the embedded {self.require(lang).id} serves"
            for lang in langs
            for name in self.unused(lang)
        ]


def make_plugin(family: str, spec: plugins.Spec, **more: Any) -> Any:
    """A plug-in of a family, from what the user said of it and from what only the engine can give it."""
    plugin = _guarded(family, spec.name, "made", lambda: plugins.create(family, spec, **more))
    lacking = [name for name in NEEDED[family] if not hasattr(plugin, name)]
    if lacking:
        singular = plugins.FAMILIES[family].singular
        raise UserError(f"the {singular} '{spec.name}' is not a plug-in: it lacks {', '.join(lacking)}")
    return plugin


def languages_of(family: str, plugin: Any) -> Collection[str] | None:
    """The languages that a plug-in knows, or None if it does not say."""
    codes = _guarded(family, plugin.id, "asked for its languages", plugin.languages)
    if codes is not None and not isinstance(codes, (set, frozenset, list, tuple)):
        singular = plugins.FAMILIES[family].singular
        raise UserError(f"the {singular} '{plugin.id}' is not a plug-in: its languages are a {type(codes).__name__}")
    return codes


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
