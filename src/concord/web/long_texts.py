"""Long texts on a page: the part around the first mark, and all of it for whoever unfolds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from concord.views.case import Box, Drawn, drawn
from concord.views.highlight import Excerpt, Piece, excerpt

SHORT, LONG = 600, 900
"""A text is cut to so many characters, if it has more than so many: to unfold a few words is a nuisance."""
WITHIN = 2 * SHORT
"""So many characters of two texts are compared where no more of them than that can be seen."""
WHOLE = 20_000
"""Nobody reads more of a sentence, and a page has many of them."""
PAGE = 2_000_000
"""So many characters of all its folded texts together, whatever it lists."""


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
    """A row as `drawn` has it, but with more of long texts."""
    return drawn(row, WHOLE)


class Room:
    """What one page can bear of folded texts: cases have theirs whole until it is used up, and then only in short."""

    def __init__(self, characters: int = PAGE) -> None:
        self._left = characters

    def shown(self, row: Mapping[str, Any]) -> Drawn:
        """A row as `shown` has it if there is room, or else with nothing to unfold."""
        # Nobody sees what differs further on where only the beginning is shown, and comparing it takes long.
        one = drawn(row, WHOLE, within=WITHIN)
        lengths = [_length(each.part.pieces) for each in (*one.boxes.values(), *one.apart, *one.aside)]
        needed = sum(length for length in lengths if length > LONG)
        if needed > self._left:
            return _in_short(one)
        self._left -= needed
        return shown(row) if needed else one


def _in_short(one: Drawn) -> Drawn:
    return replace(
        one,
        boxes={role: _cut(each) for role, each in one.boxes.items()},
        apart=[_cut(each) for each in one.apart],
        aside=[_cut(each) for each in one.aside],
    )


def _cut(box: Box) -> Box:
    folded = fold(box.part)
    return replace(box, part=folded.short) if folded else box


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.words) for piece in pieces)


def _marks(pieces: Sequence[Piece]) -> int:
    return sum(piece.differs for piece in pieces)
