"""The rows that all relations leave in a workspace, and what the commands print about them, as lines to be compared.

    python tests/golden/record.py FOLDER SYSTEM [SENTENCES]

writes FOLDER/SYSTEM.jsonl and, for each command, FOLDER/COMMAND.json. Recorded before and after a change that must not
change anything, `diff -r` says what it has changed. Rows of a faulty `fake` stand beside this file; a change that is
meant to change them writes them anew: `python tests/golden/record.py`.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import concord
from concord.corpus import demo
from concord.model import Segment

RELATIONS = ("rtt", "pivot", "rti", "mgmt", "transrepair", "cat", "sit", "patinv", "semmt", "literals")
PUBLISHED = ("pivot", "rti", "mgmt", "transrepair", "cat", "sit", "patinv", "semmt")
"""The relations that have a form as published."""
TARGETS = ["es", "ca"]
SENTENCES = 2
RATE = "rate=0.5"
FAULTY = f"faulty:fake,{RATE}"
ROWS = Path(__file__).with_name("rows.jsonl")
COMMANDS = [
    "runs", "show --limit 20", "show --relation rti --limit 20", "show --by case --limit 20",
    "show --by problem --limit 20", "show --errors", "show 4,5", "compare 1 39", "gate --max 0.5",
    "thresholds", "overlap", "quality", "repair", "faults", "evaluate --detectors", "label draw 5 6 --size 12",
    "label next --queue queue --annotator Ada", "label agreement", "label estimate --queue queue",
    "export",
]  # fmt: skip
ELSEWHERE = [
    "relations", "translators", "metrics", "parsers", "substitutes", "encoders", "phrases corpus.txt",
    "prevalence corpus.txt --least-words 1", "regex corpus.txt", "try Two+dogs+sat+there. -s fake",
]  # fmt: skip
"""Commands without a workspace."""
PASSING = {"started", "finished", "created", "seconds", "when", "workspace"}
"""Fields that differ from run to run."""


def relations(system: str) -> list[str]:
    """Every relation; a system that does not tell which pivots it has is told."""
    more = {"pivot": ",pivots=gl"} if "fake" in system else {}
    forms = [*RELATIONS, *(f"{name}:paper" for name in PUBLISHED), "concatenation"]
    return [f"{form}{more.get(form.partition(':')[0], '')}" for form in forms]


def record(folder: Path, systems: Sequence[str], sentences: int) -> Path:
    """Run every relation in a new workspace of this folder."""
    workspace, corpus = folder / "concord.sqlite", folder / "corpus.txt"
    texts: list[Segment] = list(islice(demo(), sentences))
    corpus.write_text("".join(f"{each.text.words}\n" for each in texts))
    settings = concord.Settings(services={"dictionaries": "none"})
    how = {"workspace": workspace, "config": folder / "none.toml", "settings": settings}
    concord.run(corpus, relations=relations(systems[0]), systems=systems, to=TARGETS, **how)
    return workspace


def rows(workspace: Path) -> Iterator[str]:
    """A line for each run, and a line for each of its cases and errors."""
    with sqlite3.connect(workspace) as store:
        for run, signature, notes in store.execute("SELECT id, signature, notes FROM runs ORDER BY id"):
            yield _line({"run": signature, "notes": json.loads(notes)})
            query = "SELECT position, number, suspicion, threshold, hex(key), body FROM cases WHERE run = ?"
            for position, number, suspicion, threshold, key, body in store.execute(f"{query} ORDER BY 1, 2", (run,)):
                row = {"at": [position, number], "suspicion": suspicion, "threshold": threshold, "key": key.lower()}
                yield _line(row | {"body": json.loads(body)})
            query = "SELECT position, error FROM checks WHERE run = ? AND error IS NOT NULL ORDER BY 1"
            yield from (_line({"at": [at], "error": error}) for at, error in store.execute(query, (run,)))
    store.close()


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def lasting(value: Any) -> Any:
    """What is the same whenever a command is called."""
    if isinstance(value, dict):
        return {name: lasting(each) for name, each in value.items() if name not in PASSING}
    return [lasting(each) for each in value] if isinstance(value, list) else value


def main(folder: Path, system: str, sentences: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    workspace = record(folder, [system, f"faulty:{system},{RATE}"], sentences)
    (folder / f"{system}.jsonl").write_text("".join(rows(workspace)))
    for words in COMMANDS + ELSEWHERE:
        where = ["-w", workspace.name] if words in COMMANDS else []
        (folder / f"{words.replace(' ', '_')}.json").write_text(printed(folder, *words.split(), *where))


def printed(folder: Path, *words: str) -> str:
    """The exit code of a command, what it says on standard error, and its JSON."""
    call = [sys.executable, "-m", "concord.cli", *(word.replace("+", " ") for word in words), "--json"]
    ended = subprocess.run(call, cwd=folder, capture_output=True, text=True)
    if words[0] == "export":
        return f"{ended.returncode}\n{ended.stderr}{ended.stdout}"
    result = json.dumps(lasting(json.loads(ended.stdout)), indent=1, ensure_ascii=False) if ended.stdout else ""
    return f"{ended.returncode}\n{ended.stderr}{result}\n"


if __name__ == "__main__":
    if sys.argv[1:]:
        place, name, *count = sys.argv[1:]
        main(Path(place), name, int(count[0]) if count else SENTENCES)
    else:
        with tempfile.TemporaryDirectory() as folder:
            ROWS.write_text("".join(rows(record(Path(folder), [FAULTY], SENTENCES))))
