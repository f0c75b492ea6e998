"""Pairs of runs to compare, what differs between them, and how that limits the comparison."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from concord.errors import UserError
from concord.language.codes import direction
from concord.runs.select import RANGE, Chosen, select
from concord.store import RunRecord, Workspace

KINDS = {
    "newly failing": "passed before, fails now",
    "newly fixed": "failed before, passes now",
    "still failing": "fails in both runs",
    "flaky": "not judged the same each time that it occurs in one run",
    "only after": "asked in the later run alone",
    "only before": "asked in the earlier run alone",
}
"""The kinds of change that can be listed, and what each means."""
VERSION = "another version of Concord"
TEXTS = "what the run has learnt from other texts (another --limit or corpus)"
TAUGHT = "what labels have taught"
_ASKING = ("mt", "seed", "repetitions", "corpus")
"""Parts of a signature that determine what is asked, but not how answers are judged."""
_FITTED = re.compile(r"\+(fitted@\w+)$")


@dataclass(frozen=True, slots=True)
class SignatureDifference:
    """A part in which two signatures differ; `before` or `after` is empty if that signature lacks it."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs of one relation and direction."""

    before: RunRecord
    after: RunRecord

    @property
    def differences(self) -> list[SignatureDifference]:
        """The parts in which the signatures differ: the system and its version, options, corpus, seed and so on."""
        before, after = _parts(self.before), _parts(self.after)
        names = dict.fromkeys([*before, *after])
        differences = [SignatureDifference(name, before.get(name, ""), after.get(name, "")) for name in names]
        return [difference for difference in differences if difference.before != difference.after]

    @property
    def notes(self) -> list[str]:
        """Notes that a reader of the numbers should know."""
        return list(_notes(self))

    @property
    def causes(self) -> str:
        """Why the same answers may be judged differently, by the signatures; if these are equal, any possible cause."""
        causes = list(_causes(self.differences, learns="explain" in {**_parts(self.before), **_parts(self.after)}))
        *rest, last = causes or [f"a threshold, an option, {VERSION}, {TEXTS}", TAUGHT]
        return f"{', '.join(rest)} or {last}" if rest else last


def side(store: Workspace, selection: str | Chosen) -> list[RunRecord]:
    """The runs with these numbers, or the latest run of each kind of the system with this name."""
    if isinstance(selection, str):
        runs = [run for run in store.runs() if selection.strip() and selection.strip() in (run.system, run.given)]
        if runs:
            latest = {(run.relation, str(run.settings), run.source, run.target, run.corpus): run for run in runs}
            return list(latest.values())
        _check_words(store, selection)
        selection = [selection]
    if not any(str(run).strip() for run in selection):
        raise UserError("name two runs, or two systems, to compare. `concord runs` lists them")
    return [store.run(number) for number in dict.fromkeys(select(store, selection))]


def _check_words(store: Workspace, selection: str) -> None:
    """UserError, which lists the systems, if the selection has a word that is neither a run nor `last`."""
    for word in filter(None, map(str.strip, selection.split(","))):
        if not (word.isdecimal() or word == "last" or RANGE.fullmatch(word)):
            systems = ", ".join(dict.fromkeys(run.given or run.system for run in store.runs())) or "none"
            raise UserError(
                f"'{word[:80]}' is neither a run nor a system of this workspace. Give runs, such as 3, 3,4-7 or last,"
                f" or one system as it was run. Systems: {systems}"
            )


def paired(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> tuple[list[RunPair], list[str]]:
    """Each later run with the earlier run that is most similar to it, and notes on runs without a counterpart."""
    free = list(before)
    pairs, alone = [], []
    for run in after:
        alike = [earlier for earlier in free if _kind(earlier) == _kind(run) and earlier.id != run.id]
        if not alike:
            alone.append(run)
            continue
        best = max(alike, key=lambda earlier: (_likeness(earlier, run), earlier.id))
        free.remove(best)
        pairs.append(RunPair(best, run))
    if not pairs:
        cure = "Name two runs of one relation and direction; `concord runs` lists them"
        if {run.id for run in before} == {run.id for run in after}:
            raise UserError(f"both sides are the same: {_listed(before)}. {cure}")
        raise UserError(f"{_listed(before)} and {_listed(after)} have no relation and direction in common. {cure}")
    return pairs, [f"{_run_name(run)} has no counterpart, and is not compared" for run in [*free, *alone]]


def by_kind(runs: Sequence[RunRecord]) -> dict[str, list[RunRecord]]:
    """Groups of comparable runs, by relation and direction, in the order of their first runs."""
    kinds: dict[str, list[RunRecord]] = {}
    for run in runs:
        kinds.setdefault(f"{run.relation} {direction(run.source, run.target)}", []).append(run)
    return kinds


def latest_pair(runs: Sequence[RunRecord]) -> RunPair | None:
    """The latest run that has an earlier run of its relation, direction and corpus, or else of any corpus."""
    return _last_twice(runs, lambda run: (*_kind(run), run.corpus)) or _last_twice(runs, _kind)


def _last_twice(runs: Sequence[RunRecord], kind: Callable[[RunRecord], tuple[str, ...]]) -> RunPair | None:
    latest: dict[tuple[str, ...], RunRecord] = {}
    pair = None
    for run in runs:
        if kind(run) in latest:
            pair = RunPair(latest[kind(run)], run)
        latest[kind(run)] = run
    return pair


def _kind(run: RunRecord) -> tuple[str, str, str]:
    return run.relation, run.source, run.target


def _likeness(first: RunRecord, second: RunRecord) -> tuple[bool, ...]:
    return (
        first.question == second.question,
        first.corpus == second.corpus,
        first.system == second.system,
        first.settings == second.settings,
        first.seed == second.seed,
    )


def _run_name(run: RunRecord) -> str:
    return f"run {run.id} ({run.relation} {direction(run.source, run.target)}, {run.system})"


def _listed(runs: Sequence[RunRecord]) -> str:
    return ", ".join(map(_run_name, runs)) or "no run"


def _parts(run: RunRecord) -> dict[str, str]:
    """The parts of a signature by name, without the relation and direction, which both runs share."""
    parts = {}
    for part in run.signature.split("|")[1:]:
        name, colon, value = part.partition(":")
        if colon:
            parts[name] = unquote(value)
    return parts


def _notes(pair: RunPair) -> Iterator[str]:
    before, after = pair.before, pair.after
    for run in (before, after):
        if run.finished is None:
            yield f"run {run.id} did not finish: what it has not reached counts as only in the other"
    if before.corpus != after.corpus:
        yield "the corpora differ: only the sentences that both have are compared"
    every = {**before.settings, **after.settings}
    names = [name for name in every if str(before.settings.get(name)) != str(after.settings.get(name))]
    judging = [name for name in names if name in before.facts.thresholds]
    asking = [name for name in names if name not in judging]
    if judging:
        yield f"the runs differ in {', '.join(judging)}: a case can fail newly with the same answers"
    if asking:
        yield f"the runs differ in {', '.join(asking)}: what only one of the runs asks is not compared"
    if before.seed != after.seed:
        yield "the seeds differ: a relation that draws at random asks other things"


def _causes(differences: Sequence[SignatureDifference], *, learns: bool) -> Iterator[str]:
    """The differences that change verdicts on the same answers; if the comparator `learns` from texts, these do too."""
    judging = [difference for difference in differences if difference.name not in _ASKING]
    for difference in judging:
        if difference.name == "v":
            yield VERSION
        elif difference.name == "explain":
            yield from _compared(difference)
        else:
            yield f"another {difference.name}"
    names = {difference.name for difference in differences}
    if "corpus" in names and (learns or not judging):
        yield TEXTS
    elif "mt" in names and learns:
        yield "what the run has learnt from other translations"


def _compared(explain: SignatureDifference) -> Iterator[str]:
    """How the comparators differ: in what labels have taught them, or in their rule."""
    (rule, taught), (later_rule, later) = (_untaught(value) for value in (explain.before, explain.after))
    if taught != later:
        yield f"{TAUGHT} ({taught or 'the rule'} before, {later or 'the rule'} after)"
    if rule != later_rule:
        yield f"another comparison (explain: {rule or 'none'} before, {later_rule or 'none'} after)"


def _untaught(explain: str) -> tuple[str, str]:
    """The version of a comparator without its fitted model, and the name of that model ("" for none)."""
    match = _FITTED.search(explain)
    return _FITTED.sub("", explain), match[1] if match else ""
