"""Any other system with faults put into its answers, at a known rate, to measure what checks find.

`--system faulty:apertium,kind=drop_word,rate=0.2,seed=7`. Whether a text is hit is decided by a hash of
seed, kind, direction and text alone, so neither order nor batch matters. A fault that does not apply
(there is no number to change) leaves the answer alone, so the share of faulty answers can be lower
than `rate`. A faulty answer carries a note with what was done, which `concord faults` lists. The kinds `error`, `delay`
and `wrong_count` are faults of the service: a chosen text makes its whole batch fail, come `delay`
seconds late, or come back one answer short.
"""

import asyncio
import random
from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from concord.bounds import is_cut
from concord.errors import ServiceError, Unavailable, UnknownName, UserError
from concord.model import System
from concord.options import Share, Within
from concord.signature import digest, option_text
from concord.translators._fault_injection import inject
from concord.translators._wrapper import Wrapped

Kind = Literal[
    "any",
    "drop_word",
    "drop_phrase",
    "repeat_phrase",
    "wrong_word",
    "change_number",
    "lose_negation",
    "swap_order",
    "copy_source",
    "error",
    "delay",
    "wrong_count",
]
SERVICE_FAULTS = frozenset({"error", "delay", "wrong_count"})


class Translator(Wrapped):
    """The system `inner`, or the one that the argument describes, with faults."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "The system that gets the faults, written as for `--system`."] = "",
        inner: System | None = None,
        kind: Annotated[Kind, "Kind of fault; any draws one of those of translations for each text."] = "any",
        rate: Annotated[Share, "Proportion of the texts that are hit."] = 0.1,
        seed: Annotated[int, "Decides which texts are hit."] = 0,
        delay: Annotated[float, Within(0), "Seconds by which an answer is late, with kind=delay."] = 1.0,
    ) -> None:
        if kind not in get_args(Kind):
            raise UnknownName("kind of fault", kind, get_args(Kind))
        super().__init__(inner or _built(argument))
        self._kind = kind
        self._rate = rate
        self._seed = seed
        self._delay = delay
        self._fault = f"kind={kind},rate={option_text(rate)},seed={seed}"
        self.id = f"faulty:{self.inner.id or argument},{self._fault}"
        self.given = ""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        draws = [digest(str(self._seed), self._kind, source, target, text) for text in texts]
        hits = [int.from_bytes(drawn[:8]) < self._rate * 2**64 for drawn in draws]
        if self._kind in SERVICE_FAULTS:
            return await self._service_fault(texts, source, target, any(hits))
        answers = list(await self.inner.translate(texts, source, target))
        for index, (text, answer) in enumerate(zip(texts, answers, strict=False)):
            if hits[index] and isinstance(answer, str) and not is_cut(text, answer):
                rng = random.Random(int.from_bytes(draws[index][8:]))
                answers[index] = inject(self._kind, answer, target, rng, text) or answer
        return answers

    def version(self, source: str, target: str) -> str | None:
        inner = self.inner.version(source, target)
        return None if inner is None else f"{inner}+faults1,{self._fault}"

    def each(self) -> Sequence[System]:
        options: dict[str, Any] = {"kind": self._kind, "rate": self._rate, "seed": self._seed, "delay": self._delay}
        return [self, *(Translator(inner=sample, **options) for sample in self.inner.each()[1:])]

    async def _service_fault(
        self, texts: Sequence[str], source: str, target: str, hit: bool
    ) -> Sequence[str | ServiceError]:
        if hit and self._kind == "error":
            raise Unavailable("a fault was injected: the service does not answer")
        if hit and self._kind == "delay":
            await asyncio.sleep(self._delay)
        answers = await self.inner.translate(texts, source, target)
        return answers[:-1] if hit and self._kind == "wrong_count" else answers


def _built(argument: str) -> System:
    from concord import plugins

    if not argument:
        raise UserError("faulty needs another system: --system faulty:apertium,rate=0.2")
    return plugins.system(argument)
