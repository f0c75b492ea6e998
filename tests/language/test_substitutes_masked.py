"""A masked language model fills gaps; a model of a few kilobytes shows that all of it works."""

from __future__ import annotations

import importlib
import json
import warnings

import pytest

from concord import plugins
from concord.errors import Missing, Refused, UserError
from concord.language.substitutes import Slot
from concord.language.trees import read_brackets

pytestmark = pytest.mark.large

CONTENT = [
    "old",
    "new",
    "bridge",
    "road",
    "tunnel",
    "village",
    "house",
    "cat",
    "dog",
    "closed",
    "opened",
    "small",
    "river",
]
WORDS = [*CONTENT, "the", "a", "was", "is", "in", "and"]
TREE = read_brackets(
    "(S (NP (DT The) (JJ old) (NN bridge)) (VP (VBD was) (VP (VBN closed))))", "The old bridge was closed"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny BERT in the files that real ones are published in, which prefers the words of the sentence."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

    made = tmp_path_factory.mktemp("masked") / "bert"
    made.mkdir()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "##s", "##ing", "."]
    (made / "vocab.txt").write_text("\n".join(pieces))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tokenizer = BertTokenizerFast(str(made / "vocab.txt"), do_lower_case=True)
        shape = {"hidden_size": len(pieces), "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 2}
        network = BertForMaskedLM(BertConfig(vocab_size=len(pieces), max_position_embeddings=40, **shape))
        with torch.no_grad():
            _prefer_what_is_there(network)
        network.save_pretrained(made)
        tokenizer.save_pretrained(made)
    return made


def _prefer_what_is_there(network):
    """Let each place see the mean of all words of its sentence, and rank words that are not there by their number."""
    import torch

    for name, weights in network.named_parameters():
        weights.fill_(1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0)
    same = torch.eye(network.config.vocab_size)
    network.get_input_embeddings().weight.copy_(same)
    attention = network.bert.encoder.layer[0].attention
    attention.self.value.weight.copy_(same)
    attention.output.dense.weight.copy_(20.0 * same)
    network.cls.predictions.transform.dense.weight.copy_(same)
    network.cls.predictions.bias.copy_(-0.01 * torch.arange(len(same)))


@pytest.fixture
def masked(folder):
    make = plugins.entry("substitutes", "masked")
    return lambda **options: make(argument=str(folder), device="cpu", **options)


def slot(word, tree=TREE, count=5):
    start = tree.text.index(word)
    return Slot(tree, start, start + len(word), count)


def test_a_gap_is_filled_with_words_and_probabilities(masked):
    (answer,) = masked(top=40).substitutes([slot("bridge")])
    assert len(answer) == 5
    assert [each.score for each in answer] == sorted((each.score for each in answer), reverse=True)
    assert 0 < sum(each.score for each in answer) < 1
    for each in answer:
        assert each.text.words == f"The old {each.word} was closed"
        assert each.word in CONTENT
        assert each.word != "bridge"
        assert each.kind == "masked"


def test_pieces_special_tokens_and_marks_are_no_words(masked):
    source = masked(top=40)
    (answer,) = source.substitutes([slot("bridge", count=100)])
    assert not {each.word for each in answer} & {".", "[MASK]", "[CLS]", "##s", "s", "ing"}
    assert source.rejected["not a word"] == 1
    assert source.rejected["variant"] == 1
    assert source.rejected["function word"] == 6


def test_the_answer_depends_on_the_sentence_but_not_on_the_batch(masked):
    other = read_brackets("(S (DT A) (JJ small) (NN river) (VBD was) (IN in) (DT the) (NN village))")
    slots = [slot("bridge"), slot("river", other), slot("old"), slot("closed")]
    together = masked(top=40, batch=4).substitutes(slots)
    alone = masked(top=40, batch=1).substitutes(slots)
    assert [[each.word for each in answer] for answer in together] == [
        [each.word for each in answer] for answer in alone
    ]
    # The model prefers the words that are there; the word itself is not asked for.
    assert [answer[0].word for answer in alone] == ["old", "village", "bridge", "old"]


def test_the_least_probability_is_kept(masked):
    source = masked(top=40, least=0.05)
    (answer,) = source.substitutes([slot("bridge", count=100)])
    assert all(each.score >= 0.05 for each in answer)
    assert source.rejected["probability"] > 0


def test_top_says_how_many_words_the_model_is_asked_for(masked):
    (answer,) = masked(top=2).substitutes([slot("bridge", count=100)])
    assert len(answer) <= 2


def test_the_same_gate_follows(masked):
    source = masked(top=40, parse=lambda texts: [Refused("no") for _ in texts])
    assert source.substitutes([slot("bridge")]) == [[]]
    assert source.rejected["not parsed"] > 0


def test_gaps_in_other_languages_are_filled_where_their_tags_allow(masked):
    tree = read_brackets("(S (DET el) (NOUN puente) (ADP de) (PROPN Ronda))")
    name, article = masked(top=40).substitutes([Slot(tree, 3, 9, lang="es"), Slot(tree, 0, 2, lang="es")])
    assert len(name) == 5
    assert article == []


def test_loading_a_model_prints_nothing(masked, capfd):
    masked(top=3).substitutes([slot("bridge")])
    assert capfd.readouterr() == ("", "")


def test_function_words_are_not_asked_for(masked):
    source = masked()
    assert source.substitutes([slot("The")]) == [[]]
    assert source.rejected["no content word"] == 1


def test_a_text_too_long_for_the_model_is_refused_alone(masked):
    long = read_brackets("(S " + "(DT the) (NN cat) " * 30 + "(NN dog))")
    refused, answer = masked(top=40).substitutes([slot("dog", long), slot("bridge")])
    assert isinstance(refused, Refused)
    assert "40" in str(refused)
    assert len(answer) == 5


def test_a_text_that_holds_the_mask_itself_has_one_gap(masked):
    tree = read_brackets("(S (NN [MASK]) (DT the) (NN bridge))", "[MASK] the bridge")
    (answer,) = masked(top=40).substitutes([slot("bridge", tree)])
    assert all(each.text.words.startswith("[MASK] the ") for each in answer)


def test_a_span_without_a_word_is_refused_alone(masked):
    refused, answer = masked(top=40).substitutes([Slot(TREE, 1, 2), slot("bridge")])
    assert isinstance(refused, Refused)
    assert answer


def test_the_version_is_that_of_the_files(masked, folder):
    version = masked().version()
    assert version == masked().version()
    told = folder / "tokenizer_config.json"
    before = told.read_text()
    told.write_text(json.dumps({**json.loads(before), "note": "other"}))
    try:
        assert masked().version() != version
    finally:
        told.write_text(before)


def test_the_model_can_be_of_any_language(masked, folder):
    assert masked().languages() is None
    assert masked().id == f"masked:{folder}"


def test_it_is_described_on_one_line_like_every_plug_in(folder):
    told = plugins.parse("substitutes", f"masked:{folder},top=7,device=cpu")
    source = plugins.entry("substitutes", told.name)(argument=told.argument, **told.options)
    assert len(source.substitutes([slot("bridge", count=100)])[0]) <= 7


def test_its_options_are_read_from_its_signature():
    names = {parameter.name for parameter in plugins.parameters(plugins.entry("substitutes", "masked"))}
    assert names == {"argument", "top", "least", "rarest", "meaning", "batch", "device"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("masked", "there is no model"),
        ("masked:x,top=0", "top cannot be '0'"),
        ("masked:x,batch=0", "batch cannot be '0'"),
    ],
)
def test_a_wrong_option_says_what_is_right(text, said):
    with pytest.raises(UserError, match=said):
        plugins.create("substitutes", plugins.parse("substitutes", text))


def test_a_model_that_is_nowhere_is_said(monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    module = importlib.import_module("concord.language.substitutes.masked")
    with pytest.raises(UserError, match=r"is no folder.*hf download owner/nothing"):
        module.Substitutes(argument="owner/nothing").version()


def test_a_folder_without_a_model_is_said(tmp_path):
    module = importlib.import_module("concord.language.substitutes.masked")
    with pytest.raises(UserError, match="cannot be loaded"):
        module.Substitutes(argument=str(tmp_path)).substitutes([slot("bridge")])


def test_missing_libraries_say_what_installs_them(monkeypatch):
    module = importlib.import_module("concord.language.substitutes.masked")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Missing, match=r"pip install 'concord-mt\[huggingface\]'"):
        module.Substitutes(argument="x")


def test_half_a_character_in_the_text_breaks_nothing(masked):
    broken = read_brackets("(S (NP (DT The) (NN bridge)) (VP (VBD fell) (RB \ud800)))")
    (answer,) = masked(top=40).substitutes([slot("bridge", broken)])
    assert answer
