"""The conformance checks of parsers, substitutes and encoders tell those that are wrong what is wrong."""

from __future__ import annotations

import math
from collections import Counter
from uuid import uuid4

import pytest

from concord.errors import Refused
from concord.language.substitutes import Slot, Substitute
from concord.language.trees import Tree, read_brackets
from concord.model import Text
from concord.testing import check_encoder, check_parser, check_substitutes


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
        return tree(words, children=(tree(words, "X"),)) if words.strip() else Refused("no word")


def tree(words, label="ROOT", end=0, children=()):
    return Tree(label, 0, len(words) + end, children, words)


def changed(good, change):
    """A plug-in that is good but for this."""
    return type("Bad", (good,), change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"one": lambda self, words, count: tree(words, children=(tree(words, f"X{count}"),))},
            "depends on its neighbours",
        ),
        ({"one": lambda self, words, count: tree(words, "S")}, "labelled ROOT"),
        ({"one": lambda self, words, count: tree(words, end=1)}, "outside of the text"),
        ({"one": lambda self, words, count: tree(words)}, "a text without words has no tree"),
        ({"parse": lambda self, texts: Flat.parse(self, texts)[1:]}, "0 answers to 1 text"),
        (
            {"one": lambda self, words, count: Refused("not today")},
            "parses none of the texts, and says not today",
        ),
        ({"kind": "odd"}, "kind is 'full' or 'shallow'"),
        ({"id": ""}, "has an id"),
        ({"version": lambda self: uuid4().hex}, "must not change by itself"),
        ({"version": lambda self: "1|2"}, "no | and no line end"),
        ({"languages": lambda self: frozenset({"de"})}, "en is not among its languages"),
        ({"languages": lambda self: ["en"]}, "languages are a frozenset"),
        ({"depend": lambda self, texts: [None for _ in texts]}, "not a list of relations"),
        ({"parse": None}, "it lacks parse"),
    ],
)
def test_a_bad_parser_is_told_what_is_wrong(change, said):
    check_parser(Flat)
    with pytest.raises(AssertionError, match=said.replace("|", r"\|")):
        check_parser(changed(Flat, change))


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scores": (0.5, 0.9)}, "the most natural first"),
        ({"one": lambda self, slot, count: Dogs.one(self, slot, count)[:count]}, "depends on its neighbours"),
        (
            {"substitutes": lambda self, slots: [self.one(slot, len(slots)) for slot in slots]},
            "of the kind 'similar'",
        ),
        ({"one": lambda self, slot, count: []}, "fills none of the slots"),
        ({"__init__": lambda self: setattr(self, "rejected", None)}, "rejected counts what was turned away"),
        ({"__init__": lambda self: setattr(self, "rejected", {"cat": "many"})}, "rejected counts by reason"),
    ],
)
def test_a_bad_source_of_substitutes_is_told_what_is_wrong(change, said):
    check_substitutes(Dogs, SLOTS)
    with pytest.raises(AssertionError, match=said):
        check_substitutes(changed(Dogs, change), SLOTS)


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"one": lambda self, words, count: [2.0, 0.0]}, "length 2 instead of 1"),
        ({"one": lambda self, words, count: [1.0, *([0.0] * len(words))]}, "numbers after one of"),
        (
            {"one": lambda self, words, count: Letters.one(self, words, count)[:: 1 if count == 1 else -1]},
            "depends on its neighbours",
        ),
        ({"one": lambda self, words, count: [1.0, 0.0]}, "differ in everything"),
        ({"embed": lambda self, texts: Letters.embed(self, texts) or [[1.0]]}, "no text, no vector"),
    ],
)
def test_a_bad_encoder_is_told_what_is_wrong(change, said):
    check_encoder(Letters)
    with pytest.raises(AssertionError, match=said):
        check_encoder(changed(Letters, change))
