"""The services besides `translate` that a relation may ask for by name.

They are `parse`, `analyse`, `depend`, `substitutes`, `embed` and `explain`.

Each answers in batches, on this machine, in a daemon thread of its own while the checks go on. Behind a service is a
plug-in, which the user chooses or, for `parse` and `depend`, the language of the text; its answers are validated before
a relation sees them (`validation.py`). A relation is given a function that calls the service, never the service itself.
"""

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from concord.engine.services._service import NONE, Choices
from concord.engine.services._service import Local as Local
from concord.engine.services._service import Terms as Terms
from concord.engine.services._service import shut as shut
from concord.engine.services._worker_thread import left_behind as left_behind
from concord.engine.services.parsers import KnownTrees
from concord.errors import UserError
from concord.relations._protocol import RelationForm

# Classes by name: a module is imported with its first service, since some of them bring numpy.
_CLASSES = {
    "parse": ("_parse", "Parsing"),
    "analyse": ("_analyse", "Analysing"),
    "depend": ("_parse", "Depending"),
    "substitutes": ("_substitutes", "Substituting"),
    "embed": ("_embed", "Embedding"),
    "explain": ("_explain", "Explaining"),
}


def versions(
    relation: RelationForm,
    choices: Choices,
    source: str,
    target: str,
    options: Mapping[str, Any] | None = None,
    note: Callable[[str], None] = lambda _: None,
    pool: "ServicePool | None" = None,
) -> dict[str, str]:
    """The versions of a relation's services, for the signature; raises UserError for a service that cannot serve.

    `note` receives what a run should say of its services, and `pool` keeps the services for that run.
    """
    pool = pool or ServicePool()
    wanted = relation.services(options or {})
    spared = frozenset(name for name, loss in wanted.items() if loss is not None)
    terms = Terms(source, relation.parsed(source, target), target=target, spared=spared)
    by_name: dict[str, str] = {}
    for name in wanted:
        lent = pool.lend(name, choices, terms)
        try:
            by_name |= lent.versions()
            for remark in lent.notes():
                note(remark)
        finally:
            shut(lent.plugins())
        pool.take_back(lent)
    return by_name


def done_without(
    relation: RelationForm, versions: Mapping[str, str], options: Mapping[str, Any] | None = None
) -> list[str]:
    """For each service that is missing from the versions, a line that says what the relation leaves out without it."""
    losses = relation.services(options or {})
    lacking = [re.fullmatch(r"(\w+)(?:\[(.*)\])?", name) for name, version in versions.items() if version == NONE]
    return [
        f"without '{match[1]}'{f' for {match[2]!r}' if match[2] else ''}: {losses[match[1]]}"
        for match in lacking
        if match and losses[match[1]]
    ]


def service(name: str, choices: Choices, terms: Terms | None = None) -> Local:
    """The service that a relation names, with the plug-in that the user chose for it."""
    if name not in _CLASSES:
        raise UserError(f"there is no service '{name}'. Services: translate, rng, {', '.join(_CLASSES)}")
    module, class_name = _CLASSES[name]
    created: Local = getattr(importlib.import_module(f"{__name__}.{module}"), class_name)(choices, terms or Terms())
    return created


class ServicePool:
    """The services of one command: each is made once, and lent to one run after the other with its plug-ins."""

    def __init__(self) -> None:
        self.clear()
        self.lesson: Any = None
        """The pairs and settings of the latest first pass, whose result is `learnt`."""
        self.learnt = b""

    def lend(self, name: str, choices: Choices, terms: Terms) -> Local:
        """A service on these terms: one that is free, or else a new one."""
        key = (name, tuple(sorted(choices.items())), terms.source, terms.parsed, terms.target)
        if key in self._free:
            lent = self._free.pop(key)
            lent.begin(terms)
        else:
            lent = service(name, choices, replace(terms, trees=self._trees))
            lent.key = key
        return lent

    def take_back(self, lent: Local) -> None:
        """Keep a service for the next run, unless a thread of it still hangs in this one.

        Plug-ins that were closed are made anew, since not every plug-in can be used after `close`.
        """
        if not lent.lost:
            if any(hasattr(plugin, "close") for plugin in lent.plugins()):
                lent.renew()
            self._free[lent.key] = lent

    def clear(self) -> None:
        """Forget the free services, and what they hold."""
        self._free: dict[Any, Local] = {}
        self._trees = KnownTrees()
