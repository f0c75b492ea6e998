"""What the tests of translators share: ways to ask one, and a search for a key that got out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from concord.errors import ServiceError, Throttled, Unauthorised


@pytest.fixture(scope="session")
def asking(helper):
    """Texts for Apertium and ways to ask it, from `asking_apertium.py`."""
    return helper(Path(__file__).with_name("asking_apertium.py"))


def told(error):
    """All that an exception could print: its text and repr, its arguments, and those of what led to it."""
    if error is None:
        return ""
    own = f"{error} {error!r} {error.args!r} {vars(error)!r}"
    return " ".join((own, told(error.__cause__), told(error.__context__)))


def translated(system, texts, source="en", target="es"):
    async def ask():
        try:
            return list(await system.translate(texts, source, target))
        finally:
            await system.close()

    return asyncio.run(ask())


@pytest.fixture(name="everything_told")
def everything_told_fixture():
    return told


@pytest.fixture(name="translated")
def translated_fixture():
    """`translated(system, texts, source, target)` asks once, in an event loop of its own, and closes."""
    return translated


@pytest.fixture
def listed():
    """`listed(system)`: the directions that it knows."""

    def ask(system):
        async def go():
            try:
                return await system.directions()
            finally:
                await system.close()

        return asyncio.run(go())

    return ask


@pytest.fixture
def failure():
    """`failure(system, *canaries)`: the error that one request ends with, which must not give a key away."""

    def ask(system, *canaries, texts=("one", "two")):
        with pytest.raises(ServiceError) as caught:
            translated(system, texts)
        for canary in canaries:
            assert canary not in told(caught.value)
            assert canary not in f"{system.id} {system!r} {system.version('en', 'es')}"
        return caught.value

    return ask


@pytest.fixture
def denial(failure):
    """`denial(system, *canaries)`: what is told where the service does not accept the key."""

    def ask(system, *canaries):
        error = failure(system, *canaries)
        assert isinstance(error, Unauthorised)
        return str(error)

    return ask


@pytest.fixture
def time_to_wait(failure):
    """`time_to_wait(system, *canaries)`: the seconds that the service asks for."""

    def ask(system, *canaries):
        error = failure(system, *canaries)
        assert isinstance(error, Throttled)
        return error.retry_after

    return ask


@pytest.fixture
def there_and_back(service):
    """`there_and_back(system, one, other)`: what was sent for a text in the one language, and for one in the other."""

    def ask(system, one, other):
        before = len(service.requests)
        translated(system, ["x"], one, other)
        translated(system, ["x"], other, one)
        return list(service.requests[before:])

    return ask
