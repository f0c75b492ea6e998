"""What a run came to, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concord.store import RunRecord, Workspace


@dataclass(frozen=True, slots=True)
class Summary:
    """One run with its counts and what a reader should know about it."""

    run: RunRecord
    checks: int
    cases: int
    violated: int
    errors: int
    notes: tuple[str, ...] = ()

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
            "cases": self.cases,
            "violated": self.violated,
            "errors": self.errors,
            "translations": {"asked": run.asked, "sent": run.sent, "cached": run.cached},
            "seconds": round(run.seconds, 3),
            "finished": run.finished is not None,
            "notes": list(self.notes),
        }


def summary(workspace: Workspace, number: int) -> Summary:
    return Summary(workspace.run(number), **workspace.tally(number), notes=tuple(_notes(workspace, number)))


def together(parts: Sequence[Summary]) -> dict[str, Any]:
    """Several runs as one object: counts added up, each run below `runs`. Its `run` selects them all again."""
    every = [part.plain() for part in parts]
    return {
        "run": ",".join(one["run"] for one in every),
        "signature": "\n".join(one["signature"] for one in every),
        **{name: sum(one[name] for one in every) for name in ("cases", "violated", "errors")},
        "translations": {name: sum(one["translations"][name] for one in every) for name in ("asked", "sent", "cached")},
        "seconds": round(sum(one["seconds"] for one in every), 3),
        "runs": every,
    }


def _notes(workspace: Workspace, number: int) -> list[str]:
    notes = []
    for name, values in workspace.factors(number).items():
        if len(values) == 1:
            notes.append(f"there is only one {name}: {next(iter(values))}")
    return notes
