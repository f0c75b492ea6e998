"""What the tests of translators share: a service on this machine and a search for a key that got out."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from concord.errors import ServiceError, Throttled, Unauthorised
from concord.model import System


@pytest.fixture(scope="session")
def helper() -> Callable[[Path], Any]:
    """`helper(path)`: the module in that file. Tests are no package, so what helps them is loaded by its path."""

    def loaded(path: Path) -> Any:
        name = f"concord_tests_{path.stem}"
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None
            assert spec.loader is not None
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        return sys.modules[name]

    return loaded


@pytest.fixture(scope="session")
def asking(helper: Callable[[Path], Any]) -> Any:
    """Texts for Apertium and ways to ask it, from `asking_apertium.py`."""
    return helper(Path(__file__).with_name("asking_apertium.py"))


@pytest.fixture
def service(helper: Callable[[Path], Any]) -> Iterator[Any]:
    """A server: `url`, `requests`, `answer` (a function of a request), `answers(...)`, `reply(...)`.

    `service.answer = lambda request: service.reply({"text": "hola"})` answers with JSON;
    `service.answers("busy", 429, retry_after="7")` says the same to everything. A request has
    `method`, `path`, `query`, `headers` (names in lower case), `body`, `json` and `form`.
    An assertion that fails inside `answer` fails the test.
    """
    with helper(Path(__file__).with_name("service.py")).serving() as running:
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
    """`failure(system, *canaries)`: the error that one request ends with, which must not give a key away."""

    def ask(system: System, *canaries: str, texts: Sequence[str] = ("one", "two")) -> ServiceError:
        with pytest.raises(ServiceError) as caught:
            translated(system, texts)
        for canary in canaries:
            assert canary not in told(caught.value)
            assert canary not in f"{system.id} {system!r} {system.version('en', 'es')}"
        return caught.value

    return ask


@pytest.fixture
def denial(failure: Callable[..., ServiceError]) -> Callable[..., str]:
    """`denial(system, *canaries)`: what is told where the service does not accept the key."""

    def ask(system: System, *canaries: str) -> str:
        error = failure(system, *canaries)
        assert isinstance(error, Unauthorised)
        return str(error)

    return ask


@pytest.fixture
def time_to_wait(failure: Callable[..., ServiceError]) -> Callable[..., float | None]:
    """`time_to_wait(system, *canaries)`: the seconds that the service asks for."""

    def ask(system: System, *canaries: str) -> float | None:
        error = failure(system, *canaries)
        assert isinstance(error, Throttled)
        return error.retry_after

    return ask


@pytest.fixture
def there_and_back(service: Any) -> Callable[[System, str, str], list[Any]]:
    """`there_and_back(system, one, other)`: what was sent for a text in the one language, and for one in the other."""

    def ask(system: System, one: str, other: str) -> list[Any]:
        before = len(service.requests)
        translated(system, ["x"], one, other)
        translated(system, ["x"], other, one)
        return list(service.requests[before:])

    return ask
