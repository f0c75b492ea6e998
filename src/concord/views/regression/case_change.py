"""The texts of a case before and after, for a comparison of runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from concord.analyses.regression.regression import ChangedCase
from concord.views.highlight import Piece, diff
from concord.views.wording import READING_ORDER, role_names

Text = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A text of a case: its role, with the run if they differ, and its words, marked where the other run differs."""

    name: str
    lang: str
    pieces: list[Piece]

    @property
    def words(self) -> str:
        return "".join(piece.words for piece in self.pieces)


def answers(changed: ChangedCase) -> Iterator[CaseLine]:
    """Each text of a case once; in two lines, before and after, where the runs differ."""
    for names, before, after in _texts(changed):
        if before is None or after is None or before == after:
            text = after or before
            assert text is not None
            yield CaseLine(names, text["lang"], [Piece(text["words"], False)])
        else:
            before_pieces, after_pieces = diff(before["words"], after["words"], after["lang"])
            yield CaseLine(f"{names} before", before["lang"], before_pieces)
            yield CaseLine(f"{names} after", after["lang"], after_pieces)


def _texts(changed: ChangedCase) -> Iterator[tuple[str, Text, Text]]:
    """The names of each text with the text before and after; roles that have the same text are one entry."""
    texts_by_roles: list[tuple[list[str], Text, Text]] = []
    for role in READING_ORDER:
        before, after = ((row[role] if row else None) for row in (changed.before, changed.after))
        same = [roles for roles, *texts in texts_by_roles if texts == [before, after]]
        if same:
            same[0].append(role)
        else:
            texts_by_roles.append(([role], before, after))
    for roles, before, after in texts_by_roles:
        yield ", ".join(role_names(changed.row, roles)), before, after
