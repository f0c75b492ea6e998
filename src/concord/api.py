"""What users, the command line and the page call. One synchronous door; everything inside is asynchronous."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from concord import planning, plugins
from concord.configuration import CONFIGURATION, read_configuration
from concord.configuration import relation as configured
from concord.constructing import constructed
from concord.corpus import Corpus, read
from concord.doctor import apertium_lacks, doctor
from concord.engine.budget import Budget
from concord.engine.shard import Job, run_job
from concord.engine.translating import Translating
from concord.errors import Missing, ServiceError, UnknownName, UserError
from concord.estimating import Estimate, estimate
from concord.experiment import Asked, Design, Experiment, design, perform, read_experiment
from concord.experiment.observations import runs_of
from concord.judging import judge
from concord.model import Outcome, Segment, System, Text
from concord.report import html
from concord.report.baseline import Against, against
from concord.report.blame import METRICS, Blame
from concord.report.blame import blame as blamed
from concord.report.summary import Progress, Summary, summary
from concord.report.thresholds import Sweep, sweeps
from concord.report.translations import Group, by_segment, by_translation
from concord.running import SEED, Runs, Settings, job_of
from concord.store import RunRecord, Workspace
from concord.store.export import write_rows
from concord.store.label_sheet import COLUMNS, labels_from, lines_of, states
from concord.store.labels import Labels
from concord.store.sheets import write_sheet
from concord.store.workspace import THRESHOLDS
from concord.text.languages import normalise
from concord.translators._function import Function
from concord.translators.files import Translator as Files

__all__ = [
    "Asked",
    "Progress",
    "Settings",
    "analyse",
    "analyse_experiment",
    "apertium_lacks",
    "blame",
    "check",
    "compare",
    "compare_expressions",
    "constructed",
    "describe",
    "doctor",
    "dry_run",
    "dry_run_experiment",
    "evaluate",
    "export",
    "export_labels",
    "expressions",
    "faults",
    "groups",
    "import_labels",
    "judge",
    "labels",
    "need_png",
    "plan",
    "prevalence",
    "read",
    "report_experiment",
    "rows",
    "run",
    "run_experiment",
    "runs",
    "sample",
    "show",
    "thresholds",
    "tune",
    "worst",
    "write_evaluation",
    "write_report",
]

if TYPE_CHECKING:  # they bring scipy along, which only an analysis should wait for
    from concord.automata import Measure
    from concord.corpus.sample import Sample
    from concord.evaluating.evaluation import Evaluation, Terms
    from concord.evaluating.labelled import Labelled
    from concord.evaluating.tuning import Tuned
    from concord.experiment.findings import Findings
    from concord.stats.analysis import Analysis
    from concord.text.logic.prevalence import Prevalence, Scope

WORKSPACE = "concord.sqlite"
EVERY = 2**62
GROUPS = {"sentence": by_segment, "translation": by_translation}
Chosen = Sequence[str | int]
T = TypeVar("T")


def run(
    corpus: Corpus | str | Path,
    *,
    relations: Sequence[str],
    systems: Sequence[str | System],
    to: Sequence[str],
    source: str = "en",
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    config: str | Path = CONFIGURATION,
    watch: Callable[[Progress], None] | None = None,
) -> list[Summary]:
    """Check each relation on each system and direction; run again, it continues or answers from the workspace.

    Options of relations that are not given are those of the file `config`, if there is one, and else the defaults.
    """
    opened = corpus if isinstance(corpus, Corpus) else read(corpus, normalise(source))
    wanted = _wanted(relations, systems, to, config)
    how = settings or Settings()

    async def ran(store: Workspace) -> list[Summary]:
        async with planning.closing(wanted[1]):
            tasks = await planning.tasks(opened, *wanted, how.seconds, how.services)
            return await Runs(store, how, watch or (lambda progress: None)).each(tasks)

    with Workspace(workspace) as store:
        store.claim()
        return _now(ran(store))


def dry_run(
    corpus: Corpus | str | Path,
    *,
    relations: Sequence[str],
    systems: Sequence[str | System],
    to: Sequence[str],
    source: str = "en",
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    config: str | Path = CONFIGURATION,
) -> list[Estimate]:
    """What `run` would send and cost, beyond what the workspace already knows; nothing is sent."""
    opened = corpus if isinstance(corpus, Corpus) else read(corpus, normalise(source))
    wanted = _wanted(relations, systems, to, config)
    how = settings or Settings()

    async def guessed(store: Workspace) -> list[Estimate]:
        async with planning.closing(wanted[1]):
            tasks = await planning.tasks(opened, *wanted, how.seconds, how.services)
            return await estimate(tasks, store, how, Budget(per_million=how.price))

    with _looked_at(workspace) as store:
        return _now(guessed(store))


@contextlib.contextmanager
def _looked_at(workspace: str | Path) -> Iterator[Workspace]:
    """A workspace to read; one that does not exist yet is not made by looking at what it would take."""
    with contextlib.ExitStack() as places:
        if not Path(workspace).exists():
            workspace = Path(places.enter_context(tempfile.TemporaryDirectory())) / "none.sqlite"
        yield places.enter_context(Workspace(workspace))


def run_experiment(
    path: str | Path,
    *,
    systems: Sequence[str | System] = (),
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> tuple[list[Summary], list[ServiceError]]:
    """Make the observations of an experiment file, all systems side by side; run again, it continues.

    Gives a summary for each system, and what ended the run of a system before its time (a quota, a wrong key).
    `systems` take the place of those in the file; they may be systems made in Python.
    """
    plan, drawn, chosen, how = _experiment(path, settings, systems)

    async def made(store: Workspace) -> tuple[list[Summary], list[ServiceError]]:
        async with planning.closing(chosen):
            tasks, failed = await perform.tasks(plan, drawn, chosen, how.seconds)
            if not tasks:
                raise failed[0]
            summaries, ended = await Runs(store, how, watch or (lambda progress: None)).side_by_side(tasks)
            return summaries, [*failed, *ended]

    with Workspace(workspace) as store:
        store.claim()
        return _now(made(store))


def dry_run_experiment(
    path: str | Path, *, workspace: str | Path = WORKSPACE, settings: Settings | None = None
) -> list[Estimate]:
    """What `run_experiment` would send and cost; nothing is sent."""
    plan, drawn, systems, how = _experiment(path, settings)

    async def guessed(store: Workspace) -> list[Estimate]:
        async with planning.closing(systems):
            tasks, failed = await perform.tasks(plan, drawn, systems, how.seconds)
            if failed:
                raise failed[0]
            return await estimate(tasks, store, how, Budget(per_million=how.price))

    with _looked_at(workspace) as store:
        return _now(guessed(store))


def analyse_experiment(
    path: str | Path,
    *,
    systems: Sequence[str | System] = (),
    workspace: str | Path = WORKSPACE,
    asked: Asked | None = None,
) -> Findings:
    """The statistics of what the workspace has of an experiment; no system is needed.

    `systems` are those that took the place of the file's in `run_experiment`.
    """
    from concord.experiment.findings import findings

    plan = read_experiment(path)
    drawn = design(plan, read(plan.corpus, plan.source))
    with Workspace(workspace, create=False) as store:
        only = {system.id for system in _wanted(["pivot"], systems, plan.targets)[1]} if systems else None
        return findings(store, plan, runs_of(store, plan, drawn, only), asked or Asked())


def need_png() -> None:
    """Say at once what is missing for pictures as PNG."""
    if importlib.util.find_spec("vl_convert") is None:
        raise Missing("vl-convert-python", "pip install 'concord-mt[png]'")


def report_experiment(
    found: Findings, page: str | Path, *, charts: str | Path | None = None, png: bool = False
) -> list[Path]:
    """Write an experiment as a page and, into a folder, each picture as SVG (and PNG); gives the files."""
    from concord.experiment.page import write_page
    from concord.experiment.pictures import write_pictures

    write_page(found, Path(page))
    return [Path(page), *(write_pictures(found, Path(charts), png) if charts is not None else [])]


def analyse(
    table: str | Path,
    response: str,
    factors: Sequence[str],
    *,
    level: float = 0.95,
    nested: Mapping[str, str] | None = None,
    cluster: str | None = None,
    interaction: bool = True,
    resamples: int = 0,
    seed: int = SEED,
) -> Analysis:
    """The same statistics on any table: a CSV, TSV or JSONL file with a column of numbers and columns of factors."""
    from concord.stats import analysis as stats

    how: dict[str, Any] = {"nested": nested, "cluster": cluster, "interaction": interaction}
    return stats.analyse(table, response, factors, level=level, resamples=resamples, seed=seed, **how)


def sample(
    origin: str,
    *,
    size: int,
    source: str = "en",
    seed: int = SEED,
    lengths: tuple[int, int] = (5, 40),
    pages: int = 200,
    wrapped: bool = False,
) -> Sample:
    """Sentences spread over a text file (`-` for stdin), a Wikipedia dump (`.xml`, `.bz2`) or a wiki (its api.php).

    `wrapped` text has sentences that run over several lines; `pages` is how many articles of a wiki are read.
    """
    from concord.corpus.sample import pages_of, sample

    return sample(pages_of(origin, pages, wrapped), size=size, seed=seed, lang=source, lengths=lengths)


def _experiment(
    path: str | Path, settings: Settings | None, systems: Sequence[str | System] = ()
) -> tuple[Experiment, Design, list[System], Settings]:
    plan = read_experiment(path)
    drawn = design(plan, read(plan.corpus, plan.source))
    chosen = _wanted(["pivot"], systems or plan.systems, plan.targets)[1]
    return plan, drawn, chosen, replace(settings or Settings(), seed=plan.seed)


def check(
    relation: str,
    corpus: Corpus | str | Path | Sequence[str],
    *,
    translator: System | Callable[..., Any] | str,
    to: str,
    source: str = "en",
    seed: int = SEED,
) -> list[Outcome]:
    """One relation on one system, in memory: nothing is stored. The translator may be a function of yours.

    It takes `(text)`, `(text, source, target)` or `(texts, source, target)`, sync or async.
    """
    spec = plugins.parse("relations", relation)
    lang = normalise(source)
    if isinstance(corpus, (str, Path)):
        corpus = read(corpus, lang)
    segments = (
        corpus if isinstance(corpus, Corpus) else [Segment(str(i), Text(t, lang), i) for i, t in enumerate(corpus)]
    )
    system = plugins.system(translator) if isinstance(translator, str) else translator
    system = system if isinstance(system, System) else Function(system)
    if len(system.each()) > 1:
        raise UserError(f"check takes one sample of a text, not {len(system.each())}: leave `samples` out")

    async def outcomes() -> list[Outcome]:
        try:
            translate = Translating(system, await planning.directions(system), gate=Budget().gate(system))
            job = Job.of(spec, normalise(to), translate, seed)
            found = [outcome async for outcome in run_job(job, segments, translate)]
            return sorted(found, key=lambda outcome: outcome.segment.position)
        finally:
            await system.close()

    return _now(outcomes())


def plan(
    corpus: Corpus | str | Path,
    *,
    relations: Sequence[str],
    system: str,
    to: Sequence[str],
    source: str = "en",
    seed: int = SEED,
    repetitions: int = 1,
    config: str | Path = CONFIGURATION,
    services: Mapping[str, str] | None = None,
) -> dict[tuple[Path, Path], int]:
    """Write the texts that must be translated elsewhere; `system` is `files:FOLDER`, with its form if not lines.

    Gives the number of missing texts by the file they stand in and the file that their translations belong in.

    A relation of several steps asks for more once the first answers are there: plan until nothing is missing.
    `services` are those of `Settings`.
    """
    opened = corpus if isinstance(corpus, Corpus) else read(corpus, normalise(source))
    files = plugins.system(system)
    if not isinstance(files, Files):
        raise UserError(f"plan writes files: --system files:FOLDER, not '{system}'")
    wanted = _wanted(relations, [files], to, config)
    how = Settings(seed=seed, repetitions=repetitions, services=services or {})

    async def ask() -> None:
        for task in await planning.tasks(opened, *wanted, None, how.services):
            translate = Translating(files, None)
            async for _ in run_job(job_of(task, translate, how), opened, translate):
                pass

    _now(ask())
    return files.write_missing()


def _wanted(
    relations: Sequence[str], systems: Sequence[str | System], to: Sequence[str], config: str | Path | None = None
) -> tuple[list[plugins.Spec], list[System], list[str]]:
    """Relations, systems and targets, each once; a relation with what the configuration tells it."""
    tables = {} if config is None else read_configuration(config)
    specs = {str(spec): spec for spec in (configured(text, tables) for text in relations)}
    given = [plugins.system(each) if isinstance(each, str) else each for each in systems]
    named = [one for system in given for one in system.each()]
    targets = dict.fromkeys(normalise(code) for code in to)
    if not (specs and named and targets):
        raise UserError("a run needs at least one relation, one system and one target language")
    if not all(system.id for system in named):
        raise UserError("a system needs an id, under which its answers are kept: set `id` on it")
    return list(specs.values()), list({system.id: system for system in named}.values()), list(targets)


def _now(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, also where an event loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def show(
    workspace: str | Path, runs: Chosen = (), *, limit: int = 10, violated: bool = False, errors: bool = False
) -> tuple[list[Summary], list[dict[str, Any]]]:
    """Runs, and either their most suspicious cases or their rows with an error."""
    with Workspace(workspace, create=False) as store:
        chosen = _select(store, runs)
        summaries = [summary(store, each) for each in chosen]
        return summaries, store.errors(chosen, limit) if errors else store.worst(chosen, limit, violated=violated)


def groups(workspace: str | Path, runs: Chosen = (), *, by: str = "translation", limit: int = 10) -> list[Group]:
    """Violated cases by `sentence`, or by the `translation` behind several of them; the group of the worst first."""
    if by not in GROUPS:
        raise UnknownName("group", by, GROUPS)
    with Workspace(workspace, create=False) as store:
        return GROUPS[by](store.worst_segments(_select(store, runs), limit))[:limit]


def thresholds(workspace: str | Path, runs: Chosen = (), *, at: Sequence[float] = ()) -> list[Sweep]:
    """What cases and labels come to at each threshold, for the runs of each relation; nothing is translated."""
    with Workspace(workspace, create=False) as store:
        return sweeps(store, _select(store, runs), at)


def evaluate(
    source: Chosen | str | Path, terms: Terms | None = None, *, workspace: str | Path = WORKSPACE
) -> Evaluation:
    """How well scores tell bugs from correct rows: of a labelled CSV, TSV or JSONL file, or of labelled runs."""
    from concord.evaluating.evaluation import Terms, evaluated

    how = terms or Terms()
    return evaluated(_labelled(source, workspace, how.label, how.scores), how)


def write_evaluation(found: Evaluation, folder: str | Path) -> list[Path]:
    """Write an evaluation as a page, pictures and a CSV of every point into a folder; gives the files."""
    from concord.evaluating.page import write_evaluation

    return write_evaluation(found, Path(folder))


def tune(
    source: Chosen | str | Path,
    *,
    want: str = "f",
    relation: str = "",
    label: str = "label",
    score: str = "",
    config: str | Path = CONFIGURATION,
    workspace: str | Path = WORKSPACE,
) -> Tuned:
    """Choose a relation's threshold by labels and write it where `run` finds it.

    `want` is `f`, the best F, or such as `precision=0.9`: the lowest threshold that surely has it (the lower end of
    Wilson's 95 % interval). For a file, `relation` says whose scores they are.
    """
    from concord.evaluating.tuning import tuned

    return tuned(_labelled(source, workspace, label, [score] if score else []), relation, want, Path(config))


def _labelled(source: Chosen | str | Path, workspace: str | Path, label: str, scores: Sequence[str]) -> Labelled:
    from concord.evaluating.labelled import is_table, labelled_runs, read_labelled

    given = [source] if isinstance(source, (str, Path)) else list(source)
    tables = [each for each in given if not isinstance(each, int) and is_table(each)]
    if tables and len(given) > 1:
        raise UserError(f"an evaluation is of one file or of runs, not of: {', '.join(map(str, given))}")
    if tables:
        return read_labelled(Path(tables[0]), label, scores)
    with Workspace(workspace, create=False) as store:
        return labelled_runs(store, _select(store, [each for each in given if not isinstance(each, Path)]), scores)


def export_labels(
    workspace: str | Path,
    runs: Chosen,
    path: str | Path,
    *,
    annotator: str = "",
    limit: int | None = None,
    unflagged: bool = False,
    force: bool = False,
) -> int:
    """Write violated cases (or, with `unflagged`, all) to be labelled, the worst first; gives the number of lines.

    A file that is there already may hold somebody's work, and is replaced only by `force`.
    """
    if Path(path).exists() and not force:
        raise UserError(f"{path} is there already, and may hold verdicts. Choose another name, or --force")
    with Workspace(workspace, create=False) as store:
        chosen = _select(store, runs)
        _spare(workspace, path)
        rows = store.worst(chosen, EVERY if limit is None else limit, violated=not unflagged)
        return write_sheet(Path(path), COLUMNS, lines_of(rows, Labels(store).of(chosen), annotator.strip()))


def import_labels(workspace: str | Path, path: str | Path, *, annotator: str = "") -> int:
    """Read labels back, all or none; gives their number. `annotator` is whose they are, where the file does not say."""
    with Workspace(workspace, create=False) as store:
        found = labels_from(Path(path), Labels(store), annotator.strip())
        Labels(store).save(found)
        return len(found)


def labels(workspace: str | Path, runs: Chosen = ()) -> list[dict[str, Any]]:
    """The labels of these runs' cases; `stale` are those of other outputs than the case now has."""
    with Workspace(workspace, create=False) as store:
        chosen = _select(store, runs)
        return list(states(store.rows(chosen), Labels(store).of(chosen)))


def compare(workspace: str | Path, runs: Chosen = ()) -> list[Against]:
    """Each system beside the first one of these runs, the baseline: segments that fail newly, and no longer."""
    with Workspace(workspace, create=False) as store:
        return against(store, [summary(store, each) for each in _select(store, runs)])


def blame(workspace: str | Path, runs: Chosen = (), *, metrics: Sequence[str] = ()) -> Blame:
    """Which trip of the suspicious round trips of these runs is to blame, by how the other systems translate."""
    with Workspace(workspace, create=False) as store:
        return blamed(store, _select(store, runs), metrics or METRICS)


def expressions(
    sentences: str | Path, *, source: str = "en", format: str | None = None, limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """A row for every sentence of a file: its regular expression (None if it has none), confidence and reading."""
    from concord.text.claims import one

    for segment in read(sentences, normalise(source), format=format, limit=limit):
        words = segment.text.words
        found = one(words, lang=segment.text.lang)
        read_as = (found.regex, found.confidence, found.reading) if found else (None, 0.0, "")
        yield {"sentence": words, **dict(zip(("regex", "confidence", "reading"), read_as, strict=True))}


def compare_expressions(
    path: str | Path, *, measure: Measure = "geometric", k: float = 0.5
) -> Iterator[dict[str, Any]]:
    """A row for every pair of expressions in a file: equal, r, d and h, or an error."""
    from concord.corpus.expressions import compared

    return compared(path, measure=measure, k=k)


def prevalence(
    corpus: Corpus | str | Path,
    *,
    source: str = "en",
    format: str | None = None,
    scope: Scope = "paper",
    least_words: int = 10,
) -> Prevalence:
    """How many sentences of a corpus have quantifiers or logic, and how many of them precisely; with examples."""
    from concord.text.logic.prevalence import prevalence

    opened = corpus if isinstance(corpus, Corpus) else read(corpus, normalise(source), format=format)
    texts = (segment.text.words for segment in opened)
    return prevalence(texts, lang=normalise(source), scope=scope, least_words=least_words)


def runs(workspace: str | Path) -> list[RunRecord]:
    """Every run of a workspace, the oldest first."""
    with Workspace(workspace, create=False) as store:
        return store.runs()


def worst(workspace: str | Path, runs: Chosen, limit: int) -> list[dict[str, Any]]:
    """The most suspicious cases by rank within their run."""
    return show(workspace, runs, limit=limit)[1]


def rows(workspace: str | Path, runs: Chosen = ()) -> Iterator[dict[str, Any]]:
    """Every case and error row, in corpus order."""
    with Workspace(workspace, create=False) as store:
        yield from store.rows(_select(store, runs))


def export(
    workspace: str | Path, runs: Chosen = (), output: str | Path | None = None, format: str | None = None
) -> int:
    """Write every row to a file (or stdout) as JSONL, CSV or Parquet; gives their number."""
    if output is not None:
        _spare(workspace, output)
    return write_rows(rows(workspace, runs), None if output is None else Path(output), format)


def write_report(workspace: str | Path, runs: Chosen, path: str | Path, *, limit: int = 200) -> list[int]:
    """Write a self-contained HTML page; gives the numbers of the runs in it."""
    with Workspace(workspace, create=False) as store:
        chosen = _select(store, runs)
        _spare(workspace, path)
        html.write(store, chosen, Path(path), limit=limit)
        return chosen


def _spare(workspace: str | Path, output: str | Path) -> None:
    if Path(output).exists() and Path(output).samefile(workspace):
        raise UserError(f"{output} is the workspace itself; choose another file to write to")


def faults(workspace: str | Path, system: str | None = None) -> list[dict[str, Any]]:
    """The faults that `faulty` systems injected into translations of this workspace."""
    with Workspace(workspace, create=False) as store:
        return [note for note in store.notes(system) if "fault" in note]


def describe(family: str) -> list[dict[str, Any]]:
    """Every plug-in of a family: its purpose, whether it takes an argument, and its options off its signature."""
    return [_described(family, name) for name in plugins.names(family)]


def _described(family: str, name: str) -> dict[str, Any]:
    try:
        plugins.entry(family, name)
    except UserError as error:  # one broken guest must not hide the others
        return {"name": name, "purpose": str(error), "usage": name, "options": [], "keys": []}
    known = plugins.parameters(plugins.entry(family, name))
    return {
        "name": name,
        "purpose": plugins.purpose(family, name),
        "usage": f"{name}:ARGUMENT" if any(each.name == "argument" for each in known) else name,
        "options": [_option(each) for each in known if each.name != "argument"],
        **({"keys": list(plugins.entry(family, name).keys)} if family == "translators" else {}),  # type: ignore[attr-defined]
    }


def _option(parameter: plugins.Parameter) -> dict[str, Any]:
    default = None if parameter.required else plugins.plain(parameter.default)
    return {"name": parameter.name, "type": plugins.type_name(parameter.kind), "default": default}


def _select(store: Workspace, wanted: Chosen) -> list[int]:
    """Run numbers from texts such as `3`, `3,4` or `last`; nothing at all means every latest run of its kind."""
    chosen: list[int] = []
    for word in ",".join(map(str, wanted)).split(","):
        if word.strip().isdecimal() and len(word.strip()) < 18:
            chosen.append(store.run(int(word)).id)
        elif word.strip() == "last":
            chosen += [run.id for run in store.runs()[-1:]]
        elif word.strip():
            raise UserError(f"'{word}' is not a run. Give numbers from `concord show`, such as 3 or 3,4, or: last")
    return chosen or _latest(store)


def _latest(store: Workspace) -> list[int]:
    """The latest run of each kind, in the order in which the kinds were first run: the baseline stays the first."""
    runs = store.runs()
    if not runs:
        raise UserError(f"the workspace {store.path} has no run yet. `concord run` makes one")
    kinds = {}
    for run in runs:
        settings = {name: value for name, value in run.settings.items() if name not in THRESHOLDS}
        kinds[run.relation, str(settings), run.system, run.source, run.target, run.corpus] = run.id
    return list(kinds.values())
