"""A sentence and its mutants with their translations: which of two is the odd one, and what another makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Any, Literal

from concord.language.align import Model
from concord.language.analysis import Word
from concord.model import Text
from concord.relations.transrepair.set_aside import Cut, Measure, Span, compared

Row = Mapping[str, Any]
Suspect = Callable[[Text, Text, Text, Text], float]
"""The suspicion that the run's relation has of two texts and their translations."""
Forms = Callable[[Text], Sequence[Word]]
UNDECIDED = "no other translation tells which of the two is the odd one"
NOT_ALIGNED = "it is not clear which words translate the replaced one"
OTHER_FORM = "the words differ in gender or number, and so does what goes with them"
FAILS = "the mended translation fails the test as well"
_GENDERS, _NUMBERS = frozenset({"m", "f", "nt"}), frozenset({"sg", "pl"})


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
        sentence = Version(Text(**rows[0]["source"]), Text(**rows[0]["source_output"]))
        return cls(rows, [sentence, *map(_mutant, rows)])


@dataclass(frozen=True, slots=True)
class Repair:
    """A translation and what is offered in its place; `lender` is the version whose wording it has.

    `replaced` are the words that gave way and those that came; `suspicion` is that of the case afterwards.
    """

    row: Row
    side: Literal["source", "follow_up"]
    before: Version
    after: Text
    lender: Version
    replaced: tuple[str, str]
    suspicion: float

    def plain(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            **{name: self.row[name] for name in ("run", "system", "segment", "case", "source_lang", "target_lang")},
            "side": self.side,
            "text": self.before.text.words,
            "translation": self.before.output.words,
            "repaired": self.after.words,
            "lender": {"text": self.lender.text.words, "translation": self.lender.output.words},
            "replaced": list(self.replaced),
            "suspicion": {"before": self.row["suspicion"], "after": self.suspicion},
        }


@dataclass(slots=True)
class Repairs:
    """What can be offered, and how many violated cases are left without, by reason."""

    found: list[Repair] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Mender:
    """Mends translations by a measure, by what is known of words, and by probabilities where the model tells them."""

    alike: Measure
    model: Model
    suspect: Suspect
    likely: Mapping[str, float] | None = None
    forms: Forms | None = None

    def mend(self, family: SentenceFamily, made: Repairs) -> None:
        """Add what can be offered for a sentence's violated cases, one repair for each odd translation."""
        if not any(row["violated"] for row in family.rows):
            return
        rank, done = self._ranking(family.versions), set[Version]()
        sentence = family.versions[0]
        for row, mutant in zip(family.rows, family.versions[1:], strict=True):
            if not row["violated"]:
                continue
            odd, other = sorted((sentence, mutant), key=rank)
            if rank(odd) == rank(other):
                made.left[UNDECIDED] += 1
            elif odd not in done:
                done.add(odd)
                found = self._offered(row, odd, other, sorted(family.versions, key=rank, reverse=True))
                if isinstance(found, Repair):
                    made.found.append(found)
                else:
                    made.left[found] += 1

    def _ranking(self, versions: Sequence[Version]) -> Callable[[Version], float]:
        if self.likely is not None:
            likely = self.likely
            return lambda version: likely.get(version.text.words, float("-inf"))
        values = {
            one: round(fmean(1 - self._distance(one.target, each.target) for each in versions if each != one), 9)
            for one in versions
        }
        return values.__getitem__

    def _offered(self, row: Row, odd: Version, other: Version, ranked: Sequence[Version]) -> Repair | str:
        """What the best lender makes of the odd translation so that it passes; or why there is nothing."""
        why = NOT_ALIGNED
        for lender in ranked[: ranked.index(odd)]:
            words = apart(lender, odd)
            spans = self._spans(lender, odd, words) if words else None
            if spans is None:
                continue
            if not self._agree(lender.target, spans[0], odd.target, spans[1]):
                why = OTHER_FORM
                continue
            after, replaced = _exchanged(lender.target, spans[0], odd.target, spans[1])
            if self._passes(after, odd, other, ranked, row["threshold"]):
                suspicion = round(self._suspicion(odd, after, other), 12)
                side: Literal["source", "follow_up"] = "source" if odd.place is None else "follow_up"
                return Repair(row, side, odd, after.text, lender, replaced, suspicion)
            why = FAILS
        return why

    def _passes(self, after: Cut, odd: Version, other: Version, every: Sequence[Version], threshold: float) -> bool:
        """Whether it agrees with the other one, and with more versions than before."""
        before, now = (
            sum(self._suspicion(odd, cut, each) > threshold for each in every if each != odd)
            for cut in (odd.target, after)
        )
        return self._suspicion(odd, after, other) <= threshold and now < before

    def _suspicion(self, odd: Version, cut: Cut, other: Version) -> float:
        return self.suspect(odd.text, other.text, cut.text, other.output)

    def _spans(self, lender: Version, odd: Version, words: tuple[Span, Span]) -> tuple[Span, Span] | None:
        """The words of either translation that stand for the replaced one: by their links, or as what differs."""
        theirs, ours = (self._linked(each, span) for each, span in zip((lender, odd), words, strict=True))
        if theirs is None or ours is not None:
            return (theirs, ours) if theirs and ours else None
        # The word may be new to the alignment; then it is what was set aside, if that holds the one that is known.
        gone, put = compared(lender.target.words, odd.target.words, self.alike).aside
        return (gone, put) if gone[0] <= theirs[0] and theirs[1] <= gone[1] and put[0] < put[1] else None

    def _linked(self, version: Version, span: Span) -> Span | None:
        """The one stretch of a translation that is linked with a word of its source."""
        wanted = set(version.source.numbers(*span))
        links = self.model.links(version.source.words, version.target.words)
        found = {link.target for link in links if link.source in wanted}
        if not found or max(found) - min(found) >= len(found):
            return None
        return min(found), max(found) + 1

    def _agree(self, one: Cut, here: Span, other: Cut, there: Span) -> bool:
        """Whether two words ask for the same gender and number around them, as far as that is known."""
        if self.forms is None:
            return True
        tags = [_tags(self.forms(cut.text), *cut.places([span])[0]) for cut, span in ((one, here), (other, there))]
        return all(
            not (tags[0] & kind and tags[1] & kind) or tags[0] & kind == tags[1] & kind for kind in (_GENDERS, _NUMBERS)
        )

    def _distance(self, one: Cut, other: Cut) -> float:
        return 1 - compared(one.words, other.words, self.alike).similarity


def apart(one: Version, other: Version) -> tuple[Span, Span] | None:
    """The word in which two versions differ, in each; None if they differ in two places."""
    if one.place is None or one.own is None:
        return (other.place, other.own) if other.place and other.own else None
    if other.own is None:
        return one.own, one.place
    return (one.own, other.own) if one.place == other.place else None


def _mutant(row: Row) -> Version:
    place, own = (tuple(row["evidence"]["marked"][role][0]) for role in ("source", "follow_up"))
    return Version(Text(**row["follow_up"]), Text(**row["follow_up_output"]), place, own)


def _exchanged(lender: Cut, theirs: Span, odd: Cut, ours: Span) -> tuple[Cut, tuple[str, str]]:
    """The lender's text with the odd one's words in the place of its own."""
    (start, end), (first, last) = lender.places([theirs])[0], odd.places([ours])[0]
    text, gone, word = lender.text.words, lender.text.words[start:end], odd.text.words[first:last]
    put = word[:1].upper() + word[1:] if gone[:1].isupper() and word[:1].islower() else word
    return Cut(Text(text[:start] + put + text[end:], odd.text.lang)), (gone, put)


def _tags(words: Sequence[Word], start: int, end: int) -> set[str]:
    """The tags of the last noun, adjective or name within a span: its own, whatever stands before it."""
    found = [word for word in words if word.start < end and start < word.end]
    parts = [part for each in found for part in each.parts if part.upos in ("NOUN", "PROPN", "ADJ")]
    return set(parts[-1].tags) if parts else set()
