"""The diagram of a case: its four texts with their highlights, its scores and its facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from concord.store.evidence import Range
from concord.views.highlight import Excerpt, Piece, beginning, compared_roles, diff, excerpt, marked, ranges
from concord.views.reason import reason
from concord.views.wording import READING_ORDER, facts, judged, role_name, roles, scales, value_text

CHARACTERS = 5_000
ENTRIES = 50


@dataclass(frozen=True, slots=True)
class Box:
    """A text in the diagram; `same` names an earlier box that holds the same text."""

    names: list[str]
    lang: str
    compared: bool
    part: Excerpt
    same: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A case as `case.html` draws it: `boxes` by role, and texts `ahead`, `apart` and `aside` that have no role."""

    row: Mapping[str, Any]
    judged: str
    reason: list[Piece]
    ahead: list[Box]
    boxes: dict[str, Box]
    link: str
    compared: str
    apart: list[Box]
    aside: list[Box]
    scores: dict[str, list[tuple[str, str]]]
    facts: list[tuple[str, list[tuple[str, Excerpt]], int]]


def drawn(row: Mapping[str, Any], longest: int = CHARACTERS, within: int | None = None) -> Drawn:
    """A row as the template `case.html` shows it, with at most `longest` characters of each text.

    Only `within` characters of long texts are compared, by default twice as many as are shown, because differences
    beyond what is shown need not be found.
    """
    marks = ranges(row, within=within or 2 * longest)
    pair = compared_roles(row)
    return Drawn(
        row=row,
        judged=judged(row),
        reason=reason(row, marks),
        ahead=_ahead(row, longest),
        boxes=_boxes(row, pair, longest, marks),
        link="-".join(pair),
        compared=" with ".join(role_name(row, role) for role in pair) or "the two texts below",
        apart=[] if pair else _apart(row["compared"], longest, within or 2 * longest),
        aside=_aside(row, longest),
        scores=scales(dict(islice(row["scores"].items(), ENTRIES)), row["directions"]),
        facts=[_facts(kind, facts(row, kind)) for kind in ("factors", "evidence") if facts(row, kind)],
    )


def _apart(pair: Sequence[Mapping[str, str]], longest: int, within: int) -> list[Box]:
    """The compared texts, where they are not two of the four roles."""
    first, second = pair
    pieces = diff(first["words"], second["words"], first["lang"], within)
    named = zip(("first", "second"), pair, pieces, strict=True)
    return [Box([name], text["lang"], True, excerpt(marks, longest)) for name, text, marks in named]


def _boxes(
    row: Mapping[str, Any], compared: Sequence[str], longest: int, marks: Mapping[str, Sequence[Range]]
) -> dict[str, Box]:
    boxes: dict[str, Box] = {}
    for index, role in enumerate(READING_ORDER):
        text = row[role]
        same = next((earlier for earlier in READING_ORDER[:index] if row[earlier] == text), "")
        steps = [] if same else [name for name in roles(row, text) if name in row["steps"]]
        boxes[role] = Box(
            names=[role_name(row, role), *steps],
            lang=text["lang"],
            compared=role in compared,
            part=excerpt(marked(text["words"], marks[role]), longest),
            same=role_name(row, same) if same else "",
        )
    return boxes


def _ahead(row: Mapping[str, Any], longest: int) -> list[Box]:
    """The sentence, where it is none of the four texts."""
    sentence = {"words": row["text"], "lang": row["source_lang"]}
    has_role = any(row[role] == sentence for role in READING_ORDER)
    return [] if has_role else [_unmarked("sentence", sentence, longest)]


def _aside(row: Mapping[str, Any], longest: int) -> list[Box]:
    """Other texts without a role: further steps, the reference."""
    drawn_texts = [row[role] for role in READING_ORDER]
    named_texts = [(name, text) for name, text in islice(row["steps"].items(), ENTRIES) if text not in drawn_texts]
    if row["reference"] is not None:
        named_texts.append(("reference, not used", {"words": row["reference"], "lang": row["target_lang"]}))
    return [_unmarked(name, text, longest) for name, text in named_texts]


def _unmarked(name: str, text: Mapping[str, str], longest: int) -> Box:
    return Box([name], text["lang"], False, beginning(text["words"], longest))


def _facts(kind: str, entries: Mapping[str, Any]) -> tuple[str, list[tuple[str, Excerpt]], int]:
    listed = [(name, beginning(value_text(value), CHARACTERS)) for name, value in islice(entries.items(), ENTRIES)]
    return kind, listed, max(0, len(entries) - ENTRIES)
