"""Labels: what people say about cases, kept with the outputs that they judged.

The categories are those of He et al. (ICSE 2020, ICSE 2021).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concord.signature import digest
from concord.store import body
from concord.store.workspace import Workspace

VERDICTS = ("error", "correct", "bad test")
CATEGORIES = (
    "under-translation",
    "over-translation",
    "word/phrase mistranslation",
    "incorrect modification",
    "unclear logic",
)
SIDES = ("source output", "follow-up output", "both")
# A follow-up may be the system's own product; where it is an input, the case key holds it fast anyway.
_PRODUCED = ("source_output", "follow_up", "follow_up_output")


@dataclass(frozen=True, slots=True)
class Label:
    """One person's word on one case: a verdict on these outputs, and what exactly is wrong with them."""

    case: str
    annotator: str
    verdict: str
    outputs: str
    categories: tuple[str, ...] = ()
    wrong: str = ""
    correction: str = ""
    comment: str = ""


def outputs_of(row: Mapping[str, Any]) -> str:
    """The outputs of a case as one text: labels of the same text judged the same."""
    return json.dumps({role: row[role]["words"] for role in _PRODUCED}, ensure_ascii=False)


def mark_of(outputs: str) -> str:
    """A short name for outputs that no spreadsheet takes for a number."""
    return "o" + digest(outputs, size=6).hex()


class Labels:
    """The labels of a workspace. A person's later word on the same outputs of a case replaces the earlier."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def of(self, runs: Sequence[int]) -> dict[str, list[Label]]:
        """Every label of the cases of these runs, by case; whether it is stale is for `outputs_of` to say."""
        marks = ", ".join("?" * len(runs))
        query = (
            "SELECT case_key, annotator, verdict, outputs, details FROM labels"
            f" WHERE case_key IN (SELECT key FROM cases WHERE run IN ({marks})) ORDER BY annotator, id"
        )
        found: dict[str, list[Label]] = {}
        for key, annotator, verdict, outputs, details in self._workspace._many(query, runs):
            more = json.loads(details)
            categories = tuple(more.pop("categories", ()))
            label = Label(key.hex(), annotator, verdict, outputs, categories, **more)
            found.setdefault(label.case, []).append(label)
        return found

    def outputs(self, case: str) -> list[str]:
        """The different outputs that a case has had, the latest first; none if there is no such case."""
        query = "SELECT body FROM cases WHERE key = ? ORDER BY run DESC"
        try:
            key = bytes.fromhex(case)
        except ValueError:
            return []
        return list(
            dict.fromkeys(outputs_of(body.unpack(packed)) for (packed,) in self._workspace._many(query, (key,)))
        )

    def save(self, labels: Iterable[Label]) -> None:
        """Keep all of them or none."""
        created = self._workspace._clock()
        rows = [
            (bytes.fromhex(each.case), each.annotator, each.outputs, each.verdict, _details(each)) for each in labels
        ]
        with self._workspace._writing() as db:
            forget = "DELETE FROM labels WHERE case_key = ? AND annotator = ? AND outputs = ?"
            db.executemany(forget, [row[:3] for row in rows])
            add = (
                "INSERT INTO labels (case_key, annotator, outputs, verdict, details, created) VALUES (?, ?, ?, ?, ?, ?)"
            )
            db.executemany(add, [(*row, created) for row in rows])


def _details(label: Label) -> str:
    more = {name: getattr(label, name) for name in ("categories", "wrong", "correction", "comment")}
    return json.dumps({name: value for name, value in more.items() if value}, ensure_ascii=False)
