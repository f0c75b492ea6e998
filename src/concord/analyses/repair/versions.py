"""A sentence and its mutants, with their translations, as the rows of a run have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from concord.model import Text
from concord.relations.transrepair.set_aside import Cut, Span

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Version:
    """The sentence, or a mutant of it, with its translation.

    `place` is where the replaced word stands in the sentence, `own` where the new one stands in the mutant, by
    characters; the sentence itself has neither.
    """

    text: Text
    output: Text
    place: Span | None = None
    own: Span | None = None

    @cached_property
    def source(self) -> Cut:
        return Cut(self.text)

    @cached_property
    def target(self) -> Cut:
        return Cut(self.output)


@dataclass(frozen=True, slots=True)
class SentenceFamily:
    """The cases of a sentence: the sentence first, then its mutants, one for each row."""

    rows: Sequence[Row]
    versions: Sequence[Version]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> SentenceFamily:
        sentence = Version(_text(rows[0]["source"]), _text(rows[0]["source_output"]))
        return cls(rows, [sentence, *map(_mutant, rows)])


def apart(one: Version, other: Version) -> tuple[Span, Span] | None:
    """The word in which two versions differ, in each; None if they differ in two places."""
    if one.place is None or one.own is None:
        return (other.place, other.own) if other.place and other.own else None
    if other.own is None:
        return one.own, one.place
    return (one.own, other.own) if one.place == other.place else None


def _mutant(row: Row) -> Version:
    place, own = (tuple(row["evidence"]["marked"][role][0]) for role in ("source", "follow_up"))
    return Version(_text(row["follow_up"]), _text(row["follow_up_output"]), place, own)


def _text(plain: Mapping[str, str]) -> Text:
    return Text(plain["words"], plain["lang"])
