"""The conformance test for translators."""

import asyncio
from collections.abc import Callable, Sequence

from concord.engine.translate import usable
from concord.errors import BadAnswer, ServiceError
from concord.model import Limits, System


def check_translator(
    system: System | Callable[[], System],
    source: str = "en",
    target: str = "es",
    texts: Sequence[str] = ("The house is big.", "I do not have 3 cats.", "Good morning!"),
) -> None:
    """Assert that a translator conforms, given as an object or as a function that makes one.

    Raises AssertionError with the reason.
    """
    for _ in range(2):  # a second event loop, as two runs in one program have
        instance = system if isinstance(system, System) else system()
        asyncio.run(_check_translator(instance, source, target, list(texts)))


async def _check_translator(system: System, source: str, target: str, texts: list[str]) -> None:
    assert isinstance(system, System), f"{type(system).__name__}: a translator is a concord.System"
    name = system.id or type(system).__module__
    assert isinstance(system.limits, Limits), f"{name}: limits is a Limits"
    assert system.limits.texts >= 1, f"{name}: a request holds at least one text"
    assert system.limits.in_flight >= 1, f"{name}: at least one request may be in flight"
    try:
        directions = await system.directions()
        assert directions is None or (source, target) in directions, (
            f"{name}: {source}-{target} is not among its directions"
        )
        version = system.version(source, target)
        assert version == system.version(source, target), f"{name}: the version must not change by itself"
        assert version is None or not set(version) & set("|\n"), f"{name}: no | and no line end in a version"
        one_by_one = [(await system.translate([text], source, target))[0] for text in texts]
        for text, answer in zip(texts, one_by_one, strict=True):
            if not isinstance(answer, ServiceError):
                _check_answer(name, text, answer)
        forth = await _in_batches(system, texts, source, target)
        back = await _in_batches(system, texts[::-1], source, target)
        assert len(forth) == len(texts), f"{name}: one answer per text, not {len(forth)} for {len(texts)}"
        expected = list(map(str, one_by_one))
        assert forth == expected == back[::-1], f"{name}: a text's answer depends on its neighbours"
        await system.close()
        again = await system.translate(texts[:1], source, target)
        assert str(again[0]) == str(one_by_one[0]), f"{name}: after close it must work again, with the same answer"
    finally:
        await system.close()


def _check_answer(name: str, text: str, answer: object) -> None:
    try:
        usable(text, answer)
    except BadAnswer as error:
        raise AssertionError(f"{name}: {error} for {text!r}") from None


async def _in_batches(system: System, texts: list[str], source: str, target: str) -> list[str]:
    size = system.limits.texts
    batches = [texts[start : start + size] for start in range(0, len(texts), size)]
    return [str(answer) for batch in batches for answer in await system.translate(batch, source, target)]
