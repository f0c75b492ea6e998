"""A process of its own for what takes long: it is told what to do on stdin, and tells what happens, line by line.

A run then cannot bring the server down, can be stopped by the signal that Ctrl-C sends, and goes on being one writer.
"""

from __future__ import annotations

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
            asked = json.load(sys.stdin)
            DEEDS[asked.pop("do")](asked, _tell)
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


def _what(asked: dict[str, Any]) -> dict[str, Any]:
    from concord import api  # which takes long: a signal is heard meanwhile

    opened = api.open_corpus(asked["workspace"], asked["corpus"], asked["source"], asked["limit"])
    return {
        "corpus": opened,
        "relations": asked["relations"],
        "systems": asked["systems"],
        "to": asked["to"],
        "workspace": asked["workspace"],
        "settings": api.Settings(**asked["settings"]),
        "config": asked["config"],
    }


def run(asked: dict[str, Any], tell: Tell) -> None:
    from concord import api

    what = _what(asked)
    for warning in what["corpus"].warnings:
        tell(note=warning)
    corpus = what.pop("corpus")
    made = api.run(corpus, **what, watch=lambda progress: tell(progress=dataclasses.asdict(progress)))
    tell(summaries=[each.plain() for each in made])


def estimate(asked: dict[str, Any], tell: Tell) -> None:
    from concord import api

    what = _what(asked)
    tell(size=what["corpus"].size)
    corpus = what.pop("corpus")
    tell(estimates=[each.plain() for each in api.dry_run(corpus, **what)])


def attempt(asked: dict[str, Any], tell: Tell) -> None:
    from concord import api

    def heard(text: Text, answer: Text) -> None:
        tell(text=dataclasses.asdict(text), answer=dataclasses.asdict(answer))

    for tried in api.attempt(asked.pop("sentence"), **asked, watch=heard):
        violated = sum(row["violated"] for row in tried.rows)
        counts = {"relation": tried.relation, "error": tried.error, "cases": len(tried.rows), "violated": violated}
        tell(tried={**counts, "rows": tried.rows[:SHOWN]})


DEEDS: dict[str, Callable[[dict[str, Any], Tell], None]] = {"run": run, "estimate": estimate, "attempt": attempt}

if __name__ == "__main__":
    main()
