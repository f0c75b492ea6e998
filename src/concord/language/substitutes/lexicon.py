"""Embedded, offline: words that occur in similar contexts, checked against WordNet's meanings and fitted to the slot.

A substitute has the tag of the word that it replaces and is not a variant of it; it is inflected, cased and given its
article. A verb must allow the complement that follows it (an object, a clause, nothing), a noun is countable where that
is required, a name is replaced by a name of the same kind, a number by another of the same shape. Function words and
parts of fixed expressions are not replaced. `least` is the least score, `rarest` the highest frequency rank.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from concord.errors import Refused, ServiceError
from concord.language.codes import base
from concord.language.english.inflection import lemmas
from concord.language.english.lexicon import lexicon
from concord.language.substitutes import PHRASE, Embed, Parse, Slot, Substitute
from concord.language.substitutes._gate import VERSION as GATE
from concord.language.substitutes._gate import Meaning, Rarest, SubstituteGate
from concord.language.substitutes._names import families, is_given_name
from concord.language.substitutes._numbers import other_numbers, same_order
from concord.language.substitutes._ranker import Judge
from concord.language.substitutes._slot import (
    Place,
    SlottedSentence,
    bound,
    compound,
    fixed,
    in_name,
    measure,
    places,
    takes_complement,
)
from concord.language.substitutes._word_vectors import word_vectors
from concord.model import Text
from concord.options import Share

RULES = "5"
_UNITS = (
    {"euro": "euros", "dollar": "dollars", "pound": "pounds", "franc": "francs", "peso": "pesos"},
    {"kilometre": "kilometres", "mile": "miles"},
    {"kilometer": "kilometers", "mile": "miles"},
)
"""Units that may replace one another; any other unit would make a number absurd."""
COMPARING = frozenset({"to", "and", "or", "-", "–"})
FIRST, NEXT = 0.95, 0.02
"""The score of the first other number, unit or family name, and the decrease from each to the next."""


class Substitutes:
    """Substitutes from the lexicon that ships with Concord."""

    def __init__(
        self,
        *,
        least: Annotated[Share, "Least score of a substitute."] = 0.6,
        rarest: Rarest = 25_000,
        meaning: Meaning = 0.5,
        parse: Parse | None = None,
        embed: Embed | None = None,
    ) -> None:
        self.id = "lexicon"
        self._least = least
        self._gate = SubstituteGate(parse, embed, rarest, meaning)

    @property
    def rejected(self) -> Counter[str]:
        """How many candidates were rejected, by reason."""
        return self._gate.rejected

    def version(self) -> str:
        return f"{RULES}-{GATE}-{lexicon().version}-{word_vectors().version}"

    def languages(self) -> frozenset[str]:
        return frozenset({"en"})

    def substitutes(self, requests: Sequence[Slot]) -> list[list[Substitute] | ServiceError]:
        candidates: list[tuple[Slot, list[Substitute]]] = []
        errors: dict[int, ServiceError] = {}
        # Slots of one sentence share its tree; comparing trees would take longer than reading them again.
        sentences = {
            id(slot.tree): SlottedSentence(slot.tree)
            for slot in {id(request.tree): request for request in requests}.values()
        }
        for number, slot in enumerate(requests):
            try:
                candidates.append((slot, list(self._candidates(slot, sentences[id(slot.tree)]))))
            except Refused as error:
                candidates.append((slot, []))
                errors[number] = error
        return [errors.get(number, admitted) for number, admitted in enumerate(self._gate.admitted(candidates))]

    def _candidates(self, slot: Slot, sentence: SlottedSentence) -> Iterator[Substitute]:
        if base(slot.lang) != "en":
            raise Refused(f"the lexicon knows English (en), not {slot.lang}")
        if slot.kinds == (PHRASE,):
            return
        open_places = places(slot, sentence)
        if not open_places:
            self.rejected["no content word"] += 1
        for place in open_places:
            yield from _ranked(place, _numbers(place), slot.lang, "number")
            if place.tag != "CD":
                yield from self._word_substitutes(place, slot)

    def _word_substitutes(self, place: Place, slot: Slot) -> Iterator[Substitute]:
        if listed := _listed(place):
            yield from _ranked(place, listed, slot.lang, "co-hyponym")
            return
        if reason := _closed(place):
            self.rejected[reason] += 1
            return
        for form, kind, score in Judge(place, lexicon(), self.rejected).natural(
            max(self._least, slot.least), slot.kinds
        ):
            words, word = place.replaced(form.word)
            span = place.leaf.start, place.leaf.end
            yield Substitute(Text(words, slot.lang), *span, word, round(score, 4), kind)


def _ranked(place: Place, words: Sequence[str], lang: str, kind: str) -> Iterator[Substitute]:
    """Substitutes from a list of words, with falling scores: the first is the likeliest."""
    for step, listed in enumerate(words):
        sentence, word = place.replaced(listed)
        score = round(FIRST - step * NEXT, 4)
        yield Substitute(Text(sentence, lang), place.leaf.start, place.leaf.end, word, score, kind)


def _numbers(place: Place) -> list[str]:
    """Other numbers for the place; of two that are compared ("7 to 4"), the greater stays the greater."""
    if place.tag not in ("CD", "JJ") or bound(place):
        return []
    numbers = other_numbers(place.word, place.word_at(-1), [place.word_at(distance) for distance in (1, 2, 3)])
    for distance in (-2, 2):
        if place.tag_at(distance) == "CD" and place.word_at(distance // 2) in COMPARING:
            numbers = [candidate for candidate in numbers if same_order(place.word, candidate, place.word_at(distance))]
    return numbers


def _listed(place: Place) -> list[str]:
    """Other units or family names that the sentence does not have; none if the replaced word occurs in it twice."""
    listed, other_words = _units_like(place.word) if measure(place) else families(place), place.other_words
    return [] if lemmas(place.word) & other_words else [word for word in listed if not lemmas(word) & other_words]


def _units_like(unit: str) -> list[str]:
    """The other units of its kind, in the same number: "euros" for "dollars"."""
    lower = unit.lower()
    groups = [names for kind in _UNITS for names in (list(kind), list(kind.values())) if lower in names]
    return [name for names in groups for name in names if name != lower]


def _closed(place: Place) -> str:
    """Why the word cannot be replaced; empty if it can."""
    if in_name(place) and not is_given_name(place, lexicon()):
        return "part of a name"
    if not lexicon().forms(place.word, place.tag):
        return "unknown word"
    if fixed(place, lexicon()):
        return "fixed expression"
    if compound(place):
        return "compound"
    if lemmas(place.word) & place.other_words:
        # A word that occurs twice in a sentence denotes one thing, and after a replacement would denote two.
        return "named twice"
    if measure(place):
        return "measure"
    return "complement" if takes_complement(place) else ""
