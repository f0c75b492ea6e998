"""Running relations on a corpus: into a workspace, in memory, or as files of texts to be translated elsewhere."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from concord import plugins
from concord.api._common import now, open_or_empty, resolve_names, with_services
from concord.corpus import Corpus, read
from concord.engine.batching.budget import Budget
from concord.engine.batching.question import HeldAnswers
from concord.engine.first_pass import ask_all, with_first_pass
from concord.engine.job import Job, run_job
from concord.engine.services import ServicePool, versions
from concord.engine.translate import Translating
from concord.errors import CONFIGURATION, WORKSPACE, UserError
from concord.language.codes import normalise
from concord.language.sanity.profile import AnswerProfile
from concord.model import Direction, Outcome, Segment, System, Text
from concord.plugins import RECOMMENDED
from concord.relations._protocol import load_relation
from concord.runs import plan as planning
from concord.runs.config import Configuration, all_services
from concord.runs.estimate import Estimate, estimate
from concord.runs.execute import SEED, RunExecutor, Settings, job_of
from concord.runs.summary import Progress, Summary
from concord.scratch import clear_abandoned
from concord.store import Workspace
from concord.store.comparators import Learnt
from concord.translators._function import Function
from concord.translators.files import Translator as Files


def run(
    corpus: Corpus | str | Path,
    *,
    systems: Sequence[str | System],
    to: Sequence[str],
    relations: Sequence[str] = (RECOMMENDED,),
    source: str = "en",
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    config: str | Path | Configuration = CONFIGURATION,
    watch: Callable[[Progress], None] | None = None,
) -> list[Summary]:
    """Check each relation on each system and direction; a second call resumes the runs or reads the workspace.

    By default they are the recommended set; `sane` runs only if it is among those that are named.
    Options of relations that are not given come from the file `config`, if there is one, or are the defaults.
    """
    opened = corpus if isinstance(corpus, Corpus) else read(corpus, source)
    specs, tested, targets = resolve_names(relations, systems, to, config)
    how = with_services(settings, config)

    async def execute(store: Workspace) -> list[Summary]:
        async with planning.closing(tested):
            tasks = await planning.tasks(opened, specs, tested, targets, how.seconds, how.services)
            return await RunExecutor(store, how, watch or (lambda progress: None)).in_sequence(tasks)

    clear_abandoned()
    with Workspace(workspace) as store:
        store.claim()
        return now(execute(store))


def dry_run(
    corpus: Corpus | str | Path,
    *,
    systems: Sequence[str | System],
    to: Sequence[str],
    relations: Sequence[str] = (RECOMMENDED,),
    source: str = "en",
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    config: str | Path | Configuration = CONFIGURATION,
) -> list[Estimate]:
    """What `run` would send and cost, without the answers that the workspace already has; nothing is sent."""
    opened = corpus if isinstance(corpus, Corpus) else read(corpus, source)
    specs, tested, targets = resolve_names(relations, systems, to, config)
    how = with_services(settings, config)

    async def estimated(store: Workspace) -> list[Estimate]:
        async with planning.closing(tested):
            tasks = await planning.tasks(opened, specs, tested, targets, how.seconds, how.services)
            return await estimate(tasks, store, how, Budget(per_million=how.price))

    with open_or_empty(workspace) as store:
        return now(estimated(store))


def check(
    relation: str,
    corpus: Corpus | str | Path | Sequence[str],
    *,
    translator: System | Callable[..., Any] | str,
    to: str,
    source: str = "en",
    seed: int = SEED,
    workspace: str | Path | None = None,
    learnt: Mapping[str, Any] | None = None,
    services: Mapping[str, str] | None = None,
) -> list[Outcome]:
    """Check one relation on one system in memory; nothing is stored. The translator may be a function of yours.

    The function takes `(text)`, `(text, source, target)` or `(texts, source, target)`, sync or async. Few texts tell
    the comparator little about words: it goes by what the latest run in `workspace` has learnt, or by `learnt`.
    `services` are those of `Settings`.
    """
    plugins.admit(relation, translator if isinstance(translator, str) else "")
    system = _one_system(translator)
    spec, lang, target = plugins.parse("relations", relation), normalise(source), normalise(to)
    segments = _segments(corpus, lang)
    learnt = latest_learnt(workspace, system, (lang, target)) if learnt is None else learnt
    planning.check_services(chosen := all_services(services or {}, None))

    async def outcomes() -> list[Outcome]:
        try:
            choices, known = planning.services_for(system, chosen), await planning.directions(system)
            planning.plan_of(spec, lang, known, target)
            form, pool = load_relation(spec.name), ServicePool()
            versions(form, choices, lang, target, plugins.settings("relations", spec), pool=pool)
            translate = Translating(system, known, memory=HeldAnswers(), gate=Budget().gate(system))
            job = Job.for_relation(spec, target, translate, seed, form.repetitions, choices)
            job = replace(job, source=lang, parsed=form.parsed(lang, target), **learnt)
            job = await with_first_pass(job, segments, translate, pool=pool)
            return [outcome async for outcome in run_job(job, segments, translate, pool=pool)]
        finally:
            await system.close()

    return sorted(now(outcomes()), key=lambda outcome: outcome.segment.position)


def _one_system(translator: System | Callable[..., Any] | str) -> System:
    """The system that a translator is or stands for."""
    made = plugins.system(translator) if isinstance(translator, str) else translator
    system = made if isinstance(made, System) else Function(made)
    if len(system.each()) > 1:
        raise UserError(f"check takes one sample of a text, not {len(system.each())}: leave `samples` out")
    return system


def _segments(corpus: Corpus | str | Path | Sequence[str], lang: str) -> Iterable[Segment]:
    """The segments of a corpus, of a file or of texts."""
    if isinstance(corpus, (str, Path)):
        return read(corpus, lang)
    if isinstance(corpus, Corpus):
        return corpus
    return [Segment(str(position + 1), Text(text, lang), position) for position, text in enumerate(corpus)]


def latest_learnt(workspace: str | Path | None, system: System, direction: Direction) -> dict[str, Any]:
    """What the latest run of a system in a workspace has learnt about a direction, as fields of a job."""
    if workspace is None or not Path(workspace).exists():
        return {}
    with Workspace(workspace, create=False) as store:
        known = Learnt(store).latest(system.id, direction) if store.has("learnt", "profile") else None
    return {"learnt": known[0], "profile": AnswerProfile(**known[1])} if known else {}


def plan(
    corpus: Corpus | str | Path,
    *,
    system: str,
    to: Sequence[str],
    relations: Sequence[str] = (RECOMMENDED,),
    source: str = "en",
    seed: int = SEED,
    repetitions: int | None = None,
    config: str | Path | Configuration = CONFIGURATION,
    services: Mapping[str, str] | None = None,
    note: Callable[[str], None] = lambda note: None,
) -> dict[tuple[Path, Path], int]:
    """Write the texts that must be translated elsewhere; `system` is `files:FOLDER`, with its format if not lines.

    Returns the number of missing texts by their file and the file for their translations.

    A relation of several steps needs more texts once it has the first answers: plan until nothing is missing.
    `services` are those of `Settings`; `note` is called with each note on a run.
    """
    opened = corpus if isinstance(corpus, Corpus) else read(corpus, source)
    files = plugins.system(system)
    if not isinstance(files, Files):
        raise UserError(f"plan writes files: --system files:FOLDER, not '{system}'")
    specs, systems, targets = resolve_names(relations, [files], to, config)
    how = with_services(Settings(seed=seed, repetitions=repetitions, services=services or {}), config)

    async def ask() -> None:
        for task in await planning.tasks(opened, specs, systems, targets, None, how.services):
            translate = Translating(files, None)
            await ask_all(job_of(task, translate, how), opened, translate)
            for remark in task.plan.notes:
                note(remark)

    now(ask())
    return files.write_missing()
