"""A job: a relation and all that it takes to run it, as plain data, and the run of it in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from concord import plugins
from concord.engine.run import Start, bind, run
from concord.engine.services import Local, ServicePool, Terms
from concord.engine.timings import StageTally, Stopwatch
from concord.engine.translate import Translating
from concord.model import Direction, Limits, Outcome, Segment
from concord.relations._protocol import load_relation


@dataclass(frozen=True, slots=True)
class Job:
    """A relation and everything a worker must know to run it, as plain data."""

    relation: str
    options: Mapping[str, Any]
    seed: int
    repetitions: int
    system: str
    directions: tuple[Direction, ...] | None
    limits: Limits
    chosen: Mapping[str, str] = field(default_factory=dict)
    """What stands behind the services besides `translate`, where the user has chosen."""
    source: str = ""
    parsed: tuple[str, ...] = ()
    """The languages whose texts the relation may have parsed; any, if none is named."""
    seconds: float | None = None
    """How long one answer of those services may take, where the user has said so."""
    learnt: bytes = b""
    """What the first pass has learnt about words, for `explain`."""
    fitted: bytes = b""
    """The comparator that labels have taught, for `explain` too; the rule judges where there is none."""

    @classmethod
    def of(
        cls,
        spec: plugins.Spec,
        to: str,
        translate: Translating,
        seed: int,
        repetitions: int = 1,
        chosen: Mapping[str, str] | None = None,
    ) -> Job:
        """The job of a relation into a language, on the system behind `translate`."""
        known = translate.directions
        return cls(
            relation=spec.name,
            options={**plugins.settings("relations", spec), "to": to},
            seed=seed,
            repetitions=repetitions,
            system=translate.system.id,
            directions=None if known is None else tuple(sorted(known)),
            limits=translate.batched.limits,
            chosen=dict(chosen or {}),
        )


async def run_job(
    job: Job,
    segments: Iterable[Segment],
    translate: Translating,
    stop: asyncio.Event | None = None,
    *,
    narrow: bool = False,
    tally: StageTally | None = None,
    pool: ServicePool | None = None,
) -> AsyncIterator[Outcome]:
    """The job in this process, by services of `pool`; `tally` is told what it takes."""
    tally, pool = tally or StageTally(), pool or ServicePool()
    watches: dict[str, Stopwatch] = {
        "start": Stopwatch(),
        "translate": translate.batched.watch,
        "relation": Stopwatch(),
    }
    with watches["start"]:
        start, others = _prepared(job, translate, tally, pool)
    watches |= {name: each.batched.watch for name, each in others.items()}
    every = [translate.batched, *(each.batched for each in others.values())]
    thinking = watches["relation"]
    try:
        async for outcome in run(
            start, segments, every, repetitions=job.repetitions, stop=stop, narrow=narrow, thinking=thinking
        ):
            tally.time(watches)
            yield outcome
    finally:
        tally.time(watches)
        await asyncio.gather(*(each.close() for each in others.values()))
        for each in others.values():
            pool.take_back(each)


def _prepared(job: Job, translate: Translating, tally: StageTally, pool: ServicePool) -> tuple[Start, dict[str, Local]]:
    chosen = load_relation(job.relation)
    told = Terms(job.source, job.parsed, job.seconds, tally.rejected, job.options["to"])
    terms = replace(told, learnt=job.learnt, fitted=job.fitted)
    others = {name: pool.lend(name, job.chosen, terms) for name in chosen.services(job.options)}
    verbs = dict.fromkeys(chosen.asks) | {name: each.verb for name, each in others.items()}
    return bind(chosen, job.options, verbs | {"translate": translate}, job.seed), others
