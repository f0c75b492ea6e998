"""Long texts on a page: an excerpt around the first mark, which can be unfolded to the whole text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from concord.views.case import Box, Drawn, drawn
from concord.views.highlight import Excerpt, Piece, excerpt

SHORT, LONG = 600, 900
"""A text of more than LONG characters is cut to SHORT: unfolding a few more words is not worth it."""
WITHIN = 2 * SHORT
"""How many characters of two texts are compared where only their excerpts are shown."""
WHOLE = 20_000
"""The most characters of a text that can be unfolded."""
PAGE = 2_000_000
"""The most characters of all folded texts of a page together."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text that is too long for a list: its excerpt, the whole text, and the label of the button that unfolds it."""

    short: Excerpt
    all: Excerpt
    summary: str


def fold(part: Excerpt) -> Folded | None:
    """A text folded, or None if it is short enough."""
    length = _length(part.pieces)
    if length <= LONG:
        return None
    cut = excerpt(part.pieces, SHORT)
    short = replace(cut, before=cut.before + part.before, after=cut.after + part.after)
    hidden = _marks(part.pieces) - _marks(cut.pieces)
    total = length + part.before + part.after
    summary = f"Show all {length:,} characters" if length == total else f"Show {length:,} of {total:,} characters"
    return Folded(short, part, summary + (f", {hidden:,} more marked" if hidden else ""))


def part_of(pieces: Sequence[Piece]) -> Excerpt:
    """Pieces of a text as an excerpt that can be folded."""
    return excerpt(pieces, WHOLE)


def drawn_whole(row: Mapping[str, Any]) -> Drawn:
    """The diagram of a row, with more of long texts than in the report."""
    return drawn(row, WHOLE)


class TextBudget:
    """The budget of folded texts of a page: once it is used up, cases have excerpts only."""

    def __init__(self, characters: int = PAGE) -> None:
        self._left = characters

    def drawn(self, row: Mapping[str, Any]) -> Drawn:
        """The diagram of a row as by `drawn_whole` if the budget allows it, else with excerpts only."""
        # Where only excerpts are shown, later differences are not visible, and comparing whole texts is slow.
        case = drawn(row, WHOLE, within=WITHIN)
        lengths = [_length(box.part.pieces) for box in (*case.ahead, *case.boxes.values(), *case.apart, *case.aside)]
        needed = sum(length for length in lengths if length > LONG)
        if needed > self._left:
            return _in_short(case)
        self._left -= needed
        return drawn_whole(row) if needed else case


def _in_short(case: Drawn) -> Drawn:
    return replace(
        case,
        ahead=[_cut(box) for box in case.ahead],
        boxes={role: _cut(box) for role, box in case.boxes.items()},
        apart=[_cut(box) for box in case.apart],
        aside=[_cut(box) for box in case.aside],
    )


def _cut(box: Box) -> Box:
    folded = fold(box.part)
    return replace(box, part=folded.short) if folded else box


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.words) for piece in pieces)


def _marks(pieces: Sequence[Piece]) -> int:
    return sum(piece.differs for piece in pieces)
