"""What each relation needs for each source language: nothing, an extra, Debian packages, or a model to be named."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from concord import plugins
from concord.errors import UserError, apt_install, pip_install
from concord.language.codes import base, normalise
from concord.language.plugin_choice import EMBEDDED, EXTRAS, NAMEABLE, PluginChoice, packages_for, served
from concord.model import Plan
from concord.relations._protocol import RelationForm, load_relation
from concord.runs.config import FAMILIES

NOTHING, EXTRA, PACKAGES, MODEL, OWN, NEVER = "nothing", "an extra", "packages", "a model", "a plug-in", "–"
KINDS = (NOTHING, EXTRA, PACKAGES, MODEL, OWN)
"""What a language may need of a service, the least trouble first; the last is a plug-in that a user writes."""
_OTHERS = ("en", "es", "ja", "ru")
"""Languages with which a relation is tried: a target, and those in between."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a relation needs for a source language.

    `without` is what it leaves out without that, where it can do without. `install` is the command that installs it;
    a model has none, as it is the user's choice. `runs` says whether this machine has it; `note` is what the relation
    says of the language.
    """

    relation: str
    lang: str
    needs: str
    without: str = ""
    install: str = ""
    runs: bool = True
    note: str = ""

    def __str__(self) -> str:
        return f"{self.needs}*" if self.without else self.needs

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {name: getattr(self, name) for name in self.__slots__}


def known_languages() -> list[str]:
    """The languages for which a plug-in or its data ship, can be installed, or can be named."""
    return sorted(frozenset().union(*map(served, EMBEDDED)))


def language_needs(langs: Iterable[str] = ()) -> dict[str, list[Need]]:
    """What every relation needs for texts in each language; by default in all that are known."""
    choices = {family: PluginChoice(family) for family in EMBEDDED}
    codes = [normalise(lang) for lang in langs] or known_languages()
    return {code: [_need(name, code, choices) for name in plugins.names("relations")] for code in codes}


def grouped(by_language: Mapping[str, list[Need]]) -> list[tuple[list[str], list[Need]]]:
    """Languages that need the same, with what they need."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for lang, row in by_language.items():
        groups.setdefault(tuple((str(need), need.runs) for need in row), []).append(lang)
    return [(langs, by_language[langs[0]]) for langs in groups.values()]


def _need(name: str, lang: str, choices: Mapping[str, PluginChoice]) -> Need:
    form, settings = _form(name)
    plan = _plan(form, settings, lang)
    if plan is None:
        return Need(name, lang, NEVER, runs=False)
    asked = {FAMILIES[each]: loss for each, loss in form.services(settings).items() if each in _of_source(form)}
    kinds = {family: _kind(family, lang) for family in asked}
    worst = max(kinds.values(), key=KINDS.index, default=NOTHING)
    losses = [loss for family, loss in asked.items() if kinds[family] != NOTHING]
    without = losses[0] if losses and None not in losses else None
    runs = all(choices[family].find(lang) for family in asked)
    install = "" if runs else _install(asked, kinds, lang)
    return Need(name, lang, worst, without or "", install, runs, "; ".join(filter(None, plan.notes)))


def _of_source(form: RelationForm) -> tuple[str, ...]:
    """The services that a relation asks for texts in the language of the source."""
    return ("parse", "substitutes", "embed") if "source" in form.traits.parses else ("embed",)


def _kind(family: str, lang: str) -> str:
    shipped = [name for name, langs in EMBEDDED[family].items() if base(lang) in langs]
    if shipped:
        return NOTHING if any(name not in EXTRAS for name in shipped) else EXTRA
    if packages_for(family, lang):
        return PACKAGES
    return MODEL if NAMEABLE[family](base(lang)) else OWN


def _install(families: Iterable[str], kinds: Mapping[str, str], lang: str) -> str:
    """The commands that install what a language needs; none where a plug-in must be named."""
    if {MODEL, OWN} & set(kinds.values()):
        return ""
    shipped = {name for family in families for name, langs in EMBEDDED[family].items() if base(lang) in langs}
    packages = " ".join(packages_for(family, lang) for family in families if kinds[family] == PACKAGES).split()
    commands = [pip_install(extra) for extra in sorted({EXTRAS[name] for name in shipped if name in EXTRAS})]
    return " && ".join([*commands, *([apt_install(*dict.fromkeys(packages))] if packages else [])])


def _plan(form: RelationForm, settings: Mapping[str, Any], lang: str) -> Plan | None:
    """What runs from a language would need; None if the relation is not for it, into whichever language."""

    def between(a: str, b: str) -> list[str]:
        return [code for code in _OTHERS if code not in (a, b)]

    for to in _OTHERS:
        if to != base(lang):
            with contextlib.suppress(UserError):
                return form.plan(lang, to, between, {**settings, "to": to})
    return None


@cache
def _form(name: str) -> tuple[RelationForm, dict[str, Any]]:
    return load_relation(name), plugins.settings("relations", plugins.parse("relations", name))
