"""A function of the user's as a system: it takes a text, or a batch with its languages."""

import asyncio
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from concord.errors import BadAnswer, UserError
from concord.model import Limits, System


class Function(System):
    """`f(text)`, `f(text, source, target)` for one text, or `f(texts, source, target)` for a batch, sync or async.

    A parameter called `texts` makes it a batch. A plain function runs in a thread, so that it may take its time.
    """

    def __init__(self, function: Callable[..., Any], limits: Limits | None = None) -> None:
        self.id = f"python:{getattr(function, '__qualname__', type(function).__qualname__)}"
        self._function = function
        try:
            self._names = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            self._names = ["text"]
        if len(self._names) not in (1, 3):
            raise UserError(f"{self.id} must take (text), (text, source, target) or (texts, source, target)")
        self._batch = self._names[0] == "texts"
        self.limits = limits or Limits(texts=32 if self._batch else 1, in_flight=1 if self._batch else 4)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        languages = (source, target) if len(self._names) == 3 else ()
        if self._batch:
            answers = await self._call(list(texts), *languages)
            if not isinstance(answers, (list, tuple)):
                raise BadAnswer(f"{self.id} gave a {type(answers).__name__} instead of a list")
            return list(answers)
        return [await self._call(text, *languages) for text in texts]

    async def _call(self, *arguments: Any) -> Any:
        if inspect.iscoroutinefunction(self._function):
            return await self._function(*arguments)
        answer = await asyncio.to_thread(self._function, *arguments)
        return await answer if inspect.isawaitable(answer) else answer
