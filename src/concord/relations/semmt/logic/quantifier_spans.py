"""Find the quantifiers and logical relations of a sentence (Cao et al. 2021, SemMT, sections 2 and 3.3)."""

from collections.abc import Iterator
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
    in digits that nothing compares or scales. `move` says whether it is the size of a change, its end, or a difference.
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


def check_language(lang: str) -> None:
    """Raise `UserError` unless the quantifiers and the logic of the language are known."""
    if base(lang) != LANGUAGE:
        raise UserError(
            f"quantifiers and logic are known of: {LANGUAGE}. '{lang}' is another language; give sentences in"
            f" {LANGUAGE}"
        )


def find(text: str, *, lang: str = "en", approximation: Approximation = "range") -> tuple[Finding, ...]:
    """The quantifiers and logical relations of a text in order, in time that grows with its length; no two overlap.

    `approximation` says how vague words are read: "over", "under" or "range" (see `english.py`).

    >>> [(finding.kind, finding.low, finding.high) for finding in find("At least 3 of us did not pay.")]
    [('at_least', 3.0, inf), ('negation', None, None)]
    """
    if approximation not in APPROXIMATIONS:
        raise UnknownName("approximation", approximation, APPROXIMATIONS)
    check_language(lang)
    return tuple(findings_in(Words(text), approximation))


def findings_in(sentence: Words, how: Approximation) -> Iterator[Finding]:
    """The quantifiers and logical words of a text that has been cut into words."""
    words, stops = sentence.words, phrase_index.STOPS
    stops_at = [index for index, word in enumerate(words) if word in stops or word[0] in _DIGITS or "'" in word]
    if not stops_at:
        return
    reader = QuantityReader(sentence, how)
    next_index = 0
    for index in stops_at:
        if index < next_index:
            continue
        word = words[index]
        relation = "exclusion" if _excepts(reader, index, word) else phrase_index.PLAIN.get(word)
        if relation is not None:
            yield Finding(sentence.start(index), sentence.end(index), "logic", relation)
            continue
        idiom = phrase_index.IDIOMS.match(words, index)
        finding_end = _finding_at(reader, index, word) if idiom is None else None
        if finding_end is not None:
            next_index, finding = finding_end
            yield finding
        elif idiom is not None:
            next_index = idiom[0]
        elif "'" in word and word.endswith(CONTRACTIONS):
            yield Finding(sentence.start(index), sentence.end(index), "logic", "negation")


def _excepts(reader: QuantityReader, index: int, word: str) -> bool:
    """Whether it is the "but" of "everything but the roof"; "all but destroyed" is destroyed."""
    following = reader.word(index + 1)
    if word != "but" or following.endswith("ed") or following in ROLES["names"] | ROLES["anew"]:
        return False
    if reader.word(index - 1) in ROLES["all_but"]:
        return True
    distance = next((back for back in range(2, _NOUN + 2) if reader.word(index - back) in ROLES["all_of"]), None)
    if distance is None:
        return False
    noun, between = reader.word(index - 1), reader.words[index - distance + 1 : index - 1]
    # A verb after "all" has no "s", and after "every" there is none.
    countable = reader.word(index - distance) in ROLES["one_of"] or noun.endswith("s") or noun in ROLES["people"]
    if countable and noun.isalpha() and ROLES["owner"].issuperset(between) and _is_head(reader, index - distance):
        return True
    return (countable or noun.endswith("ed")) and all(map(str.isalpha, between)) and _ends_behind(reader, index + 1)


def _is_head(reader: QuantityReader, index: int) -> bool:
    """Whether a clause begins at a word, so that its verb follows: "all the dogs but one" is its subject."""
    before = reader.word(index - 1 - (reader.word(index - 1) in ROLES["hedge"]))
    return not before.isalnum() or before in ROLES["opens"]


def _ends_behind(reader: QuantityReader, index: int) -> bool:
    """Whether only a name, a number or a noun is between a word and the end of the clause.

    A number that counts no noun may be followed by more: "but two of them", "but one last year", "but one we saw".
    """
    start = index + (reader.word(index) in ROLES["a"] | {"the"})
    following = reader.word(start + 1)
    if reader.counts(start) and any(following in ROLES[noun] for noun in _NO_NOUNS):
        return True
    end = next((end for end in range(start + 1, start + 2 + _NOUN) if not reader.word(end).isalnum()), None)
    if end is None:
        return False
    alone = end == start + 1 or (end == start + 2 and following in ROLES["one"])
    capital, in_names = reader.sentence.capital, ROLES["named"]
    return alone or all(capital(word) or reader.word(word) in in_names for word in range(start, end))


def _finding_at(reader: QuantityReader, index: int, word: str) -> tuple[int, Finding] | None:
    sentence = reader.sentence
    if word in ROLES["a"] and reader.word(index + 1) not in phrase_index.BEHIND_A:
        return None
    if word == "should":
        span = sentence.start(index), sentence.end(index)
        return (index + 1, Finding(*span, "logic", "condition")) if _is_inverted(reader, index) else None
    logic = _relation(reader, index) if word in phrase_index.LOGIC else None
    quantity = reader.read(index) if word[0] in _DIGITS or word in phrase_index.QUANTITIES else None
    if quantity is not None and (logic is None or quantity.end >= logic[0]):
        # A sign precedes the figure at which the search has stopped.
        signed = quantity.unit == "negative" and reader.is_signed(index)
        span = sentence.start(index - signed), sentence.end(quantity.end - 1)
        _, kind, unit, low, high, rough, bare = quantity
        move = _move(reader, index - signed) or _difference(reader, quantity.end)
        return quantity.end, Finding(*span, "quantity", kind, unit, low, high, rough, bare, move)
    if logic is None and word in HOLDS and _holds(reader, index):
        logic = index + 1, "inclusion"
    if logic is None or (logic[1] in _ORDERS and not _about_text(reader)):
        return None
    end, relation = logic
    kind = _CONDITIONAL.get(relation, relation)
    return end, Finding(sentence.start(index), sentence.end(end - 1), "logic", kind)


def _relation(reader: QuantityReader, index: int) -> tuple[int, Relation] | None:
    """The logical relation at a word; the "not" of "but not more than 20" belongs to the bound."""
    relation = phrase_index.RELATIONS.match(reader.words, index)
    if relation is None or relation[0] == index + 1 or not reader.bounds(relation[0] - 1):
        return relation
    first = RELATIONS.get(reader.word(index))
    return relation if first is None else (index + 1, first)


def _is_inverted(reader: QuantityReader, index: int) -> bool:
    """Whether it is the "should" of "Should you cancel, you pay"; "Should you cancel, or not?" asks."""
    words = reader.words[index + 1 : index + 1 + _CLAUSE]
    end = next((position for position, word in enumerate(words) if word in _STOPS), len(words))
    asks = words[end : end + 1] == ["?"]
    return not reader.word(index - 1).isalnum() and reader.word(index - 1) != "," and "," in words[:end] and not asks


def _move(reader: QuantityReader, index: int) -> Move:
    """Whether the quantity at a word is the size of a change ("fell by 30%") or its end ("fell to 30%").

    "From 5 to 10%" counts as its end.
    """
    preposition = index if reader.word(index) == "from" else index - 1
    word = reader.word(preposition)
    if not (preposition == index or word in {"by", "to"}):
        return ""
    if ROLES["moves"].isdisjoint(reader.words[max(0, preposition - 1 - _ADVERBS) : max(0, preposition)]):
        return ""
    return "by" if word == "by" else "to"


def _difference(reader: QuantityReader, index: int) -> Move:
    """ "more" or "less" if the number is a difference ("20% more people", "five fewer"), else ""."""
    word = reader.word(index)
    more = word in ROLES["further"]
    if not (more or word in ROLES["less"]) or reader.word(index + 1) in ROLES["or"]:
        return ""
    return "more" if more else "less"


def _holds(reader: QuantityReader, index: int) -> bool:
    """Whether a word such as "with" says that something contains something."""
    behind = reader.word(index + 1)
    if reader.word(index - 1) in COLLECTIONS or behind in ROLES["held"]:
        return True
    counted = reader.read(index + 1)
    return counted is not None and counted.kind in _COMPARED


def _about_text(reader: QuantityReader) -> bool:
    """Whether the sentence is about lines and strings, where order means position and not time."""
    return not COLLECTIONS.isdisjoint(reader.words[:12])
