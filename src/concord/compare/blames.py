"""Blames: which words of two translations are suspicious, of which source word, against what, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from concord.compare.left_over import Compared, LeftOver
from concord.compare.words import is_number, same_number, values
from concord.text.leftover import left_over as untranslated
from concord.text.tokens import Token

Why = Literal["omission", "addition", "mistranslation", "number", "negation", "untranslated", "reordered"]
Span = tuple[int, int]
LEAST = 0.015
UNLINKED, EXPLAINED = 0.25, 0.5


@dataclass(frozen=True, slots=True)
class Blame:
    """A suspicious word of a translation.

    `side` tells whose: "source" or "follow_up"; `start:end` where it stands there. `source_word` is the source word
    that it translates, if that is known; `counterpart` what the other translation has for it, with its span there.
    An omission is blamed where the word stands; it is the other translation that lacks it.
    """

    side: Literal["source", "follow_up"]
    start: int
    end: int
    word: str
    source_word: str
    counterpart: str
    counterpart_span: Span | None
    why: Why
    suspicion: float


def blamed(compared: Compared, suspicions: list[float]) -> tuple[Blame, ...]:
    """The suspicious words, the most suspicious first."""
    made = [
        _blame(word, value, compared) for word, value in zip(compared.words, suspicions, strict=True) if value >= LEAST
    ]
    return tuple(sorted(made, key=lambda blame: (-blame.suspicion, blame.side, blame.start)))


def _blame(word: LeftOver, suspicion: float, compared: Compared) -> Blame:
    here, there = compared.sides[word.side], compared.sides[1 - word.side]
    token = here.output.tokens[word.place]
    number = _number(word, compared)
    if number is not None:
        # Whatever else the alignment takes it for, it says this number.
        word = replace(word, counterparts=tuple(each for each in word.counterparts if each.source == number))
    stand_in = None if word.counterparts else _stand_in(word, compared)
    source = here.source.tokens[number] if number is not None else _source(word, stand_in, compared)
    other = word.counterpart.place if word.counterpart else stand_in.place if stand_in else None
    twin = there.output.tokens[other] if other is not None else None
    return Blame(
        side="follow_up" if word.side else "source",
        start=token.start,
        end=token.end,
        word=token.text,
        source_word=source.text if source else "",
        counterpart=twin.text if twin else "",
        counterpart_span=(twin.start, twin.end) if twin else None,
        why="number" if number is not None else _why(word, twin, token, compared),
        suspicion=round(suspicion, 6),
    )


def _stand_in(word: LeftOver, compared: Compared) -> LeftOver | None:
    """What stands in the same place in the other translation, if one of the two has no source word at all.

    A wrong translation of a word is not known as one, so that nothing links it to the word.
    """
    gaps, alone = compared.outputs.gaps, word.link < UNLINKED
    gap = gaps[word.side][word.place]
    for other in compared.words:
        is_there = other.side != word.side and gaps[other.side][other.place] == gap
        if is_there and not other.counterparts and (other.link < UNLINKED) != alone and _unexplained(other):
            return other
    return None


def _unexplained(word: LeftOver) -> bool:
    return max(word.changed_link, word.changed_word) < EXPLAINED


def _source(word: LeftOver, stand_in: LeftOver | None, compared: Compared) -> Token | None:
    """The source word that says it most surely; the one of its counterpart first, so that both belong together."""
    tokens = compared.sides[word.side].source.tokens
    if word.counterpart is not None:
        return tokens[word.counterpart.source]
    place = _linked(word, compared)
    if place is None and stand_in is not None:
        theirs = _linked(stand_in, compared)
        place = compared.sources.shared[stand_in.side].get(-1 if theirs is None else theirs)
    return None if place is None else tokens[place]


def _number(word: LeftOver, compared: Compared) -> int | None:
    """The source word that says the same number."""
    side = compared.sides[word.side]
    langs = side.source.text.lang, side.output.text.lang
    if not values(word.word, langs[1]):
        return None
    tokens = side.source.tokens
    return next((at for at in side.source.places if same_number(tokens[at].text, word.word, langs)), None)


def _linked(word: LeftOver, compared: Compared) -> int | None:
    side = compared.sides[word.side]
    link, place = max(((side.link(place, word.place), place) for place in side.source.places), default=(0.0, 0))
    return place if link >= UNLINKED else None


def _why(word: LeftOver, twin: Token | None, token: Token, compared: Compared) -> Why:
    if word.number or (twin is not None and is_number(twin.text)):
        return "number"
    if word.negation:
        return "negation"
    side = compared.sides[word.side]
    left = untranslated(side.source.text, side.output.text)
    if any(each.start < token.end and token.start < each.end for each in left):
        return "untranslated"
    if word.moved:
        return "reordered"
    if twin is not None:
        return "mistranslation"
    return "omission" if max(word.shared_link, word.shared_word) >= 0.5 else "addition"
