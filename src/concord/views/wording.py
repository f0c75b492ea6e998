"""How rows and runs are put into words, on the terminal and on the page alike."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from concord.language.codes import direction
from concord.model import PROBABILITY, ROLES
from concord.plural import plural
from concord.runs.summary import Summary
from concord.views.spans import told

READING_ORDER = tuple(ROLES[place] for place in (0, 2, 1, 3))
"""The roles with each text before its translation, as people read them."""
NAMES = {"source_output": "source output", "follow_up": "follow-up", "follow_up_output": "follow-up output"}


def moment(time: str) -> str:
    return time[:16].replace("T", " ")


def share(summary: Summary) -> str:
    """`12 (34.3%)`"""
    return f"{summary.violated} ({summary.violated / summary.cases:.1%})" if summary.cases else "–"


def remarks(summaries: Sequence[Summary]) -> list[str]:
    """The notes of all runs, each under its run's name."""
    labels = [f"{summary.run.relation} {direction(summary.run.source, summary.run.target)}" for summary in summaries]
    found = []
    for label, each in zip(labels, summaries, strict=True):
        name = label if labels.count(label) == 1 else f"{label}, run {each.run.id}"
        notes = [*each.notes]
        if not each.run.finished:
            notes.append("not finished; the same command continues it")
        elif each.bare:
            notes.append(f"{each.bare:,} of {plural(each.checks, 'check')} gave no case")
        found += [f"{name}: {note}" for note in notes]
    return found


def number(value: float, other: float | None = None) -> str:
    """Short, but never so short that it looks like the other number that it is compared with."""
    short = f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"
    return short if other is None or value == other or short != number(other) else repr(value)


SIGNS = {">": (">", "≤"), ">=": ("≥", "<")}
"""How a suspicion that is flagged by an operator stands to its threshold, and how one that is not."""


def judged(row: Mapping[str, Any]) -> str:
    """`suspicion 0.592 > threshold 0.4: violated`"""
    suspicion, threshold = row["suspicion"], row["threshold"]
    sign = SIGNS[row["operator"]][not row["violated"]]
    verdict = "violated" if row["violated"] else "not violated"
    return f"suspicion {number(suspicion, threshold)} {sign} threshold {number(threshold, suspicion)}: {verdict}"


OWN = "on the relation's own scale"


def scales(scores: Mapping[str, float], directions: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Scores by what their numbers mean. Every metric is kept as a similarity; other scores are a relation's own."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, value in scores.items():
        worse = directions.get(name)
        meaning = OWN if worse is None else f"{OWN}, higher is worse"
        if worse == "lower-is-worse":
            meaning = "0…1, higher is better" if 0 <= value <= 1 else OWN
        elif name == PROBABILITY:
            meaning = "0…1, higher is worse"
        found.setdefault(meaning, []).append((name, said(value)))
    return found


def said(value: object) -> str:
    """A piece of evidence, whatever its shape, in words."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return number(value) if math.isfinite(value) else str(value)
    if isinstance(value, (list, tuple)) and all(isinstance(each, (str, int, float)) for each in value):
        return ", ".join(said(each) for each in value) or "none"
    if isinstance(value, list) and all(isinstance(each, dict) and {"word", "why"} <= each.keys() for each in value):
        return "; ".join(map(_blame, value)) or "none"
    return json.dumps(value, ensure_ascii=False, default=str)


def _blame(blamed: Mapping[str, Any]) -> str:
    """A word that is to blame: for which word of the source, what the other translation has, and why."""
    why, suspicion = told(blamed), blamed.get("suspicion", 0.0)
    gap = " " if blamed.get("of") or blamed.get("instead") else ": "
    sure = number(float(suspicion)) if isinstance(suspicion, (int, float)) else said(suspicion)
    return f"{blamed['word']}{gap}{why} {sure}"


def is_told(row: Mapping[str, Any]) -> bool:
    """Whether a relation says what is to be marked; otherwise that is left to a comparison word by word."""
    return isinstance(row["evidence"].get("marked"), dict)


def facts(row: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Factors or evidence but for what is shown in the texts themselves."""
    shown = ("marked", "places") if kind == "evidence" else ()
    return {name: value for name, value in row[kind].items() if name not in shown}


def roles(row: Mapping[str, Any], text: Mapping[str, str]) -> list[str]:
    """Every part that a text plays in a case; a chain's step is often the follow-up as well."""
    steps = [role for role, step in row["steps"].items() if step == text]
    return [*(NAMES.get(role, role) for role in READING_ORDER if row[role] == text), *steps]
