"""Quantifiers and logical relations in a sentence, with their places (Cao et al. 2021, SemMT, sections 2 and 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from concord.errors import UnknownName, UserError
from concord.language.codes import base
from concord.relations.semmt.logic import phrase_index
from concord.relations.semmt.logic.english import COLLECTIONS, CONTRACTIONS, HOLDS, RELATIONS, ROLES
from concord.relations.semmt.logic.kinds import APPROXIMATIONS, Approximation, Move, Relation, Unit
from concord.relations.semmt.logic.quantities import QuantityReader
from concord.relations.semmt.logic.words import Words

LANGUAGE = "en"
CONDITIONS = frozenset(("condition", "condition_not", "condition_only", "condition_both"))
_CONDITIONAL = {"if": "condition", "unless": "condition_not", "only_if": "condition_only", "iff": "condition_both"}
_ORDERS = frozenset(("before", "after", "starts", "ends"))
_COMPARED = frozenset(("at_least", "at_most", "more_than", "less_than", "range", "none"))
_NOUN = 3
"""The most words of a noun: between "all" and "but" in "all the other dogs but one", in a name."""
_NO_NOUNS = ("behind_part", "goes_on", "auxiliary", "names")
_ADVERBS = 2
"""The most words between "fell" and "to" in "fell very sharply to 30%"."""
_CLAUSE = 80
"""The most words in which a condition and what follows from it are looked for."""
_STOPS = frozenset(".!?")
_DIGITS = frozenset("0123456789")


class Finding(NamedTuple):
    """A quantifier or a logical relation at `start:end` of the text.

    A quantity has a `unit` (a count, a share in per cent, a number of times, a ratio, a step) and lies between `low`
    and `high`; `approximate` says that the words leave the numbers open and a table filled them in. `bare` is a number
    in digits with nothing around it that compares or scales it. `move` says what it tells of a change, if it does.
    """

    start: int
    end: int
    family: Literal["quantity", "logic"]
    kind: str
    unit: Unit | None = None
    low: float | None = None
    high: float | None = None
    approximate: bool = False
    bare: bool = False
    move: Move = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found in a text, in order; no two overlap."""

    text: str
    all: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.all)


def check_language(lang: str) -> None:
    """Raise an error unless it is the language whose quantifiers and logic are known."""
    if base(lang) != LANGUAGE:
        raise UserError(
            f"quantifiers and logic are known of: {LANGUAGE}. '{lang}' is another language; give sentences in"
            f" {LANGUAGE}"
        )


def find(text: str, *, lang: str = "en", approximation: Approximation = "range") -> Findings:
    """The quantifiers and logical relations of a text, in time that grows with its length.

    `approximation` says how vague words are read: "over", "under" or "range" (see `english.py`).

    >>> [(each.kind, each.low, each.high) for each in find("At least 3 of us did not pay.")]
    [('at_least', 3.0, inf), ('negation', None, None)]
    """
    if approximation not in APPROXIMATIONS:
        raise UnknownName("approximation", approximation, APPROXIMATIONS)
    check_language(lang)
    return Findings(text, tuple(found_in(Words(text), approximation)))


def found_in(sentence: Words, how: Approximation) -> Iterator[Finding]:
    """What is found in the words of a text, for whoever has cut it already."""
    words, stops = sentence.words, phrase_index.STOPS
    places = [at for at, word in enumerate(words) if word in stops or word[0] in _DIGITS or "'" in word]
    if not places:
        return
    reader = QuantityReader(sentence, how)
    done = 0
    for place in places:
        if place < done:
            continue
        word = words[place]
        plain = "exclusion" if _excepts(reader, place, word) else phrase_index.PLAIN.get(word)
        if plain is not None:
            yield Finding(sentence.start(place), sentence.end(place), "logic", plain)
            continue
        idiom = phrase_index.IDIOMS.at(words, place)
        found = _at(reader, place, word) if idiom is None else None
        if found is not None:
            done, finding = found
            yield finding
        elif idiom is not None:
            done = idiom[0]
        elif "'" in word and word.endswith(CONTRACTIONS):
            yield Finding(sentence.start(place), sentence.end(place), "logic", "negation")


def _excepts(reader: QuantityReader, place: int, word: str) -> bool:
    """Whether it is the "but" of "everything but the roof"; "all but destroyed" is destroyed."""
    following = reader.word(place + 1)
    if word != "but" or following.endswith("ed") or following in ROLES["names"] | ROLES["anew"]:
        return False
    if reader.word(place - 1) in ROLES["all_but"]:
        return True
    begun = next((back for back in range(2, _NOUN + 2) if reader.word(place - back) in ROLES["all_of"]), None)
    if begun is None:
        return False
    noun, between = reader.word(place - 1), reader.words[place - begun + 1 : place - 1]
    # A verb behind "all" has no "s", and behind "every" there is none.
    named = reader.word(place - begun) in ROLES["one_of"] or noun.endswith("s") or noun in ROLES["people"]
    if named and noun.isalpha() and ROLES["owner"].issuperset(between) and _is_head(reader, place - begun):
        return True
    return (named or noun.endswith("ed")) and all(map(str.isalpha, between)) and _ends_behind(reader, place + 1)


def _is_head(reader: QuantityReader, place: int) -> bool:
    """Whether a clause begins at a word, so that its verb is yet to come: "all the dogs but one" is its subject."""
    before = reader.word(place - 1 - (reader.word(place - 1) in ROLES["hedge"]))
    return not before.isalnum() or before in ROLES["opens"]


def _ends_behind(reader: QuantityReader, place: int) -> bool:
    """Whether nothing but a name, a number or a noun stands between here and the end of the clause.

    A number that counts no noun may be followed by more: "but two of them", "but one last year", "but one we saw".
    """
    at = place + (reader.word(place) in ROLES["a"] | {"the"})
    following = reader.word(at + 1)
    if reader.counts(at) and any(following in ROLES[noun] for noun in _NO_NOUNS):
        return True
    end = next((end for end in range(at + 1, at + 2 + _NOUN) if not reader.word(end).isalnum()), None)
    if end is None:
        return False
    alone = end == at + 1 or (end == at + 2 and following in ROLES["one"])
    return alone or all(reader.sentence.capital(each) or reader.word(each) in ROLES["named"] for each in range(at, end))


def _at(reader: QuantityReader, place: int, word: str) -> tuple[int, Finding] | None:
    sentence = reader.sentence
    if word in ROLES["a"] and reader.word(place + 1) not in phrase_index.BEHIND_A:
        return None
    if word == "should":
        spans = sentence.start(place), sentence.end(place)
        return (place + 1, Finding(*spans, "logic", "condition")) if _is_inverted(reader, place) else None
    logic = _relation(reader, place) if word in phrase_index.LOGIC else None
    quantity = reader.read(place) if word[0] in _DIGITS or word in phrase_index.QUANTITIES else None
    if quantity is not None and (logic is None or quantity.end >= logic[0]):
        # A sign stands before the figure at which the search has stopped.
        signed = quantity.unit == "negative" and reader.is_signed(place)
        where = sentence.start(place - signed), sentence.end(quantity.end - 1)
        _, kind, unit, low, high, rough, bare = quantity
        move = _move(reader, place - signed) or _difference(reader, quantity.end)
        return quantity.end, Finding(*where, "quantity", kind, unit, low, high, rough, bare, move)
    if logic is None and word in HOLDS and _holds(reader, place):
        logic = place + 1, "inclusion"
    if logic is None or (logic[1] in _ORDERS and not _about_text(reader)):
        return None
    end, relation = logic
    kind = _CONDITIONAL.get(relation, relation)
    return end, Finding(sentence.start(place), sentence.end(end - 1), "logic", kind)


def _relation(reader: QuantityReader, place: int) -> tuple[int, Relation] | None:
    """The logical words at a place; the "not" of "but not more than 20" belongs to the bound."""
    found = phrase_index.RELATIONS.at(reader.words, place)
    if found is None or found[0] == place + 1 or not reader.bounds(found[0] - 1):
        return found
    first = RELATIONS.get(reader.word(place))
    return found if first is None else (place + 1, first)


def _is_inverted(reader: QuantityReader, place: int) -> bool:
    """Whether it is the "should" of "Should you cancel, you pay"; "Should you cancel, or not?" asks."""
    words = reader.words[place + 1 : place + 1 + _CLAUSE]
    end = next((at for at, word in enumerate(words) if word in _STOPS), len(words))
    asks = words[end : end + 1] == ["?"]
    return not reader.word(place - 1).isalnum() and reader.word(place - 1) != "," and "," in words[:end] and not asks


def _move(reader: QuantityReader, place: int) -> Move:
    """Whether a change is as large as the quantity at a word ("fell by 30%") or ends there ("fell to 30%").

    "From 5 to 10%" is where it begins and ends.
    """
    at = place if reader.word(place) == "from" else place - 1
    told = reader.word(at)
    if not (at == place or told in {"by", "to"}):
        return ""
    if ROLES["moves"].isdisjoint(reader.words[max(0, at - 1 - _ADVERBS) : max(0, at)]):
        return ""
    return "by" if told == "by" else "to"


def _difference(reader: QuantityReader, place: int) -> Move:
    """Whether there are so many more or so many fewer: "20% more people", "five fewer"."""
    word = reader.word(place)
    more = word in ROLES["further"]
    if not (more or word in ROLES["less"]) or reader.word(place + 1) in ROLES["or"]:
        return ""
    return "more" if more else "less"


def _holds(reader: QuantityReader, place: int) -> bool:
    """Whether a word such as "with" says that something contains something."""
    behind = reader.word(place + 1)
    if reader.word(place - 1) in COLLECTIONS or behind in ROLES["held"]:
        return True
    counted = reader.read(place + 1)
    return counted is not None and counted.kind in _COMPARED


def _about_text(reader: QuantityReader) -> bool:
    """Whether the sentence speaks of lines and strings, where order is a matter of place and not of time."""
    return not COLLECTIONS.isdisjoint(reader.words[:12])
