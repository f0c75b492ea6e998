"""What several functions of the API share: resolving names, opening a workspace, and running coroutines."""

import asyncio
import contextlib
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from concord import plugins
from concord.errors import UserError
from concord.interruption import cancellable
from concord.language.codes import normalise
from concord.language.parse._choice import shared_parsers
from concord.model import System
from concord.relations._recommended import expanded, is_optional
from concord.runs.config import Configuration, all_services, configured_relation, read_configuration
from concord.runs.execute import Settings
from concord.scratch import temporary_folder
from concord.store import Workspace

T = TypeVar("T")


@contextlib.contextmanager
def open_or_empty(workspace: str | Path) -> Iterator[Workspace]:
    """Open a workspace; one that does not exist is replaced by an empty temporary one, and not created."""
    with contextlib.ExitStack() as stack:
        if not Path(workspace).exists():
            workspace = stack.enter_context(temporary_folder()) / "none.sqlite"
        yield stack.enter_context(Workspace(workspace))


def resolve_names(
    relations: Sequence[str],
    systems: Sequence[str | System],
    to: Sequence[str],
    config: str | Path | Configuration | None = None,
) -> tuple[list[plugins.Spec], list[System], list[str]]:
    """The relations with their configured options, the systems and the target languages, without duplicates."""
    plugins.admit(*relations, *(system for system in systems if isinstance(system, str)))
    if isinstance(config, Configuration):
        tables = config.tables
    else:
        tables = {} if config is None else read_configuration(config)
    chosen = ((text, configured_relation(text, tables)) for text in expanded(relations))
    specs = {str(spec): replace(spec, optional=is_optional(text, relations)) for text, spec in chosen}
    whole = [plugins.system(system) if isinstance(system, str) else system for system in systems]
    samples = [sample for system in whole for sample in system.each()]
    targets = dict.fromkeys(normalise(code) for code in to)
    if not (specs and samples and targets):
        raise UserError("a run needs at least one relation, one system and one target language")
    if not all(system.id for system in samples):
        raise UserError("a system needs an id, under which its answers are kept: set `id` on it")
    return list(specs.values()), list({system.id: system for system in samples}.values()), list(targets)


def with_services(settings: Settings | None, config: str | Path | Configuration | None) -> Settings:
    """The settings with the services of the configuration, after those that they name."""
    how = settings or Settings()
    return replace(how, services=all_services(how.services, config))


def now(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, even where an event loop is already running, as in a notebook."""

    async def with_parsers(work: Coroutine[Any, Any, T]) -> T:
        with shared_parsers():
            return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(cancellable(with_parsers(work)))
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, with_parsers(work)).result()
