"""Long texts on a page: the part around the first mark, and all of it for whoever unfolds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from concord.report.drawn import Box, Drawn, drawn
from concord.report.marks import Excerpt, Piece, at, excerpt, marks, plain, ranges

SHORT, LONG = 600, 900
"""A text is cut to so many characters, if it has more than so many: to unfold a few words is a nuisance."""
WHOLE = 20_000
"""Nobody reads more of a sentence, and a page has many of them."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text that is too long for a list: what is shown of it, all of it, and what unfolding it brings, in words."""

    short: Excerpt
    all: Excerpt
    said: str


def fold(part: Excerpt) -> Folded | None:
    """A part of a text folded, or nothing if it is short enough."""
    shown = _length(part.pieces)
    if shown <= LONG:
        return None
    cut = excerpt(part.pieces, SHORT)
    short = replace(cut, before=cut.before + part.before, after=cut.after + part.after)
    hidden = _marks(part.pieces) - _marks(cut.pieces)
    total = shown + part.before + part.after
    said = f"Show all {shown:,} characters" if shown == total else f"Show {shown:,} of {total:,} characters"
    return Folded(short, part, said + (f", {hidden:,} more marked" if hidden else ""))


def part_of(pieces: Sequence[Piece]) -> Excerpt:
    """Pieces of a text as a part that can be folded."""
    return excerpt(pieces, WHOLE)


def shown(row: Mapping[str, Any]) -> Drawn:
    """A row as `drawn` has it, but with more of texts that it cuts."""
    one = drawn(row)
    if not any(each.part.before or each.part.after for each in (*one.boxes.values(), *one.apart, *one.aside)):
        return one
    found = ranges(row)
    boxes = {
        role: replace(each, part=excerpt(at(row[role]["words"], found[role]), WHOLE))
        for role, each in one.boxes.items()
    }
    return replace(one, boxes=boxes, apart=_apart(row, one.apart), aside=[_aside(row, each) for each in one.aside])


def _apart(row: Mapping[str, Any], boxes: Sequence[Box]) -> list[Box]:
    if not boxes:
        return []
    a, b = row["compared"]
    both = zip(boxes, marks(a["words"], b["words"], a["lang"]), strict=True)
    return [replace(box, part=excerpt(pieces, WHOLE)) for box, pieces in both]


def _aside(row: Mapping[str, Any], box: Box) -> Box:
    """What stands aside is the beginning of one of the row's other texts."""
    begun = "".join(piece.words for piece in box.part.pieces)
    length = len(begun) + box.part.after
    texts = [*(step["words"] for step in row["steps"].values()), row["text"], row["reference"] or ""]
    found = next((each for each in texts if len(each) == length and each.startswith(begun)), begun)
    return replace(box, part=plain(found, WHOLE))


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.words) for piece in pieces)


def _marks(pieces: Sequence[Piece]) -> int:
    return sum(piece.differs for piece in pieces)
