"""The conformance checks of parsers, substitutes and encoders, on plug-ins that ship and on ones that are wrong."""

from __future__ import annotations

import math
from collections import Counter
from types import ModuleType

import numpy as np
import pytest
import spacy
import torch
from spacy.training import Example
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

from concord.errors import Refused
from concord.model import Text
from concord.testing import (
    DependTable,
    HashedVectors,
    SubstituteTable,
    TreeTable,
    check_encoder,
    check_parser,
    check_relation,
    check_substitutes,
    now,
)
from concord.text.embed import minilm
from concord.text.embed.sentence_transformers import Encoder as SentenceTransformers
from concord.text.parse import apertium, concord_en
from concord.text.parse.spacy import Parser as Spacy
from concord.text.substitutes import Slot, Substitute
from concord.text.substitutes.lexicon import Substitutes as Lexicon
from concord.text.substitutes.masked import Substitutes as Masked
from concord.text.trees import Tree, read_brackets

WORDS = "Two villages were evacuated near the river after 3 days of rain."


def test_the_parser_that_ships_passes():
    check_parser(concord_en.Parser)


@pytest.mark.parametrize("lang", ["en", "es", "ca"])
def test_apertium_passes(lang):
    check_parser(lambda: apertium.Parser(), lang)


def test_a_spacy_model_passes(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    facts = {"tags": ["NNS", "VBP", "."], "heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "punct"]}
    examples = [Example.from_dict(nlp.make_doc("Dogs sleep ."), facts)]
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    nlp.to_disk(tmp_path / "tiny")
    check_parser(Spacy(model=str(tmp_path / "tiny")))


def test_the_lexicon_passes():
    parser = concord_en.Parser()
    (tree,) = parser.parse([Text(WORDS, "en")])
    slots = [Slot(tree, leaf.start, leaf.end) for leaf in tree.leaves()]
    check_substitutes(lambda: Lexicon(parse=parser.parse), [*slots, Slot(tree, 0, len(WORDS))])


def test_minilm_passes():
    check_encoder(minilm.Encoder)


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """A network of a few kilobytes with random weights, which fills gaps and, by the mean of its tokens, encodes."""
    made = tmp_path_factory.mktemp("bert")
    words = ["old", "bridge", "road", "tunnel", "village", "river", "days", "house", "cats", "morning"]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, "the", "was", "good", "is", "big", "."]
    (made / "vocab.txt").write_text("\n".join(pieces))
    torch.manual_seed(5)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = BertConfig(vocab_size=len(pieces), max_position_embeddings=60, initializer_range=0.6, **shape)
    BertForMaskedLM(config).save_pretrained(made)
    BertTokenizerFast(str(made / "vocab.txt"), do_lower_case=True).save_pretrained(made)
    return str(made)


def test_a_masked_model_passes(bert):
    (tree,) = concord_en.Parser().parse([Text("The old bridge was near the river.", "en")])
    slots = [Slot(tree, leaf.start, leaf.end) for leaf in tree.leaves()]
    check_substitutes(lambda: Masked(argument=bert, device="cpu"), slots)


def test_a_model_of_sentence_transformers_passes(bert):
    check_encoder(lambda: SentenceTransformers(argument=bert, device="cpu"))


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


CATS = Text("Cats sleep", "en")
TREES = TreeTable({"Cats sleep": "(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))"}, kind="shallow")


def test_a_tree_table_has_brackets_for_its_texts_and_refuses_others():
    tree = now(TREES(CATS))
    assert tree == TREE
    assert now(TREES.each([CATS, CATS])) == [tree, tree]
    assert (TREES.can("xx"), TREES.kind("en")) == (True, "shallow")
    with pytest.raises(Refused, match="no tree of 'Dogs'"):
        now(TREES(Text("Dogs", "en")))
    assert TREES.asked[-1] == "Dogs"


def test_relations_of_a_table_are_those_of_its_trees():
    found = now(DependTable(TREES)(CATS))
    assert [(each.label, each.dependent.words) for each in found] == [("nsubj", "Cats"), ("root", "sleep")]


def test_a_table_of_substitutes_replaces_what_it_knows_within_the_span():
    table = SubstituteTable({"Cats": ["Dogs", "Birds"], "sleep": ["run"]})
    assert [each.text.words for each in now(table(TREE, 0, 4))] == ["Dogs sleep", "Birds sleep"]
    assert [each.text.words for each in now(table(TREE, 0, 10, count=2))] == ["Dogs sleep", "Cats run"]
    assert now(table(TREE, 0, 10, kinds=("number",))) == []


def test_hashed_vectors_are_near_where_texts_share_words():
    vectors = HashedVectors()
    one, same, other, empty = now(
        vectors.each([CATS, Text("cats SLEEP!", "en"), Text("Fish swim", "en"), Text("", "en")])
    )
    assert np.allclose([one @ one, one @ same, empty @ empty], 1.0)
    assert one @ other < 0.5


def relation(source: str) -> ModuleType:
    module = ModuleType("guest", "Guest: something must hold.")
    exec("from concord.model import Case, Text\n" + source, module.__dict__)
    return module


ALL = """
async def check(x, translate, parse, depend, substitutes, embed, *, to):
    there = await translate(x, to)
    tree, other = await parse.each([x, there])
    assert tree.shape() == other.shape() and len(await depend(x)) == len(tree.leaves())
    cases = []
    for each in await substitutes(tree, 0, len(x.words), count=50):
        assert (await parse(each.text)).text == each.text.words
        near = float((await embed(x)) @ (await embed(each.text)))
        output = await translate(each.text, to)
        cases.append(Case(x, each.text, there, output, (there, output), 1 - near, 1.0))
    assert cases
    return cases
"""


def test_a_relation_may_name_every_service():
    check_relation(relation(ALL))


def test_a_relation_can_be_given_services_of_the_test_s_own():
    own = {"parse": TREES, "substitutes": SubstituteTable({"Cats": ["Dogs"]})}
    check_relation(
        relation(ALL), "Cats sleep", {**own, "parse": TreeTable({}, otherwise=lambda words: one_phrase(words))}
    )
    with pytest.raises(Refused, match="no tree of 'Dogs sleep'"):
        check_relation(relation(ALL), "Cats sleep", own)


def one_phrase(words: str) -> str:
    return f"(ROOT (NP {' '.join(f'(NN {word})' for word in words.split())}))"
