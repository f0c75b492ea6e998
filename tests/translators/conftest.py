"""What the tests of translators share: a service on this machine, a search for a key that got out, tiny models."""

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


def _helper(name: str = "service") -> Any:
    # Tests are no package, so the helper beside this file is loaded by its path.
    module = f"concord_tests_{name}"
    if module not in sys.modules:
        spec = importlib.util.spec_from_file_location(module, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[module] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[module])
    return sys.modules[module]


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


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Path]]:
    """`tiny("m2m")`: the folder of a tiny model, made once; `tiny("ct2-m2m")`: the same for CTranslate2.

    Kinds: marian, targets (Marian with several targets), silent (Marian that tells no language), m2m, nllb.
    """
    root = tmp_path_factory.mktemp("models")

    def folder(kind: str) -> Path:
        path = root / kind
        if not path.exists():
            plain = kind.removeprefix("ct2-")
            _helper("tiny").convert(folder(plain), path) if plain != kind else _helper("tiny").make(kind, path)
        return path

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield folder
