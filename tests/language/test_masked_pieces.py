"""A masked model fills one mask for each piece of a word, and all words of a phrase at once.

The models of these tests know nothing but votes: each word of a sentence votes for some pieces, and the piece with the
strongest votes is the likeliest at every mask.
"""

from __future__ import annotations

import warnings
from itertools import pairwise

import pytest

from concord import api, plugins
from concord.language.substitutes import FITTING, GOOD, OTHER, PHRASE, Slot
from concord.language.trees import read_brackets

pytestmark = pytest.mark.large

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def voting(folder, votes):
    """A BERT in a folder, in which `votes` says how strongly one piece speaks for another."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

    pieces = [*SPECIAL, *sorted({piece for pair in votes for piece in pair})]
    (folder / "vocab.txt").write_text("\n".join(pieces), "utf-8")
    shape = {"hidden_size": len(pieces), "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 2}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=True).save_pretrained(folder)
        network = BertForMaskedLM(BertConfig(vocab_size=len(pieces), tie_word_embeddings=False, **shape))
    same = torch.eye(len(pieces))
    with torch.no_grad():
        for name, weights in network.named_parameters():
            weights.fill_(1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0)
        network.get_input_embeddings().weight.copy_(same)
        attention = network.bert.encoder.layer[0].attention
        attention.self.value.weight.copy_(same)
        attention.output.dense.weight.copy_(20.0 * same)
        network.cls.predictions.transform.dense.weight.copy_(same)
        for (voter, piece), strength in votes.items():
            network.cls.predictions.decoder.weight[pieces.index(piece), pieces.index(voter)] = strength
    network.save_pretrained(folder)
    return folder


def answers(folder, slot, **options):
    source = plugins.entry("substitutes", "masked")(argument=str(folder), device="cpu", rarest=10**6, **options)
    (found,) = source.substitutes([slot])
    return found


def chain(*words, also=()):
    """Votes by which each word is followed by the next, the later the stronger; `also` are pieces without votes."""
    steps = {pair: 60.0 * (step + 1) for step, pair in enumerate(pairwise(words))}
    return {**steps, **{(word, word): 0.0 for word in also}}


FLUENCY = read_brackets("(S (NP (PRP$ her) (NN fluency)) (VP (VBD grew)))")


@pytest.fixture(scope="module")
def of_pieces(tmp_path_factory):
    votes = {
        ("grew", "proficien"): 2.0,
        ("grew", "mas"): 1.5,
        ("grew", "skill"): 0.2,
        ("proficien", "##cy"): 4.0,
        ("mas", "##tery"): 4.0,
    }
    return voting(
        tmp_path_factory.mktemp("pieces"), votes | {(piece, piece): 0.0 for piece in ("flu", "##ency", "her")}
    )


def test_a_word_of_several_pieces_can_be_proposed_for_one(of_pieces):
    found = answers(of_pieces, Slot(FLUENCY, 4, 11, count=3))
    assert [each.word for each in found[:2]] == ["proficiency", "mastery"]
    assert found[0].text.words == "her proficiency grew"
    assert found[0].score > found[1].score


def test_so_can_a_word_of_one_piece(of_pieces):
    words = {each.word for each in answers(of_pieces, Slot(FLUENCY, 4, 11, count=9))}
    assert {"proficiency", "mastery", "skill"} <= words
    assert not words & {"proficien", "mas", "cy", "tery"}


def test_of_chinese_every_character_has_a_mask(tmp_path):
    votes = {
        ("在", "公"): 2.0,
        ("在", "商"): 1.5,
        ("公", "园"): 4.0,
        ("商", "店"): 4.0,
        ("学", "校"): 4.0,
        ("他", "他"): 0.0,
    }
    tree = read_brackets("(S (PRON 他) (ADP 在) (NOUN 学校))", "他在学校")
    found = answers(voting(tmp_path, votes), Slot(tree, 2, 4, count=2, lang="zh"))
    assert [each.text.words for each in found] == ["他在公园", "他在商店"]


PHRASES = "(S (NP (PRP He)) (VP (VBZ reads) (PP (IN in) (NP (JJ written) (CC and) (JJ spoken) (NN English)))))"
ENGLISH = read_brackets(PHRASES)


def test_all_words_of_a_phrase_are_replaced_at_once(tmp_path):
    votes = chain("in", "old", "and", "new", "french", also=("he", "reads", "written", "spoken", "english", "or"))
    start = ENGLISH.text.index("written")
    slot = Slot(ENGLISH, start, len(ENGLISH.text), count=1, kinds=(PHRASE,))
    (found,) = answers(voting(tmp_path, votes), slot)
    assert found.text.words == "He reads in old and new French"
    assert (found.start, found.word, found.kind) == (start, "old and new French", PHRASE)


def test_a_phrase_that_keeps_a_content_word_is_turned_away(tmp_path):
    votes = chain("in", "old", "and", "spoken", "english", also=("he", "reads", "written", "french"))
    start = ENGLISH.text.index("written")
    slot = Slot(ENGLISH, start, len(ENGLISH.text), count=9, kinds=(PHRASE,))
    found = answers(voting(tmp_path, votes), slot)
    assert found
    assert all(not {"written", "spoken", "English"} & set(each.word.split()) for each in found)


def test_a_phrase_of_function_words_has_no_other_words(tmp_path):
    tree = read_brackets("(S (NP (PRP He)) (VP (VBD was) (ADVP (RB there))))")
    slot = Slot(tree, tree.text.index("there"), len(tree.text), kinds=(PHRASE,))
    assert answers(voting(tmp_path, chain("he", "was", "there", "here")), slot) == []


SHAPE = "(S (NP (DT {1}) ({0} {2}) (NN {3})) (VP (VBD {4})))"
BIG = read_brackets(SHAPE.format("JJ", "a", "big", "house", "fell"))


def test_where_another_meaning_is_wanted_synonyms_are_turned_away(tmp_path):
    model = voting(tmp_path, {("fell", "large"): 3.0, ("fell", "old"): 2.0, **chain(also=("a", "big", "house"))})
    natural, fitting, other = (answers(model, Slot(BIG, 2, 5, kinds=kinds)) for kinds in (("masked",), FITTING, OTHER))
    assert [each.word for each in natural[:2]] == [each.word for each in fitting[:2]] == ["large", "old"]
    assert {each.kind for each in natural} == {"masked"}
    assert other[0].text.words == "an old house fell"
    assert "large" not in [each.word for each in other]
    assert {each.kind for each in other} == {"masked"}
    assert all(each.score < GOOD for each in other)
    assert answers(model, Slot(BIG, 2, 5, kinds=OTHER, least=GOOD)) == other  # a probability is no similarity


def test_fifty_words_are_proposed_by_default(tmp_path):
    words = [f"{first}{second}" for first in "bcdfghkl" for second in "aeiouyrw"]
    model = voting(tmp_path, {("fell", word): 1.0 for word in words} | chain(also=("a", "big", "house")))
    source = plugins.entry("substitutes", "masked")(argument=str(model), device="cpu", least=1.0)
    assert source.substitutes([Slot(BIG, 2, 5)]) == [[]]
    assert source.rejected["probability"] == 50


def test_all_that_the_model_proposes_is_parsed_whatever_the_first_ones_become(tmp_path):
    words = ("old", "new", "red", "small")
    votes = {("fell", word): 9.0 - rank for rank, word in enumerate(words)}
    asked = []

    def parse(texts):
        asked.extend(text.words for text in texts)
        return [
            read_brackets(SHAPE.format("JJ" if "small" in text.words else "NN", *text.words.split())) for text in texts
        ]

    model = voting(tmp_path, votes | chain(also=("a", "big", "house")))
    found = answers(model, Slot(BIG, 2, 5, count=1), parse=parse)
    assert [each.word for each in found] == ["small"]
    assert asked == ["an old house fell", "a new house fell", "a red house fell", "a small house fell"]


def test_a_run_of_mgmt_replaces_the_whole_phrase(tmp_path):
    votes = chain("throw", "his", "old", "garbage", also=("people", "still", "their", "ugly", "rubbish", "."))
    model, corpus = voting(tmp_path, votes), tmp_path / "one.txt"
    corpus.write_text("People still throw their ugly rubbish.")
    api.run(
        corpus,
        relations=["mgmt,granularities=phrase,phrases=NP"],
        systems=["command:cat"],
        to=["en-GB"],
        workspace=tmp_path / "w.sqlite",
        settings=api.Settings(services={"substitutes": f"masked:{model},device=cpu,rarest=1000000"}),
    )
    (row,) = api.rows(tmp_path / "w.sqlite", [1])
    assert row["follow_up"]["words"] == "People still throw his old garbage."
    assert row["evidence"]["replaced"] == [["their", "his"], ["ugly", "old"], ["rubbish", "garbage"]]
