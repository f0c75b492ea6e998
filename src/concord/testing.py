"""What a plug-in's own tests need: a table as translator, and the conformance tests.

from concord.testing import Table, now, check_relation, check_translator

cases = now(rtt.check(Text("Hello", "en"), Table({("Hello", "es"): "Hola", ("Hola", "en"): "Hello"}), to="es"))
check_relation("rtt")
check_translator(lambda: MyTranslator(), source="en", target="es")
"""

from __future__ import annotations

import asyncio
import inspect
import random
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import ModuleType
from typing import Any, TypeVar

from concord import plugins
from concord.engine.translating import complaint
from concord.errors import Refused, ServiceError
from concord.model import Case, Limits, System, Text

__all__ = ["Echo", "Table", "check_relation", "check_translator", "now"]

T = TypeVar("T")
SENTENCE = "The cat sat on the mat and did not move for 3 hours."


class Table:
    """A translator for relations that answers from a dict.

    Its keys are as exact as the test needs: `(words, source, target)`, `(words, target)` or just `words`.
    """

    def __init__(self, answers: Mapping[Any, str], pivots: Sequence[str] = ()) -> None:
        self._answers = answers
        self._pivots = tuple(pivots)
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, x: Text, to: str) -> Text:
        if x.lang == to:
            return x
        self.asked.append((x.words, to))
        for key in ((x.words, x.lang, to), (x.words, to), x.words):
            if key in self._answers:
                return Text(self._answers[key], to)
        raise Refused(f"the table has no translation of {x.words!r} from {x.lang} into {to}")

    async def each(self, xs: Sequence[Text], to: str) -> list[Text]:
        return [await self(x, to) for x in xs]

    def between(self, source: str, target: str) -> tuple[str, ...]:
        return self._pivots


class Echo(Table):
    """A perfect translator of a world with one language: every answer is the text itself."""

    def __init__(self, pivots: Sequence[str] = ("eo", "la")) -> None:
        super().__init__({}, pivots)

    async def __call__(self, x: Text, to: str) -> Text:
        return Text(x.words, to)


def now(check: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing, without an event loop."""
    try:
        check.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    check.close()
    raise AssertionError("the coroutine waits for something; give it services that answer at once, such as Table")


def check_relation(relation: str | ModuleType, text: str = SENTENCE, **options: Any) -> None:
    """Assert what must hold for every relation, given by name or as its module.

    Raises AssertionError with the reason.
    """
    module = plugins.load("relations", relation) if isinstance(relation, str) else relation
    name = module.__name__.rpartition(".")[2]
    check = module.check
    assert inspect.iscoroutinefunction(check), f"{name}: check must be a coroutine function"
    assert inspect.getdoc(module), f"{name}: the module needs a docstring that says what must hold"
    parameters = inspect.signature(check).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional[:1] == ["x"], f"{name}: the first parameter is x, the text"
    assert all(p.default is p.empty for p in parameters if p.name in positional), f"{name}: services have no defaults"
    assert not [p for p in parameters if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)], f"{name}: no *args, no **kwargs"

    first, second = (_checked(check, positional, text, options) for _ in range(2))
    assert isinstance(first, list), f"{name}: check returns a list of cases"
    assert all(isinstance(case, Case) for case in first), f"{name}: check returns a list of cases"
    assert first == second, f"{name}: the same text and seed must give the same cases"
    for case in first:
        assert not case.violated, f"{name}: a perfect translator is never suspected"
        if hasattr(module, "compare"):
            _check_compare(name, module.compare, case, options)


def _checked(check: Callable[..., Any], positional: list[str], text: str, options: Mapping[str, Any]) -> Any:
    supplied = {"translate": Echo(), "rng": random.Random(7)}
    unknown = [service for service in positional[1:] if service not in supplied]
    assert not unknown, f"no service is called {', '.join(unknown)}"
    return now(check(Text(text, "en"), *(supplied[service] for service in positional[1:]), to="es", **options))


def _check_compare(name: str, compare: Callable[..., Case], case: Case, options: Mapping[str, Any]) -> None:
    accepted = {p.name for p in plugins.parameters(compare)}
    judged = compare(
        case.source,
        case.follow_up,
        case.source_output,
        case.follow_up_output,
        **{option: value for option, value in options.items() if option in accepted},
    )
    assert judged.suspicion == case.suspicion, f"{name}: compare and check must agree on a pair"


def check_translator(
    system: System | Callable[[], System],
    source: str = "en",
    target: str = "es",
    texts: Sequence[str] = ("The house is big.", "I do not have 3 cats.", "Good morning!"),
) -> None:
    """Assert what must hold for every translator, given as itself or as what makes one.

    Raises AssertionError with the reason.
    """
    for _ in range(2):  # a second event loop, as two runs in one program have
        made = system if isinstance(system, System) else system()
        asyncio.run(_check_translator(made, source, target, list(texts)))


async def _check_translator(system: System, source: str, target: str, texts: list[str]) -> None:
    assert isinstance(system, System), f"{type(system).__name__}: a translator is a concord.System"
    name = system.id or type(system).__module__
    assert isinstance(system.limits, Limits), f"{name}: limits is a Limits"
    assert system.limits.texts >= 1, f"{name}: a request holds at least one text"
    assert system.limits.in_flight >= 1, f"{name}: at least one request may be in flight"
    try:
        known = await system.directions()
        assert known is None or (source, target) in known, f"{name}: {source}-{target} is not among its directions"
        told = system.version(source, target)
        assert told == system.version(source, target), f"{name}: the version must not change by itself"
        assert told is None or not set(told) & set("|\n"), f"{name}: no | and no line end in a version"
        one_by_one = [(await system.translate([text], source, target))[0] for text in texts]
        for text, answer in zip(texts, one_by_one, strict=True):
            said = complaint(text, answer)
            assert isinstance(answer, ServiceError) or said is None, f"{name}: {said} for {text!r}"
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


async def _in_batches(system: System, texts: list[str], source: str, target: str) -> list[str]:
    size = system.limits.texts
    batches = [texts[start : start + size] for start in range(0, len(texts), size)]
    return [str(answer) for batch in batches for answer in await system.translate(batch, source, target)]
