"""Which plug-in of a family serves a language: one that the user names, or the first embedded one that knows it.

A setting names plug-ins, separated by `;`, each for a language (`zh=stanza`) or, without one, for all that it knows:
`zh=stanza;en=concord_en`. A plug-in with an option `lang` is told the language that it is named for.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from concord import plugins
from concord.errors import Missing, UserError, apt_install
from concord.language import word_tables
from concord.language.codes import base, normalise

AUTO = "auto"
"""Stands for the embedded plug-ins."""
EMBEDDED: dict[str, dict[str, tuple[str, ...]]] = {
    "parsers": {"concord_en": ("en",), "lac": ("zh",), "apertium": ()},
    "substitutes": {"lexicon": ("en",), "lexicon_zh": ("zh",), "mythes": ()},
    "encoders": {"minilm": ("en",)},
}
"""The embedded plug-ins in the order in which they are asked, each with the languages that it is for.

None are listed for those whose languages depend on what is installed on the machine.
"""
EXTRAS = {"lac": "zh", "minilm": "semantic"}
"""The extra that brings an embedded plug-in which does not ship."""
OPTIONS = {"parsers": "--parser", "substitutes": "--substitutes", "encoders": "--encoder"}
_FOR_LANGUAGE = re.compile(r"([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*)=(.+)", re.DOTALL)


_chosen: ContextVar[Mapping[str, str]] = ContextVar("chosen", default=MappingProxyType({}))


@contextlib.contextmanager
def chosen(settings: Mapping[str, str]) -> Iterator[None]:
    """Within the context, these settings by family are those of metrics and comparisons that name no plug-in."""
    token = _chosen.set(settings)
    try:
        yield
    finally:
        _chosen.reset(token)


def setting_in_force(family: str, setting: str) -> str:
    """A setting or, where it leaves the choice open, the one that is chosen for the context."""
    return _chosen.get().get(family, AUTO) if setting == AUTO else setting


@dataclass(frozen=True, slots=True)
class Named:
    """A plug-in that a setting names, for one language or, where that is empty, for all that it knows."""

    lang: str
    text: str

    def __str__(self) -> str:
        return f"{self.lang}={self.text}" if self.lang else self.text


def named(setting: str) -> list[Named]:
    """The plug-ins of a setting, in the order in which they are asked."""
    return [_named(text) for text in setting.split(";") if text.strip() not in ("", AUTO)]


def check_setting(family: str, setting: str) -> None:
    """Refuse a setting with a plug-in that does not exist or has no such option."""
    for entry in named(setting):
        spec_of(family, entry)


def joined(family: str, *settings: str) -> str:
    """One setting of several: those of the command line come before those of the file.

    In each of them, plug-ins for a language come before those for all that they know; a language has one at most.
    """
    known: dict[str, Named] = {}
    for setting in settings:
        entries = sorted(named(setting), key=lambda entry: -len(entry.lang))
        for entry, following in pairwise(sorted(entries, key=lambda entry: entry.lang)):
            if entry.lang and entry.lang == following.lang:
                both = f"{entry} and {following}"
                raise UserError(f"{OPTIONS[family]} names two for '{entry.lang}': {both}. Leave out one")
        for entry in entries:
            known.setdefault(entry.lang or entry.text, entry)
    return ";".join(map(str, known.values()))


def spec_of(family: str, entry: Named) -> plugins.Spec:
    """The plug-in that is named, told its language if it has such an option."""
    spec = plugins.parse(family, entry.text)
    takes_lang = any(option.name == "lang" for option in plugins.options(family, spec.name))
    if entry.lang and takes_lang and "lang" not in spec.options:
        return plugins.Spec(spec.name, spec.argument, {**spec.options, "lang": base(entry.lang)})
    return spec


class PluginChoice:
    """The plug-in of a family for each language. Each is made when it is first needed, and kept until `close`.

    `alone` leaves the embedded ones out.
    """

    def __init__(self, family: str, setting: str = AUTO, *, alone: bool = False) -> None:
        self.family = family
        self.setting = setting
        self._embedded = {} if alone else EMBEDDED[family]
        self._named = named(setting)
        self._made: dict[str, Any] = {}
        self._missing: dict[str, Missing] = {}
        self._found: dict[str, tuple[Any, Named | None]] = {}

    def started(self) -> list[Any]:
        """The plug-ins that have been made so far."""
        return list(self._made.values())

    def find(self, lang: str) -> Any | None:
        """The plug-in for a language, or None if there is none that can be used."""
        # No lock: a thread that hangs in the making of a plug-in would never let go of it.
        if lang not in self._found:
            self._found[lang] = self._search(lang)
        return self._found[lang][0]

    def require(self, lang: str, option: str = "") -> Any:
        """The plug-in for a language; where there is none, the error says what serves it. `option` is what sets it."""
        plugin = self.find(lang)
        if plugin is None:
            raise self.lack(lang, option)
        return plugin

    def spec(self, lang: str) -> plugins.Spec | None:
        """What the user said of the plug-in that serves a language; None if it is an embedded one."""
        self.find(lang)
        entry = self._found[lang][1]
        return spec_of(self.family, entry) if entry else None

    def unused(self, lang: str) -> list[str]:
        """The plug-ins that the user named for no language and that do not know this one, which an embedded serves."""
        if self.find(lang) is None or self._found[lang][1] is not None:
            return []
        return [entry.text for entry in self._named if not entry.lang]

    def lack(self, lang: str, option: str = "") -> UserError:
        """The error of a language that nothing serves, with what serves it."""
        for name, languages in EMBEDDED[self.family].items():
            if base(lang) in languages and name in self._missing:
                return self._missing[name]
        return UserError(f"{self._who(lang)} '{lang}'. {cure(self.family, lang, option)}")

    def make(self, spec: plugins.Spec) -> Any:
        """A plug-in as the user described it; Missing if it is not installed."""
        return plugins.create(self.family, spec)

    def languages(self, plugin: Any) -> Collection[str] | None:
        """The languages that a plug-in knows, or None if it does not say."""
        known: Collection[str] | None = plugin.languages()
        return known

    def knows(self, plugin: Any, lang: str) -> bool:
        languages = self.languages(plugin)
        return languages is None or lang in languages or base(lang) in languages

    def close(self) -> None:
        """Release the resources of the plug-ins; the next text acquires them again."""
        for plugin in self.started():
            getattr(plugin, "close", lambda: None)()

    def _search(self, lang: str) -> tuple[Any, Named | None]:
        for entry in self._named:
            if entry.lang and entry.lang not in (lang, base(lang)):
                continue
            plugin = self._of(str(entry), spec_of(self.family, entry))
            if self.knows(plugin, lang):
                return plugin, entry
            if entry.lang:
                raise self._strange(entry, plugin)
        for name, languages in self._embedded.items():
            if languages and base(lang) not in languages:
                continue
            try:
                plugin = self._of(name, plugins.Spec(name))
            except Missing as error:
                self._missing[name] = error
                continue
            if self.knows(plugin, lang):
                return plugin, None
        return None, None

    def _of(self, key: str, spec: plugins.Spec) -> Any:
        if key not in self._made:
            self._made[key] = self.make(spec)
        return self._made[key]

    def _strange(self, entry: Named, plugin: Any) -> UserError:
        languages = ", ".join(sorted(self.languages(plugin) or ()))
        without = PluginChoice(self.family).find(entry.lang)
        leave = f"Leave out {OPTIONS[self.family]} {entry}, or take another" if without else "Take another"
        return UserError(f"{entry.text} does not know '{entry.lang}', only: {languages or 'nothing'}. {leave}")

    def _who(self, lang: str) -> str:
        family = plugins.FAMILIES[self.family]
        plural = "sources of substitutes" if self.family == "substitutes" else self.family
        embedded = f"none of the embedded {plural} knows"
        others = [entry.text for entry in self._named if not entry.lang]
        return f"neither {family.singular} {', '.join(others)} nor an embedded one knows" if others else embedded


def cure(family: str, lang: str, option: str = "", *, by_package: bool = True) -> str:
    """What serves a language that nothing serves yet: packages to install, and plug-ins to name.

    `option` is what names them; not `by_package` where those that packages bring would not do.
    """
    code = base(lang)
    packages = packages_for(family, code) if by_package else ""
    # In a metric, a colon begins the next option.
    begin, colon = (f"{option}={code}=", ":model=") if option else (f"{OPTIONS[family]} {code}=", ":")
    names = [begin + text.replace(":", colon) for text in NAMEABLE[family](code)]
    ways = [f"Install one: {apt_install(packages)}"] if packages else []
    ways += [f"{'or name' if ways else 'Name'} one: {' or '.join(names)}"] if names else []
    return "; ".join(ways) or f"Write one (docs/services.md), and name it: {begin}./mine.py"


def packages_for(family: str, lang: str) -> str:
    """The Debian packages with which an embedded plug-in serves a language; empty if there are none."""
    own = _packages(family).get(base(lang), "")
    if family != "substitutes":
        return own
    analysis = _packages("parsers").get(base(lang), "")  # without it, a thesaurus does not tell which forms agree
    return f"{own} {analysis}" if own and analysis else ""


def served(family: str) -> frozenset[str]:
    """The languages that an embedded plug-in serves, if a package may be installed, or one that can be named."""
    shipped = {lang for languages in EMBEDDED[family].values() for lang in languages}
    trained = {lang for library in ("spacy", "stanza") for lang in _trained(library)} if family == "parsers" else set()
    return frozenset({*shipped, *_packages(family), *trained})


def thesaurus_package(lang: str) -> str:
    """The Debian package of a language's thesaurus; empty if there is none."""
    return _packages("substitutes").get(base(lang), "") if lang else ""


@cache
def _packages(family: str) -> dict[str, str]:
    entries = word_tables(__file__)["debian"].get(family, "").split(",")
    return dict(entry.split() for entry in entries if entry.strip())


def _named(text: str) -> Named:
    match = _FOR_LANGUAGE.fullmatch(text.strip())
    return Named(normalise(match[1]), match[2].strip()) if match else Named("", text.strip())


def _trained(library: str) -> frozenset[str]:
    return frozenset(word_tables(__file__)["models"][library].split())


def _parsers(code: str) -> list[str]:
    """The parsers of other libraries that have a model for a language."""
    return [name for name in ("stanza", "spacy") if code in _trained(name)]


def _substitutes(code: str) -> list[str]:
    by_tags = bool(thesaurus_package(code)) and not packages_for("substitutes", code)
    return ["masked:MODEL", *(["mythes,forms=tags"] if by_tags else [])]


NAMEABLE: dict[str, Callable[[str], list[str]]] = {
    "parsers": _parsers,
    "substitutes": _substitutes,
    "encoders": lambda code: ["sentence_transformers:MODEL"],
}
"""The plug-ins that a user may name for a language."""
