"""A job: a relation and everything needed to run it, as plain data; `run_job` runs it in this process."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from concord import plugins
from concord.engine.run import Start, bind, run
from concord.engine.services import Local, ServicePool, Terms
from concord.engine.timings import StageTally, Stopwatch
from concord.engine.translate import Translating
from concord.language.sanity import run_sanity
from concord.language.sanity.profile import AnswerProfile
from concord.model import Direction, Limits, Outcome, Segment
from concord.relations._protocol import SANITY, load_relation


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
    choices: Mapping[str, str] = field(default_factory=dict)
    """The plug-ins that the user has chosen for services besides `translate`."""
    made_up: bool = False
    """Whether the languages of the system are made up."""
    source: str = ""
    parsed: tuple[str, ...] = ()
    """The languages that the relation may parse; if empty, any."""
    seconds: float | None = None
    """The timeout of an answer of those services, if the user has set one."""
    profile: AnswerProfile | None = None
    """What the first pass has seen of the answers; None before it."""
    learnt: bytes = b""
    """What the first pass has learnt about words, for `explain`."""
    fitted: bytes = b""
    """The comparator that was trained on labels, also for `explain`; without one, the rule judges."""

    @classmethod
    def for_relation(
        cls,
        spec: plugins.Spec,
        to: str,
        translate: Translating,
        seed: int,
        repetitions: int = 1,
        choices: Mapping[str, str] | None = None,
    ) -> "Job":
        """The job of a relation into a language, on the system that `translate` asks."""
        directions = translate.directions
        return cls(
            relation=spec.name,
            options={**plugins.settings("relations", spec), "to": to},
            seed=seed,
            repetitions=repetitions,
            system=translate.system.id,
            directions=None if directions is None else tuple(sorted(directions)),
            limits=translate.batched.limits,
            choices=dict(choices or {}),
            made_up=translate.system.made_up,
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
    """Run the job in this process, with services of `pool`; `tally` receives its timings."""
    tally, pool = tally or StageTally(), pool or ServicePool()
    watches: dict[str, Stopwatch] = {
        "start": Stopwatch(),
        "translate": translate.batched.watch,
        "relation": Stopwatch(),
    }
    with watches["start"]:
        start, services = _prepared(job, translate, tally, pool)
    watches |= {name: service.batched.watch for name, service in services.items()}
    batched = [translate.batched, *(service.batched for service in services.values())]
    thinking = watches["relation"]
    try:
        async for outcome in run(
            start, segments, batched, repetitions=job.repetitions, stop=stop, narrow=narrow, thinking=thinking
        ):
            tally.time(watches)
            yield outcome
    finally:
        tally.time(watches)
        await asyncio.gather(*(service.close() for service in services.values()))
        for service in services.values():
            pool.take_back(service)


def _prepared(job: Job, translate: Translating, tally: StageTally, pool: ServicePool) -> tuple[Start, dict[str, Local]]:
    form = load_relation(job.relation)
    terms = Terms(
        job.source, job.parsed, job.seconds, tally.rejected, job.options["to"], learnt=job.learnt, fitted=job.fitted
    )
    services = {name: pool.lend(name, job.choices, terms) for name in form.services(job.options)}
    verbs = dict.fromkeys(form.asks) | {name: service.verb for name, service in services.items()}
    sanity = run_sanity(job.profile or AnswerProfile(), job.source, job.options["to"], job.made_up)
    return bind(form, job.options, verbs | {"translate": translate, SANITY: sanity}, job.seed), services
