"""A case as the textbook draws it: its texts in their places, what is to be marked in them, its scores and facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from concord.views.highlight import Excerpt, at, compared_roles, excerpt, marks, plain, ranges
from concord.views.wording import NAMES, READING_ORDER, facts, judged, roles, said, scales

CHARACTERS = 5_000
ENTRIES = 50


@dataclass(frozen=True, slots=True)
class Box:
    """A text in the diagram, or the name of the box that already holds the same."""

    names: list[str]
    lang: str
    compared: bool
    part: Excerpt
    same: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A case with its texts where the textbook's diagram has them."""

    row: Mapping[str, Any]
    judged: str
    boxes: dict[str, Box]
    link: str
    compared: str
    apart: list[Box]
    aside: list[Box]
    scores: dict[str, list[tuple[str, str]]]
    facts: list[tuple[str, list[tuple[str, Excerpt]], int]]


def drawn(row: Mapping[str, Any], longest: int = CHARACTERS, within: int | None = None) -> Drawn:
    """A row as the template `case.html` shows it, with so many characters of each of its texts.

    Long texts are compared `within` so many characters, by default twice as many as are shown: whatever is
    there for nobody to see need not be compared.
    """
    within = within or 2 * longest
    pair = compared_roles(row)
    return Drawn(
        row=row,
        judged=judged(row),
        boxes=_boxes(row, pair, longest, within),
        link="-".join(pair),
        compared=" with ".join(NAMES.get(role, role) for role in pair) or "the two texts below",
        apart=[] if pair else _apart(row["compared"], longest, within),
        aside=_aside(row, longest),
        scores=scales(dict(islice(row["scores"].items(), ENTRIES)), row["directions"]),
        facts=[_facts(kind, facts(row, kind)) for kind in ("factors", "evidence") if facts(row, kind)],
    )


def _apart(pair: Sequence[Mapping[str, str]], longest: int, within: int) -> list[Box]:
    """Compared texts that are none of the four."""
    a, b = pair
    named = zip(("first", "second"), (a, b), marks(a["words"], b["words"], a["lang"], within), strict=True)
    return [Box([name], text["lang"], True, excerpt(pieces, longest)) for name, text, pieces in named]


def _boxes(row: Mapping[str, Any], compared: Sequence[str], longest: int, within: int) -> dict[str, Box]:
    boxes: dict[str, Box] = {}
    found = ranges(row, within=within)
    for place, role in enumerate(READING_ORDER):
        text = row[role]
        same = next((earlier for earlier in READING_ORDER[:place] if row[earlier] == text), "")
        steps = [] if same else [name for name in roles(row, text) if name in row["steps"]]
        boxes[role] = Box(
            names=[NAMES.get(role, role), *steps],
            lang=text["lang"],
            compared=role in compared,
            part=excerpt(at(text["words"], found[role]), longest),
            same=NAMES.get(same, same),
        )
    return boxes


def _aside(row: Mapping[str, Any], longest: int) -> list[Box]:
    """Texts that the diagram has no place for: further steps, the segment, the reference."""
    taken = [row[role] for role in READING_ORDER]
    named = [(name, text) for name, text in islice(row["steps"].items(), ENTRIES) if text not in taken]
    segment = {"words": row["text"], "lang": row["source_lang"]}
    if segment not in taken:
        named.append(("segment", segment))
    if row["reference"] is not None:
        named.append(("reference, not used", {"words": row["reference"], "lang": row["target_lang"]}))
    return [Box([name], text["lang"], False, plain(text["words"], longest)) for name, text in named]


def _facts(kind: str, found: Mapping[str, Any]) -> tuple[str, list[tuple[str, Excerpt]], int]:
    listed = [(name, plain(said(value), CHARACTERS)) for name, value in islice(found.items(), ENTRIES)]
    return kind, listed, max(0, len(found) - ENTRIES)
