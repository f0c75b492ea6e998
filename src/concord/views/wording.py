"""Texts about rows and runs that the terminal and the pages share."""

import json
import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from concord.model import PROBABILITY, ROLES
from concord.plural import plural
from concord.runs.summary import Summary
from concord.store.evidence import blame_text
from concord.store.findings import TranslationFinding

READING_ORDER = tuple(ROLES[index] for index in (0, 2, 1, 3))
"""The roles in reading order, each text before its translation; one that has two roles is shown as the first."""
NAMES = {
    "source": "text",
    "source_output": "translation",
    "follow_up": "variant",
    "follow_up_output": "translation of the variant",
}
"""What people call the roles."""


def moment(time: str) -> str:
    return time[:16].replace("T", " ")


def run_numbers(numbers: Sequence[int]) -> str:
    """The numbers of runs in their order, as commands take them: `1-4,7`"""
    spans = [[number for _, number in span] for _, span in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return ",".join(f"{span[0]}-{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)


def share(summary: Summary) -> str:
    """`12 (34.3%)`, so wide that shares below each other are aligned."""
    if not summary.cases:
        return "–"
    percent = f"({summary.flagged / summary.cases:.1%})".replace("100.0", "100")
    return f"{summary.flagged:,} {percent:>7}"


def number(value: float, beside: float | None = None) -> str:
    """A number with few digits, but enough to tell it from the number beside it."""
    short = f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"
    return short if beside is None or value == beside or short != number(beside) else repr(value)


SIGNS = {">": (">", "≤"), ">=": ("≥", "<")}
"""The sign between suspicion and threshold for each operator: of a flagged case, and of another."""


def judged(row: Mapping[str, Any]) -> str:
    """`suspicion 0.592 > threshold 0.4: flagged`"""
    suspicion, threshold = row["suspicion"], row["threshold"]
    sign = SIGNS[row["operator"]][not row["flagged"]]
    verdict = "flagged" if row["flagged"] else "not flagged"
    return f"suspicion {number(suspicion, threshold)} {sign} threshold {number(threshold, suspicion)}: {verdict}"


OWN = "on the relation's own scale"


def scales(scores: Mapping[str, float], directions: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Scores grouped by their range and direction. Metrics are similarities; other scores have scales of their own."""
    by_meaning: dict[str, list[tuple[str, str]]] = {}
    for name, value in scores.items():
        worse = directions.get(name)
        meaning = OWN if worse is None else f"{OWN}, higher is worse"
        if worse == "lower-is-worse":
            meaning = "0…1, higher is better" if 0 <= value <= 1 else OWN
        elif name == PROBABILITY:
            meaning = "0…1, higher is worse"
        by_meaning.setdefault(meaning, []).append((name, value_text(value)))
    return by_meaning


def value_text(value: object) -> str:
    """A value of the evidence as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return number(value) if math.isfinite(value) else str(value)
    if isinstance(value, (list, tuple)) and all(isinstance(entry, (str, int, float)) for entry in value):
        return ", ".join(value_text(entry) for entry in value) or "none"
    if isinstance(value, list) and all(isinstance(entry, dict) and {"word", "why"} <= entry.keys() for entry in value):
        return "; ".join(map(_blame, value)) or "none"
    return json.dumps(value, ensure_ascii=False, default=str)


def _blame(blamed: Mapping[str, Any]) -> str:
    """A blamed word with its source word, what the other translation has, the reason and its suspicion."""
    why, suspicion = blame_text(blamed), blamed.get("suspicion", 0.0)
    gap = " " if blamed.get("of") or blamed.get("instead") else ": "
    sure = number(float(suspicion)) if isinstance(suspicion, (int, float)) else value_text(suspicion)
    return f"{blamed['word']}{gap}{why} {sure}"


def cases_text(finding: TranslationFinding) -> str:
    """`5 cases: rti, sit ×4`"""
    if finding.cases == 1:
        return "1 case"
    relations = (name if count == 1 else f"{name} ×{count:,}" for name, count in sorted(finding.relations.items()))
    sentences = f" in {plural(finding.sentences, 'sentence')}" if finding.sentences > 1 else ""
    return f"{plural(finding.cases, 'case')}{sentences}: {', '.join(relations)}"


def facts(row: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Factors or evidence, without the marks, which the texts show."""
    marked = ("marked", "places") if kind == "evidence" else ()
    return {name: value for name, value in row[kind].items() if name not in marked}


def roles(row: Mapping[str, Any], text: Mapping[str, str]) -> list[str]:
    """The names of all roles and steps of a case that this text has."""
    names = role_names(row, [role for role in READING_ORDER if row[role] == text])
    steps = [name for name, step in row["steps"].items() if step == text]
    return [*names, *(step for step in steps if step.replace(" ", "-") not in names)]


def role_names(row: Mapping[str, Any], roles: Sequence[str]) -> list[str]:
    """What people call one text that has these roles.

    The variant of a round trip is just the translation, and a variant that is the text itself is none.
    """
    hidden = {"follow_up"} if "source_output" in roles else set()
    if row.get("follow_up") == row.get("source"):
        hidden = {"follow_up", "follow_up_output"}
    return [role_name(row, role) for role in roles if role not in hidden or len(roles) == 1]


def role_name(row: Mapping[str, Any], role: str) -> str:
    """What people call a role in a case; a follow-up output in the source language is a back-translation."""
    back = role == "follow_up_output" and row[role]["lang"] == row["source"]["lang"]
    return "back-translation" if back else NAMES[role]
