"""What the engine costs: overhead, how full its batches are, how near it comes to the ideal wall time."""

from __future__ import annotations

import asyncio
import math
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from concord.engine.batching.question import Memory, QuestionCounts
from concord.engine.run import bind, run
from concord.engine.translate import Translating
from concord.model import Limits, Segment, System, Text
from concord.relations import rtt
from concord.relations._protocol import load_relation
from concord.runs.memory import StoreMemory
from concord.store import Workspace


class Instant(System):
    """Answers at once, or after a jittered latency."""

    def __init__(self, limits: Limits, latency: float = 0.0) -> None:
        self.id = "instant"
        self.limits = limits
        self.slept = 0.0
        self._latency = latency
        self._rng = random.Random(5)

    def version(self, source: str, target: str) -> str:
        return "1"

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        if self._latency:
            seconds = self._latency * self._rng.uniform(0.5, 1.5)
            self.slept += seconds
            await asyncio.sleep(seconds)
        return [text[::-1] for text in texts]


async def two_questions(x: Text, translate: Any, *, to: str) -> list[Any]:
    """A round trip that compares nothing, so that only the engine is measured."""
    await translate(await translate(x, to), x.lang)
    return []


def measured(system: System, check: Any, count: int, memory: Memory | None = None) -> tuple[float, QuestionCounts]:
    return measured_on(system, check, [f"This is sentence number {i} of the benchmark." for i in range(count)], memory)


def measured_on(
    system: System, check: Any, texts: list[str], memory: Memory | None = None
) -> tuple[float, QuestionCounts]:
    corpus = [Segment(str(i), Text(text, "en"), i) for i, text in enumerate(texts)]

    async def go() -> tuple[float, QuestionCounts]:
        translate = Translating(system, None, memory=memory)
        relation = ModuleType("bench")
        vars(relation)["check"] = check
        start = bind(load_relation(relation), {"to": "es"}, {"translate": translate}, 1)
        began = time.perf_counter()
        async for outcome in run(start, corpus, [translate.batched]):
            assert outcome.error is None, outcome.error
        seconds = time.perf_counter() - began
        await system.close()
        return seconds, translate.batched.counts

    return asyncio.run(go())


def rows() -> list[tuple[str, str, str]]:
    seconds, counts = measured(Instant(Limits(texts=64)), two_questions, 60_000)
    made = [("translations/s, zero latency, engine alone", f"{counts.asked / seconds:,.0f}", "≥ 30,000 per process")]

    with tempfile.TemporaryDirectory() as folder, Workspace(Path(folder) / "w.sqlite") as store:
        system = Instant(Limits(texts=64))
        stored, counts = measured(system, two_questions, 30_000, StoreMemory(store, system))
        made.append(("the same, every answer committed to the workspace", f"{counts.asked / stored:,.0f}", ""))
        again, counts = measured(system, two_questions, 30_000, StoreMemory(store, system))
        made.append(("the same, every answer from the workspace", f"{counts.asked / again:,.0f}", ""))

    seconds, counts = measured(Instant(Limits(texts=32, in_flight=8)), rtt.check, 1500)
    made.append(("batch fill, 1,500 sentences × rtt, zero latency", _fill(counts, 32), "≥ 95 %"))

    system = Instant(Limits(texts=32, in_flight=8), latency=0.1)
    seconds, counts = measured(system, rtt.check, 1500)
    made.append(("batch fill, 1,500 sentences × rtt, 100 ms jittered", _fill(counts, 32), "≥ 95 %"))
    ideal = math.ceil(3000 / 32) * 0.1 / 8
    made.append(
        (
            "wall time / ideal, 100 ms jittered, batch 32, 8 in flight",
            f"{seconds / ideal:.2f} ({seconds:.2f} s)",
            "≤ 1.2",
        )
    )
    return made


def _fill(counts: QuestionCounts, batch: int) -> str:
    return f"{counts.sent / (counts.requests * batch):.1%}"


if __name__ == "__main__":
    for row in rows():
        print("| " + " | ".join(row) + " |")
