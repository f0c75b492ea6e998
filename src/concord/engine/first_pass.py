"""The first pass of a run: translations of its own texts, from which word alignment is learnt before any is judged.

The texts are those that the relation will ask for anyway, but for those of which it makes no case: what they have to
tell about words is worth their price. They are the first of the corpus, whatever was checked before, so that a run that
is taken up again learns the same. Where a budget is capped, they are so few that most of it is left for checks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from concord import plugins
from concord.engine.job import Job, run_job
from concord.engine.run import run
from concord.engine.services import needed
from concord.engine.services._worker_thread import Hand
from concord.engine.translate import Translating
from concord.model import Case, Segment, Text
from concord.relations._protocol import turned

FIRST = 3_000
"""Texts that are learnt from; what comes later in a corpus is aligned by what is known from these."""
SHARE = 3
"""A first pass may send one part in so many of what a budget allows: the rest is for checks."""

Pair = tuple[Text, Text]


@dataclass(frozen=True, slots=True)
class Allowance:
    """The characters that a first pass may send; texts whose translation is `known` cost none."""

    characters: int
    known: Callable[[Text], bool]

    def of(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """The segments up to the first that is too dear."""
        left = self.characters
        for segment in segments:
            left -= 0 if self.known(segment.text) else len(segment.text.words)
            if left < 0:
                return
            yield segment


async def first_pass(
    segments: Iterable[Segment],
    translate: Translating,
    to: str,
    stop: asyncio.Event | None = None,
    allowance: Allowance | None = None,
) -> list[Pair]:
    """The first texts of a corpus with their translations, in its order; what cannot be translated is left out."""
    found: list[tuple[int, Pair]] = []

    def start(segment: Segment, repetition: int) -> Coroutine[Any, Any, list[Case]]:
        async def ask() -> list[Case]:
            found.append((segment.position, (segment.text, await translate(segment.text, to))))
            return []

        return ask()

    distinct = _distinct(segments)
    first = islice(allowance.of(distinct) if allowance else distinct, FIRST)
    async for _ in run(start, first, [translate.batched], stop=stop):
        pass
    translate.batched.reopen()
    return [pair for _, pair in sorted(found, key=lambda each: each[0])]


async def taught(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    stop: asyncio.Event | None = None,
    allowance: Allowance | None = None,
) -> Job:
    """The job with what its first pass has learnt, where its relation has differences explained."""
    if job.learnt or not _learns(job):
        return job
    pairs = await first_pass(segments, translate, job.options["to"], stop, allowance)
    return replace(job, learnt=await _learnt(pairs, job.chosen, turned(job.relation)))


async def ask_all(job: Job, segments: Iterable[Segment], translate: Translating) -> None:
    """Ask for all that a run would ask for, its first pass included, and look at no answer."""
    if _learns(job):
        await first_pass(segments, translate, job.options["to"])
    async for _ in run_job(job, segments, translate):
        pass


def _learns(job: Job) -> bool:
    """Whether the relation of a job has differences explained, and so begins with a first pass."""
    return "explain" in needed(plugins.load("relations", job.relation), job.options)


async def _learnt(pairs: Sequence[Pair], chosen: Mapping[str, str], turned: bool) -> bytes:
    """What texts and their translations tell about words, as bytes that can be handed to workers."""
    if not pairs:
        return b""
    from concord.comparator import align  # with numpy, which other runs can do without
    from concord.comparator.serialisation import chosen_evidence, dump, evidence_for

    ours = [(output, text) for text, output in pairs] if turned else pairs
    evidence = evidence_for((ours[0][0].lang, ours[0][1].lang), *chosen_evidence(chosen), turned=turned)
    # A thread that ends hands its memory on to those of the services; one of a pool would keep it to itself.
    hand = Hand("learning")
    try:
        return await hand.do(lambda: dump(align(ours, evidence)))
    finally:
        hand.leave()


def _distinct(segments: Iterable[Segment]) -> Iterator[Segment]:
    seen: set[Text] = set()
    for segment in segments:
        if segment.text not in seen:
            seen.add(segment.text)
            yield segment
