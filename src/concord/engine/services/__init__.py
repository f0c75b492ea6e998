"""The services besides `translate` that a relation may ask for by name.

They are `parse`, `analyse`, `depend`, `substitutes`, `embed` and `explain`.

Each answers in batches, on this machine, in a daemon thread of its own while the checks go on. What stands behind
a service is a plug-in, chosen by name or, for `parse` and `depend`, by the language of the text; what it answers is
looked at before a relation sees it (`sound.py`). A relation is given the verb of a service, never the service.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from concord.engine.services._service import NONE, Local, Terms, shut
from concord.engine.services._worker_thread import left_behind
from concord.errors import UserError
from concord.relations._protocol import RelationForm

__all__ = [
    "DEFAULTS",
    "Local",
    "ServicePool",
    "Terms",
    "done_without",
    "left_behind",
    "service",
    "shut",
    "versions",
]

DEFAULTS = {"parse": "auto", "depend": "auto", "substitutes": "lexicon", "embed": "minilm"}
Chosen = Mapping[str, str]


def versions(
    relation: RelationForm,
    chosen: Chosen,
    source: str,
    target: str,
    options: Mapping[str, Any] | None = None,
    note: Callable[[str], None] = lambda _: None,
    pool: ServicePool | None = None,
) -> dict[str, str]:
    """What a relation's services depend on, for the signature; one that cannot serve is said here.

    `note` is told what a run should say of them, and `pool` keeps them for it.
    """
    pool = pool or ServicePool()
    wanted = relation.services(options or {})
    spared = frozenset(name for name, loss in wanted.items() if loss is not None)
    terms = Terms(source, relation.parsed(source, target), target=target, spared=spared)
    found: dict[str, str] = {}
    for name in wanted:
        asked = pool.lend(name, chosen, terms)
        try:
            found |= asked.versions()
            for each in asked.notes():
                note(each)
        finally:
            shut(asked.plugins())
        pool.take_back(asked)
    return found


def done_without(
    relation: RelationForm, found: Mapping[str, str], options: Mapping[str, Any] | None = None
) -> list[str]:
    """What a relation does without, of the versions that were found, and what that means, in its own words."""
    losses = relation.services(options or {})
    lacking = [re.fullmatch(r"(\w+)(?:\[(.*)\])?", name) for name, version in found.items() if version == NONE]
    return [
        f"without '{match[1]}'{f' for {match[2]!r}' if match[2] else ''}: {losses[match[1]]}"
        for match in lacking
        if match and losses[match[1]]
    ]


def service(name: str, chosen: Chosen, terms: Terms | None = None) -> Local:
    """The service that a relation names, with what the user chose to stand behind it."""
    if name not in _MAKERS:
        raise UserError(f"there is no service '{name}'. Services: translate, rng, {', '.join(_MAKERS)}")
    return _MAKERS[name](chosen, terms or Terms())


class ServicePool:
    """The services of one command: each is made once, and lent to one run after the other with its plug-ins."""

    def __init__(self) -> None:
        self._free: dict[Any, Local] = {}

    def lend(self, name: str, chosen: Chosen, terms: Terms) -> Local:
        """A service on these terms: one that is free, or else a new one."""
        key = (name, tuple(sorted(chosen.items())), terms.source, terms.parsed, terms.target)
        if key in self._free:
            lent = self._free.pop(key)
            lent.begin(terms)
        else:
            lent = service(name, chosen, terms)
            lent.key = key
        return lent

    def take_back(self, lent: Local) -> None:
        """Keep a service for the next run, unless something of it still hangs in this one.

        Of its plug-ins those that were closed are made anew: not every one can be used again.
        """
        if not lent.lost:
            if any(hasattr(plugin, "close") for plugin in lent.plugins()):
                lent.renew()
            self._free[lent.key] = lent

    def clear(self) -> None:
        """Forget those that are free, and what they hold."""
        self._free.clear()


def _parsing(chosen: Chosen, terms: Terms) -> Local:
    from concord.engine.services._parse import Parsing

    return Parsing(_parser(chosen), terms)


def _analysing(chosen: Chosen, terms: Terms) -> Local:
    from concord.engine.services._analyse import Analysing

    return Analysing(terms)


def _depending(chosen: Chosen, terms: Terms) -> Local:
    from concord.engine.services._parse import Depending

    return Depending(_parser(chosen), terms)


def _substituting(chosen: Chosen, terms: Terms) -> Local:
    from concord.engine.services._substitutes import Substituting

    # An encoder takes long to load, so the gate has one only where the user wants it.
    source = chosen.get("substitutes", DEFAULTS["substitutes"])
    return Substituting(source, _parser(chosen), chosen.get("embed", ""), terms)


def _embedding(chosen: Chosen, terms: Terms) -> Local:
    from concord.engine.services._embed import Embedding

    return Embedding(chosen.get("embed", DEFAULTS["embed"]), terms)


def _explaining(chosen: Chosen, terms: Terms) -> Local:
    from concord.engine.services._explain import Explaining

    return Explaining(chosen, terms)


def _parser(chosen: Chosen) -> str:
    return chosen.get("parse", DEFAULTS["parse"])


_MAKERS: dict[str, Callable[[Chosen, Terms], Local]] = {
    "parse": _parsing,
    "analyse": _analysing,
    "depend": _depending,
    "substitutes": _substituting,
    "embed": _embedding,
    "explain": _explaining,
}
