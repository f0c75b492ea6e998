"""What every door needs: what was asked for by name, a workspace to look at, and an end to asynchrony."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from concord import plugins
from concord.errors import UserError
from concord.interruption import cancellable
from concord.language.codes import normalise
from concord.language.parse._choice import shared_parsers
from concord.model import System
from concord.runs.config import Configuration, configured_relation, read_configuration
from concord.scratch import temporary_folder
from concord.store import Workspace

T = TypeVar("T")


@contextlib.contextmanager
def looked_at(workspace: str | Path) -> Iterator[Workspace]:
    """A workspace to read; one that does not exist yet is not made by looking at what it would take."""
    with contextlib.ExitStack() as places:
        if not Path(workspace).exists():
            workspace = places.enter_context(temporary_folder()) / "none.sqlite"
        yield places.enter_context(Workspace(workspace))


def asked_for(
    relations: Sequence[str],
    systems: Sequence[str | System],
    to: Sequence[str],
    config: str | Path | Configuration | None = None,
) -> tuple[list[plugins.Spec], list[System], list[str]]:
    """Relations, systems and targets, each once; a relation with what the configuration tells it."""
    if isinstance(config, Configuration):
        tables = config.tables
    else:
        tables = {} if config is None else read_configuration(config)
    specs = {str(spec): spec for spec in (configured_relation(text, tables) for text in relations)}
    given = [plugins.system(system) if isinstance(system, str) else system for system in systems]
    named = [one for system in given for one in system.each()]
    targets = dict.fromkeys(normalise(code) for code in to)
    if not (specs and named and targets):
        raise UserError("a run needs at least one relation, one system and one target language")
    if not all(system.id for system in named):
        raise UserError("a system needs an id, under which its answers are kept: set `id` on it")
    return list(specs.values()), list({system.id: system for system in named}.values()), list(targets)


def now(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, also where an event loop is running already, as in a notebook."""

    async def with_parsers(work: Coroutine[Any, Any, T]) -> T:
        with shared_parsers():
            return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(cancellable(with_parsers(work)))
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, with_parsers(work)).result()
