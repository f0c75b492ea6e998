"""The conformance checks of parsers, substitutes and encoders on those that ship, and tables that stand in for them."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from concord.errors import Refused
from concord.language.embed import minilm
from concord.language.embed.sentence_transformers import Encoder as SentenceTransformers
from concord.language.parse import apertium, concord_en
from concord.language.parse.spacy import Parser as Spacy
from concord.language.substitutes import Slot
from concord.language.substitutes.lexicon import Substitutes as Lexicon
from concord.language.substitutes.masked import Substitutes as Masked
from concord.language.trees import read_brackets
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

WORDS = "Two villages were evacuated near the river after 3 days of rain."


def test_the_parser_that_ships_passes():
    check_parser(concord_en.Parser)


@pytest.mark.parametrize("lang", ["en", "es", "ca"])
def test_apertium_passes(lang):
    check_parser(lambda: apertium.Parser(), lang)


@pytest.mark.large
def test_a_spacy_model_passes(tmp_path):
    import spacy
    from spacy.training import Example

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


@pytest.mark.large
def test_minilm_passes():
    check_encoder(minilm.Encoder)


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """A network of a few kilobytes with random weights, which fills gaps and, by the mean of its tokens, encodes."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

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


@pytest.mark.large
def test_a_masked_model_passes(bert):
    (tree,) = concord_en.Parser().parse([Text("The old bridge was near the river.", "en")])
    slots = [Slot(tree, leaf.start, leaf.end) for leaf in tree.leaves()]
    check_substitutes(lambda: Masked(argument=bert, device="cpu"), slots)


@pytest.mark.large
def test_a_model_of_sentence_transformers_passes(bert):
    check_encoder(lambda: SentenceTransformers(argument=bert, device="cpu"))


TREE = read_brackets("(ROOT (S (NP (NNS Cats)) (VP (VBP sleep))))", "Cats sleep")


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
