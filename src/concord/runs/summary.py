"""How far a run is, and what its end says: counts and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.language.sanity import SANE
from concord.store import RunRecord, Workspace
from concord.store.index.reader import Reader


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; `waiting` is for how many seconds the provider accepts no requests.

    `stopping` is how many requests are still under way after Ctrl-C, `throttled` for how many seconds the provider
    has done nothing but throttle.
    """

    run: int
    label: str
    done: int
    total: int
    errors: int
    sent: int
    cached: int
    waiting: float
    stopping: int = 0
    throttled: float = 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """One run with its counts of cases and of checks: `bare` without a case, `not_judged` with one that is not.

    `failures` counts the kinds of failures in a run of `sane`, and `untested` the reasons why checks have no case; a
    relation need not give one.
    """

    run: RunRecord
    checks: int
    bare: int
    cases: int
    flagged: int
    not_judged: int
    errors: int
    failures: Mapping[str, int] = field(default_factory=dict)
    untested: Mapping[str, int] = field(default_factory=dict)

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know about the run."""
        return self.run.notes

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        run = self.run
        return {
            "run": str(run.id),
            "signature": run.signature,
            "relation": run.relation,
            "system": run.system,
            "source_lang": run.source,
            "target_lang": run.target,
            "checks": self.checks,
            "checks_without_case": self.bare,
            "untested": dict(self.untested),
            "cases": self.cases,
            "flagged": self.flagged,
            "not_judged": self.not_judged,
            "errors": self.errors,
            "failures": dict(self.failures),
            "translations": {"asked": run.asked, "sent": run.sent, "cached": run.cached},
            "seconds": round(run.seconds, 3),
            "finished": run.finished is not None,
            "stages": {stage: round(seconds, 4) for stage, seconds in run.stages.items()},
            "rejected": dict(run.rejected),
            "notes": list(self.notes),
        }


def summary(workspace: Workspace, number: int) -> Summary:
    return _summary(workspace, workspace.run(number), workspace.tally(number))


def summaries(reader: Reader) -> list[Summary]:
    """The summaries of the runs that an index reader reads."""
    return [_summary(reader.store, run, columns.tally()) for run, columns in reader.indexed]


def _summary(workspace: Workspace, run: RunRecord, tally: Mapping[str, int]) -> Summary:
    failures = workspace.failures(run) if run.relation == SANE and tally["flagged"] else {}
    untested = workspace.untested(run.id) if tally["bare"] else {}
    return Summary(run, **tally, failures=failures, untested=untested)


def together(parts: Sequence[Summary]) -> dict[str, Any]:
    """Several runs as one object: their counts are added up, and `runs` has each of them. `run` selects them again."""
    runs = [part.plain() for part in parts]
    return {
        "run": ",".join(run["run"] for run in runs),
        "signature": "\n".join(run["signature"] for run in runs),
        **{name: sum(run[name] for run in runs) for name in ("cases", "flagged", "not_judged", "errors")},
        "translations": {name: sum(run["translations"][name] for run in runs) for name in ("asked", "sent", "cached")},
        "seconds": round(sum(run["seconds"] for run in runs), 3),
        "runs": runs,
    }
