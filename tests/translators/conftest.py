"""What the tests of hosted translators share: a service on this machine, and a search for a key that got out."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from concord.errors import ServiceError
from concord.model import System

_NAME = "concord_tests_service"


def _helper() -> Any:
    # Tests are no package, so the helper beside this file is loaded by its path.
    if _NAME not in sys.modules:
        spec = importlib.util.spec_from_file_location(_NAME, Path(__file__).with_name("service.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[_NAME] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[_NAME])
    return sys.modules[_NAME]


@pytest.fixture
def service() -> Iterator[Any]:
    """A server: `url`, `requests`, `answer` (a function of a request), `answers(...)`, `reply(...)`.

    `service.answer = lambda request: service.reply({"text": "hola"})` answers with JSON;
    `service.answers("busy", 429, retry_after="7")` says the same to everything. A request has
    `method`, `path`, `query`, `headers` (names in lower case), `body`, `json` and `form`.
    An assertion that fails inside `answer` fails the test.
    """
    with _helper().serving() as running:
        yield running


def told(error: BaseException | None) -> str:
    """All that an exception could print: its text and repr, its arguments, and those of what led to it."""
    if error is None:
        return ""
    own = f"{error} {error!r} {error.args!r} {vars(error)!r}"
    return " ".join((own, told(error.__cause__), told(error.__context__)))


def translated(system: System, texts: Sequence[str], source: str = "en", target: str = "es") -> list[Any]:
    async def ask() -> list[Any]:
        try:
            return list(await system.translate(texts, source, target))
        finally:
            await system.close()

    return asyncio.run(ask())


@pytest.fixture(name="everything_told")
def everything_told_fixture() -> Callable[[BaseException | None], str]:
    return told


@pytest.fixture(name="translated")
def translated_fixture() -> Callable[..., list[Any]]:
    """`translated(system, texts, source, target)` asks once, in an event loop of its own, and closes."""
    return translated


@pytest.fixture
def listed() -> Callable[[System], Any]:
    """`listed(system)`: the directions that it knows."""

    def ask(system: System) -> Any:
        async def go() -> Any:
            try:
                return await system.directions()
            finally:
                await system.close()

        return asyncio.run(go())

    return ask


@pytest.fixture
def failure() -> Callable[..., ServiceError]:
    """`failure(system, canary)`: the error that one request ends with, which must not give the key away."""

    def ask(system: System, canary: str, texts: Sequence[str] = ("one", "two")) -> ServiceError:
        with pytest.raises(ServiceError) as caught:
            translated(system, texts)
        assert canary not in told(caught.value)
        assert canary not in f"{system.id} {system!r} {system.version('en', 'es')}"
        return caught.value

    return ask
