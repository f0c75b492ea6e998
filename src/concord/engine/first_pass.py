"""The first pass of a run: it translates texts of the corpus before any case is judged, and learns from the answers.

A run of `sane` learns which lengths are usual and which answers are repeated; one that is judged by the comparator
also learns word alignment.

The relation will ask for nearly all of these translations anyway; those of which it makes no case are worth their price
for what they teach about words. The texts are the first of the corpus, whatever was checked before, so that a resumed
run learns the same. Where a budget is capped, they are so few that most of it is left for checks.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter

from concord.bounds import is_judgeable
from concord.engine.job import Job, run_job
from concord.engine.run import Judged, run
from concord.engine.services import ServicePool
from concord.engine.services._worker_thread import WorkerThread
from concord.engine.translate import Translating
from concord.language.sanity.profile import profile
from concord.model import Segment, Text
from concord.relations._protocol import SANITY, load_relation

FIRST = 3_000
"""Texts that are learnt from; later texts of a corpus are aligned by what these have taught."""
SHARE = 3
"""The first pass may spend the budget divided by this; the rest is for checks."""

Pair = tuple[Text, Text]


@dataclass(frozen=True, slots=True)
class Allowance:
    """The characters that a first pass may send; texts whose translation is cached cost none."""

    characters: int
    is_cached: Callable[[Text], bool]

    def affordable(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """The segments up to the first that exceeds the allowance."""
        left = self.characters
        for segment in segments:
            left -= 0 if self.is_cached(segment.text) else len(segment.text.words)
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
    """The first texts of a corpus with their translations, in its order; untranslatable texts are left out."""
    pairs: list[tuple[int, Pair]] = []

    async def ask(segment: Segment, repetition: int) -> Judged:
        pairs.append((segment.position, (segment.text, await translate(segment.text, to))))
        return [], None

    distinct = _distinct(segments)
    first = islice(allowance.affordable(distinct) if allowance else distinct, FIRST)
    async for _ in run(ask, first, [translate.batched], stop=stop):
        pass
    translate.batched.reopen()
    return [pair for _, pair in sorted(pairs, key=itemgetter(0))]


async def with_first_pass(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    stop: asyncio.Event | None = None,
    allowance: Allowance | None = None,
    pool: ServicePool | None = None,
) -> Job:
    """The job with what its first pass has learnt; runs that share `pool` learn from the same pairs once."""
    if job.profile is not None or not has_first_pass(job.relation):
        return job
    pairs = await first_pass(segments, translate, job.options["to"], stop, allowance)
    form = load_relation(job.relation)
    sound = [pair for pair in pairs if pair[1].words.strip() and is_judgeable(*pair)]
    learnt = b""
    if form.compares:
        lesson = (sound, dict(job.choices), form.compares_backward)
        pool = pool or ServicePool()
        learnt = pool.learnt if pool.lesson == lesson else await _learnt(*lesson)
        pool.lesson, pool.learnt = lesson, learnt
    return replace(job, profile=profile(pairs), learnt=learnt)


async def ask_all(job: Job, segments: Iterable[Segment], translate: Translating) -> None:
    """Ask for all translations that a run would ask for, its first pass included, and ignore the answers."""
    if has_first_pass(job.relation):
        await first_pass(segments, translate, job.options["to"])
    async for _ in run_job(job, segments, translate):
        pass


def has_first_pass(relation: str) -> bool:
    """Whether a run of a relation begins with a first pass: where the comparator judges, and in `sane`."""
    form = load_relation(relation)
    return form.compares or SANITY in form.asks


async def _learnt(pairs: Sequence[Pair], choices: Mapping[str, str], turned: bool) -> bytes:
    """The word alignment of texts and their translations, as bytes that can be sent to workers."""
    if not pairs:
        return b""
    from concord.comparator import align  # with numpy, which other runs can do without
    from concord.comparator.serialisation import chosen_evidence, dump, evidence_for

    ours = [(output, text) for text, output in pairs] if turned else pairs
    evidence = evidence_for((ours[0][0].lang, ours[0][1].lang), *chosen_evidence(choices), turned=turned)
    # A thread that ends leaves its memory to those of the services; a thread of a pool would keep it.
    thread = WorkerThread("learning")
    try:
        return await thread.do(lambda: dump(align(ours, evidence)))
    finally:
        thread.leave()


def _distinct(segments: Iterable[Segment]) -> Iterator[Segment]:
    texts: set[Text] = set()
    for segment in segments:
        if segment.text not in texts:
            texts.add(segment.text)
            yield segment
