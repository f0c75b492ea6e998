"""Blames: the suspicious words of two translations, with their source words, their counterparts and the reason."""

from dataclasses import dataclass
from typing import Literal

from concord.comparator.differences import Compared, LeftOver
from concord.comparator.source_words import Names, names
from concord.comparator.words import is_number
from concord.language.tokens import Token
from concord.language.untranslated_words import left_over as untranslated

Why = Literal["omission", "addition", "mistranslation", "number", "negation", "untranslated", "reordered", "repeated"]
Span = tuple[int, int]
LEAST = 0.015


@dataclass(frozen=True, slots=True)
class Blame:
    """A suspicious word of a translation.

    `side` tells whose: "source" or "follow_up"; `start:end` is its span there. `source_word` is the word of that side's
    text that it translates, if that is known; `counterpart` what the other translation has for it, each with its span.
    An omission is blamed on the word that is there; the other translation lacks it.
    """

    side: Literal["source", "follow_up"]
    start: int
    end: int
    word: str
    source_word: str
    source_span: Span | None
    counterpart: str
    counterpart_span: Span | None
    why: Why
    suspicion: float


def blamed(compared: Compared, suspicions: list[float]) -> tuple[Blame, ...]:
    """The suspicious words, the most suspicious first."""
    suspicious = [(word, value) for word, value in zip(compared.words, suspicions, strict=True) if value >= LEAST]
    source_words = names(compared) if suspicious else Names(compared)
    blames = [_blame(word, value, compared, source_words) for word, value in suspicious]
    return tuple(sorted(blames, key=lambda blame: (-blame.suspicion, blame.side, blame.start)))


def _blame(word: LeftOver, suspicion: float, compared: Compared, source_words: Names) -> Blame:
    side, other_side = compared.sides[word.side], compared.sides[1 - word.side]
    token = side.output.tokens[word.place]
    source_index, twin_index = source_words.source(word), source_words.instead(word)
    said_number = (word.side, word.place) in source_words.numbers
    source = side.source.tokens[source_index] if source_index is not None else None
    twin = other_side.output.tokens[twin_index] if twin_index is not None else None
    return Blame(
        side="follow_up" if word.side else "source",
        start=token.start,
        end=token.end,
        word=token.text,
        source_word=source.text if source else "",
        source_span=(source.start, source.end) if source else None,
        counterpart=twin.text if twin else "",
        counterpart_span=(twin.start, twin.end) if twin else None,
        why=_placed(word) or ("number" if said_number else _why(word, source_index, twin, compared)),
        suspicion=round(suspicion, 6),
    )


def _placed(word: LeftOver) -> Why | None:
    """The reason to blame a word that the other translation has as well: it is repeated or reordered."""
    if word.again:
        return "repeated"
    return "reordered" if word.moved else None


def _why(word: LeftOver, source: int | None, twin: Token | None, compared: Compared) -> Why:
    if word.number or (twin is not None and is_number(twin.text)):
        return "number"
    if word.negation:
        return "negation"
    side = compared.sides[word.side]
    token, left = side.output.tokens[word.place], untranslated(side.source.text, side.output.text)
    if any(span.start < token.end and token.start < span.end for span in left):
        return "untranslated"
    if twin is not None:
        return "mistranslation"
    return "omission" if source in compared.sources.shared[word.side] else "addition"
