"""The conformance checks of parsers, substitutes and encoders tell those that are wrong what is wrong."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from concord.errors import Refused
from concord.language.substitutes import Slot, Substitute
from concord.language.trees import Tree, read_brackets
from concord.model import Text
from concord.testing import (
    check_encoder,
    check_parser,
    check_substitutes,
)


class Flat:
    """A good parser: one word, which is the text."""

    id = "flat"
    kind = "full"

    def version(self):
        return "1"

    def languages(self):
        return frozenset({"en"})

    def parse(self, texts):
        return [self.one(text.words, len(texts)) for text in texts]

    def one(self, words, count):
        if not words.strip():
            return Refused("no word")
        return Tree("ROOT", 0, len(words), (Tree("X", 0, len(words), (), words),), words)


class Nosy(Flat):
    def one(self, words, count):
        return Tree("ROOT", 0, len(words), (Tree(f"X{count}", 0, len(words), (), words),), words)


class Rootless(Flat):
    def one(self, words, count):
        return Tree("S", 0, len(words), (), words)


class Outside(Flat):
    def one(self, words, count):
        return Tree("ROOT", 0, len(words) + 1, (), words)


class Eager(Flat):
    def one(self, words, count):
        return Tree("ROOT", 0, len(words), (), words)


class Short(Flat):
    def parse(self, texts):
        return super().parse(texts)[1:]


class Silent(Flat):
    def one(self, words, count):
        return Refused("not today")


class Odd(Flat):
    kind = "odd"


class Nameless(Flat):
    id = ""


class Restless(Flat):
    count = 0

    def version(self):
        self.count += 1
        return str(self.count)


class Barred(Flat):
    def version(self):
        return "1|2"


class German(Flat):
    def languages(self):
        return frozenset({"de"})


class Listing(Flat):
    def languages(self):
        return ["en"]


class Dependent(Flat):
    def depend(self, texts):
        return [None for _ in texts]


class Mute(Flat):
    parse = None


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Nosy, "depends on its neighbours"),
        (Rootless, "labelled ROOT"),
        (Outside, "outside of the text"),
        (Eager, "a text without words has no tree"),
        (Short, "0 answers to 1 text"),
        (Silent, "parses none of the texts, and says not today"),
        (Odd, "kind is 'full' or 'shallow'"),
        (Nameless, "has an id"),
        (Restless, "must not change by itself"),
        (Barred, "no | and no line end"),
        (German, "en is not among its languages"),
        (Listing, "languages are a frozenset"),
        (Dependent, "not a list of relations"),
        (Mute, "it lacks parse"),
    ],
)
def test_a_bad_parser_is_told_what_is_wrong(bad, said):
    check_parser(Flat)
    with pytest.raises(AssertionError, match=said.replace("|", r"\|")):
        check_parser(bad)


TREE = read_brackets("(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))", "Cats sleep")
SLOTS = [Slot(TREE, 0, 4), Slot(TREE, 5, 10)]


class Dogs:
    """A good source: dogs for everything."""

    id = "dogs"
    words = ("dogs", "hounds")
    scores = (0.9, 0.5)
    kind = "similar"

    def __init__(self):
        self.rejected = Counter({"cat": 1})

    def version(self):
        return "1"

    def languages(self):
        return None

    def substitutes(self, slots):
        return [self.one(slot, len(slots)) if self.kind in slot.kinds else [] for slot in slots]

    def one(self, slot, count):
        return [
            Substitute(self.text(slot, word), slot.start, slot.end, word, score, self.kind)
            for word, score in zip(self.words, self.scores, strict=True)
        ]

    def text(self, slot, word):
        words = slot.tree.text
        return Text(words[: slot.start] + word + words[slot.end :], slot.lang)


class Backwards(Dogs):
    scores = (0.5, 0.9)


class Crowded(Dogs):
    def one(self, slot, count):
        return super().one(slot, count)[:count]


class Unasked(Dogs):
    def substitutes(self, slots):
        return [self.one(slot, len(slots)) for slot in slots]


class Poor(Dogs):
    def one(self, slot, count):
        return []


class Uncounted(Dogs):
    def __init__(self):
        self.rejected = None


class Worded(Dogs):
    def __init__(self):
        self.rejected = {"cat": "many"}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Backwards, "the most natural first"),
        (Crowded, "depends on its neighbours"),
        (Unasked, "of the kind 'similar'"),
        (Poor, "fills none of the slots"),
        (Uncounted, "rejected counts what was turned away"),
        (Worded, "rejected counts by reason"),
    ],
)
def test_a_bad_source_of_substitutes_is_told_what_is_wrong(bad, said):
    check_substitutes(Dogs, SLOTS)
    with pytest.raises(AssertionError, match=said):
        check_substitutes(bad, SLOTS)


class Letters:
    """A good encoder: how often each of some letters occurs."""

    id = "letters"

    def version(self):
        return "1"

    def languages(self):
        return None

    def embed(self, texts):
        return [self.one(text.words, len(texts)) for text in texts]

    def one(self, words, count):
        row = [1 + words.count(letter) for letter in "aehost"]
        return [number / math.hypot(*row) for number in row]


class Long(Letters):
    def one(self, words, count):
        return [2.0, 0.0]


class Growing(Letters):
    def one(self, words, count):
        return [1.0, *([0.0] * len(words))]


class Social(Letters):
    def one(self, words, count):
        row = super().one(words, count)
        return row if count == 1 else row[::-1]


class Blind(Letters):
    def one(self, words, count):
        return [1.0, 0.0]


class Stuffed(Letters):
    def embed(self, texts):
        return super().embed(texts) or [[1.0]]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Long, "length 2 instead of 1"),
        (Growing, "numbers after one of"),
        (Social, "depends on its neighbours"),
        (Blind, "differ in everything"),
        (Stuffed, "no text, no vector"),
    ],
)
def test_a_bad_encoder_is_told_what_is_wrong(bad, said):
    check_encoder(Letters)
    with pytest.raises(AssertionError, match=said):
        check_encoder(bad)
