"""A case before and after, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from concord.analyses.regression.regression import ChangedCase
from concord.views.highlight import Piece, marks
from concord.views.wording import NAMES, READING_ORDER

Text = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A text of a case: which part it is, in which run if they differ, and what the other run has differently."""

    name: str
    lang: str
    pieces: list[Piece]

    @property
    def words(self) -> str:
        return "".join(piece.words for piece in self.pieces)


def answers(changed: ChangedCase) -> Iterator[CaseLine]:
    """Each text once: what was asked, and what came back in either run; one line where both runs have the same."""
    for names, before, after in _texts(changed):
        if before is None or after is None or before == after:
            text = after or before
            assert text is not None
            yield CaseLine(names, text["lang"], [Piece(text["words"], False)])
        else:
            here, there = marks(before["words"], after["words"], after["lang"])
            yield CaseLine(f"{names} before", before["lang"], here)
            yield CaseLine(f"{names} after", after["lang"], there)


def _texts(changed: ChangedCase) -> Iterator[tuple[str, Text, Text]]:
    """The parts of a case, those that are one text together: the follow-up of a round trip is what came back first."""
    found: list[tuple[list[str], Text, Text]] = []
    for role in READING_ORDER:
        before, after = ((row[role] if row else None) for row in (changed.before, changed.after))
        same = [names for names, *texts in found if texts == [before, after]]
        if same:
            same[0].append(NAMES.get(role, role))
        else:
            found.append(([NAMES.get(role, role)], before, after))
    for names, before, after in found:
        yield ", ".join(names), before, after
