"""Mends the translation of a sentence or a mutant: finds which of two is the odd one, and rewords it like another."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Any, Literal

from concord.language.align import Model
from concord.language.analysis import Word
from concord.model import Text
from concord.relations.transrepair.set_aside import Measure, Span, Tokenised, compared

Row = Mapping[str, Any]
Suspect = Callable[[Text, Text, Text, Text], float]
"""Gives the suspicion of the run's relation for two texts and their translations."""
Forms = Callable[[Text], Sequence[Word]]
UNDECIDED = "no other translation tells which of the two is the odd one"
NOT_ALIGNED = "it is not clear which words translate the replaced one"
OTHER_FORM = "the words differ in gender or number, and so does what goes with them"
FAILS = "the mended translation fails the test as well"
_GENDERS, _NUMBERS = frozenset({"m", "f", "nt"}), frozenset({"sg", "pl"})


@dataclass(frozen=True)
class Version:
    """The sentence, or a mutant of it, with its translation.

    `slot` is the span of the replaced word in the sentence, `own_span` that of the new word in the mutant, in
    characters; the sentence itself has neither.
    """

    text: Text
    output: Text
    slot: Span | None = None
    own_span: Span | None = None

    @cached_property
    def source(self) -> Tokenised:
        return Tokenised(self.text)

    @cached_property
    def target(self) -> Tokenised:
        return Tokenised(self.output)


@dataclass(frozen=True, slots=True)
class SentenceFamily:
    """The cases of a sentence; `versions` has the sentence first, then its mutants, one for each row."""

    rows: Sequence[Row]
    versions: Sequence[Version]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "SentenceFamily":
        sentence = Version(Text(**rows[0]["source"]), Text(**rows[0]["source_output"]))
        return cls(rows, [sentence, *map(_mutant, rows)])


@dataclass(frozen=True, slots=True)
class Repair:
    """A translation and the mended one that is offered for it; `lender` is the version whose wording it has.

    `replaced` are the lender's words and those that replace them; `suspicion` is that of the case after the repair.
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
    """The repairs that can be offered, and the number of flagged cases without one, by reason."""

    offered: list[Repair] = field(default_factory=list)
    unrepaired: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Mender:
    """Mends translations by a similarity measure, a word alignment and, if the model gives them, probabilities."""

    similarity: Measure
    model: Model
    suspect: Suspect
    likely: Mapping[str, float] | None = None
    forms: Forms | None = None

    def mend(self, family: SentenceFamily, repairs: Repairs) -> None:
        """Add the repairs of a sentence's flagged cases, one for each odd translation."""
        if not any(row["flagged"] for row in family.rows):
            return
        rank, handled = self._ranking(family.versions), set[Version]()
        sentence = family.versions[0]
        for row, mutant in zip(family.rows, family.versions[1:], strict=True):
            if not row["flagged"]:
                continue
            odd, partner = sorted((sentence, mutant), key=rank)
            if rank(odd) == rank(partner):
                repairs.unrepaired[UNDECIDED] += 1
            elif odd not in handled:
                handled.add(odd)
                offer = self._offered(row, odd, partner, sorted(family.versions, key=rank, reverse=True))
                if isinstance(offer, Repair):
                    repairs.offered.append(offer)
                else:
                    repairs.unrepaired[offer] += 1

    def _ranking(self, versions: Sequence[Version]) -> Callable[[Version], float]:
        if self.likely is not None:
            likely = self.likely
            return lambda version: likely.get(version.text.words, float("-inf"))
        return {version: self._agreement(version, versions) for version in versions}.__getitem__

    def _agreement(self, version: Version, versions: Sequence[Version]) -> float:
        """The mean similarity of a version's translation to those of the other versions."""
        words = [rival.target.words for rival in versions if rival != version]
        return round(fmean(compared(version.target.words, theirs, self.similarity).similarity for theirs in words), 9)

    def _offered(self, row: Row, odd: Version, partner: Version, ranked: Sequence[Version]) -> Repair | str:
        """The repair by the best lender whose result passes; or the reason why there is none."""
        why = NOT_ALIGNED
        for lender in ranked[: ranked.index(odd)]:
            words = differing_spans(lender, odd)
            spans = self._spans(lender, odd, words) if words else None
            if spans is None:
                continue
            if not self._agree(lender.target, spans[0], odd.target, spans[1]):
                why = OTHER_FORM
                continue
            after, replaced = _exchanged(lender.target, spans[0], odd.target, spans[1])
            if self._passes(after, odd, partner, ranked, row["threshold"]):
                suspicion = round(self._suspicion(odd, after, partner), 12)
                side: Literal["source", "follow_up"] = "source" if odd.slot is None else "follow_up"
                return Repair(row, side, odd, after.text, lender, replaced, suspicion)
            why = FAILS
        return why

    def _passes(
        self, after: Tokenised, odd: Version, partner: Version, ranked: Sequence[Version], threshold: float
    ) -> bool:
        """Whether the repaired translation agrees with the partner's, and with more versions than before."""
        before, now = (
            sum(self._suspicion(odd, cut, version) > threshold for version in ranked if version != odd)
            for cut in (odd.target, after)
        )
        return self._suspicion(odd, after, partner) <= threshold and now < before

    def _suspicion(self, odd: Version, cut: Tokenised, partner: Version) -> float:
        return self.suspect(odd.text, partner.text, cut.text, partner.output)

    def _spans(self, lender: Version, odd: Version, words: tuple[Span, Span]) -> tuple[Span, Span] | None:
        """The words of each translation that translate the replaced one, by the alignment or as what differs."""
        theirs, ours = (self._linked(version, span) for version, span in zip((lender, odd), words, strict=True))
        if theirs is None or ours is not None:
            return (theirs, ours) if theirs and ours else None
        # If the alignment does not know the odd word, it is what differs, provided that covers the lender's word.
        gone, put = compared(lender.target.words, odd.target.words, self.similarity).aside
        return (gone, put) if gone[0] <= theirs[0] and theirs[1] <= gone[1] and put[0] < put[1] else None

    def _linked(self, version: Version, span: Span) -> Span | None:
        """The contiguous words of a translation that are aligned with a span of its source; None if not contiguous."""
        tokens = set(version.source.indices(*span))
        links = self.model.links(version.source.words, version.target.words)
        targets = {link.target for link in links if link.source in tokens}
        if not targets or max(targets) - min(targets) >= len(targets):
            return None
        return min(targets), max(targets) + 1

    def _agree(self, lender: Tokenised, theirs: Span, odd: Tokenised, ours: Span) -> bool:
        """Whether two words have the same gender and number, as far as these are known."""
        if self.forms is None:
            return True
        tags = [
            _tags(self.forms(text.text), *text.characters([span])[0]) for text, span in ((lender, theirs), (odd, ours))
        ]
        return all(
            not (tags[0] & kind and tags[1] & kind) or tags[0] & kind == tags[1] & kind for kind in (_GENDERS, _NUMBERS)
        )


def differing_spans(first: Version, second: Version) -> tuple[Span, Span] | None:
    """The span of the word in which two versions differ, in each; None if they differ in two words."""
    if first.slot is None or first.own_span is None:
        return (second.slot, second.own_span) if second.slot and second.own_span else None
    if second.own_span is None:
        return first.own_span, first.slot
    return (first.own_span, second.own_span) if first.slot == second.slot else None


def _mutant(row: Row) -> Version:
    slot, own_span = (tuple(row["evidence"]["marked"][role][0]) for role in ("source", "follow_up"))
    return Version(Text(**row["follow_up"]), Text(**row["follow_up_output"]), slot, own_span)


def _exchanged(lender: Tokenised, theirs: Span, odd: Tokenised, ours: Span) -> tuple[Tokenised, tuple[str, str]]:
    """The lender's text with the odd one's words in place of its own, and both words."""
    (start, end), (first, last) = lender.characters([theirs])[0], odd.characters([ours])[0]
    text, gone, word = lender.text.words, lender.text.words[start:end], odd.text.words[first:last]
    put = word[:1].upper() + word[1:] if gone[:1].isupper() and word[:1].islower() else word
    return Tokenised(Text(text[:start] + put + text[end:], odd.text.lang)), (gone, put)


def _tags(words: Sequence[Word], start: int, end: int) -> set[str]:
    """The tags of the last noun, adjective or name within a span."""
    touched = [word for word in words if word.start < end and start < word.end]
    parts = [part for word in touched for part in word.parts if part.upos in ("NOUN", "PROPN", "ADJ")]
    return set(parts[-1].tags) if parts else set()
