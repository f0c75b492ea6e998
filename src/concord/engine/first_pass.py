"""The first pass of a run: translations of its own texts, from which word alignment is learnt before any is judged.

The texts are those that the relation will ask for anyway, so that nothing is bought for this alone. They are the
first of the corpus, whatever was checked before, so that a run that is taken up again learns the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from concord import plugins
from concord.engine.run import run
from concord.engine.services import needed
from concord.engine.shard import Job
from concord.engine.translating import Translating
from concord.model import Case, Segment, Text

FIRST = 3_000
"""Texts that are learnt from; what comes later in a corpus is aligned by what is known from these."""

Pair = tuple[Text, Text]


async def first_pass(
    segments: Iterable[Segment],
    translate: Translating,
    to: str,
    stop: asyncio.Event | None = None,
    *,
    narrow: bool = False,
) -> list[Pair]:
    """The first texts of a corpus with their translations, in its order; what cannot be translated is left out."""
    found: list[tuple[int, Pair]] = []

    def start(segment: Segment, repetition: int) -> Coroutine[Any, Any, list[Case]]:
        async def ask() -> list[Case]:
            found.append((segment.position, (segment.text, await translate(segment.text, to))))
            return []

        return ask()

    first = islice(_distinct(segments), FIRST)
    async for _ in run(start, first, [translate.batched], stop=stop, narrow=narrow):
        pass
    translate.batched.reopen()
    return [pair for _, pair in sorted(found, key=lambda each: each[0])]


async def taught(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    stop: asyncio.Event | None = None,
    *,
    narrow: bool = False,
) -> Job:
    """The job with what its first pass has learnt, where its relation has differences explained."""
    if job.fitted or "explain" not in needed(plugins.load("relations", job.relation), job.options):
        return job
    pairs = await first_pass(segments, translate, job.options["to"], stop, narrow=narrow)
    return replace(job, fitted=await _learnt(pairs, job.chosen.get("glossary", "")))


async def _learnt(pairs: Sequence[Pair], glossary: str) -> bytes:
    """What texts and their translations tell about words, as bytes that can be handed to workers."""
    if not pairs:
        return b""
    from concord.compare import align, gather  # with numpy, which other runs can do without
    from concord.compare.keeping import dump

    return await asyncio.to_thread(
        lambda: dump(align(pairs, gather((pairs[0][0].lang, pairs[0][1].lang), glossary=glossary)))
    )


def _distinct(segments: Iterable[Segment]) -> Iterator[Segment]:
    seen: set[Text] = set()
    for segment in segments:
        if segment.text not in seen:
            seen.add(segment.text)
            yield segment
