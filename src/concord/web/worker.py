"""The process of a job: it reads its request from stdin, and prints messages as JSON lines.

In a process of its own, a run cannot bring the server down, can be stopped by SIGINT, and is the only writer.
"""

import dataclasses
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from concord import interruption
from concord.database import bound_memory
from concord.errors import ConcordError, Interrupted, refusal

if TYPE_CHECKING:
    from concord.api import Text

Tell = Callable[..., None]
SHOWN = 20


def main() -> None:
    interruption.attend()
    bound_memory()
    try:
        with interruption.heard(interruption.interrupt):
            request = json.load(sys.stdin)
            TASKS[request.pop("do")](request, _tell)
    except (KeyboardInterrupt, Interrupted):
        _tell(stopped=True)
    except (ConcordError, OSError, RuntimeError) as error:
        refused = error if isinstance(error, ConcordError) else refusal(error)
        if refused is None:
            raise
        _tell(error=str(refused))
    else:
        _tell(done=True)


def _tell(**message: Any) -> None:
    print(json.dumps(message, ensure_ascii=True, default=str), flush=True)


def _arguments(request: dict[str, Any]) -> dict[str, Any]:
    from concord import api  # a slow import, during which signals are handled

    opened = api.open_corpus(request["workspace"], request["corpus"], request["source"], request["limit"])
    unchanged = {name: request[name] for name in ("systems", "to", "workspace", "config")}
    relations = api.with_sane(request["relations"])
    return {**unchanged, "relations": relations, "corpus": opened, "settings": api.Settings(**request["settings"])}


def run(request: dict[str, Any], tell: Tell) -> None:
    from concord import api
    from concord.views.notes import failed_answers, notes

    arguments = _arguments(request)
    for warning in arguments["corpus"].warnings:
        tell(note=warning)
    summaries = api.run(**arguments, watch=lambda progress: tell(progress=dataclasses.asdict(progress)))
    tell(summaries=[summary.plain() for summary in summaries])
    for line in failed_answers(summaries):
        tell(failed=line)
    for line in notes(summaries):
        tell(remark=line)


def estimate(request: dict[str, Any], tell: Tell) -> None:
    from concord import api

    arguments = _arguments(request)
    tell(size=arguments["corpus"].size)
    rows = [cost.plain() for cost in api.dry_run(**arguments)]
    tell(estimates=rows)
    for note in dict.fromkeys(note for row in rows for note in row["notes"]):
        tell(remark=note)


def attempt(request: dict[str, Any], tell: Tell) -> None:
    from concord import api

    def heard(text: "Text", answer: "Text") -> None:
        tell(text=dataclasses.asdict(text), answer=dataclasses.asdict(answer))

    relations = api.with_sane(request.pop("relations"))
    for tried in api.attempt(request.pop("sentence"), relations=relations, **request, watch=heard):
        flagged = sum(row["flagged"] for row in tried.rows)
        counts = {"cases": len(tried.rows), "flagged": flagged, "rows": tried.rows[:SHOWN]}
        tell(tried={"relation": tried.relation, "error": tried.error, "left_out": tried.left_out, **counts})


TASKS: dict[str, Callable[[dict[str, Any], Tell], None]] = {"run": run, "estimate": estimate, "attempt": attempt}

if __name__ == "__main__":
    main()
