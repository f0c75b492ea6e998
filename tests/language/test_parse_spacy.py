from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import pytest

from concord.errors import Missing, Refused, UserError
from concord.language.parse.spacy import Parser
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation, counts
from concord.model import Text

pytestmark = pytest.mark.large

TAUGHT = [
    ("The black cat sleeps .", "DT JJ NN VBZ .", [2, 2, 3, 3, 3], "det amod nsubj ROOT punct"),
    ("Dogs chase the cat .", "NNS VBP DT NN .", [1, 1, 3, 1, 1], "nsubj ROOT det dobj punct"),
]
UNIVERSAL = {"D": "DET", "J": "ADJ", "N": "NOUN", "V": "VERB", ".": "PUNCT"}


def taught(nlp: Any) -> list[Any]:
    from spacy.training import Example

    return [
        Example.from_dict(
            nlp.make_doc(words),
            {
                "tags": tags.split(),
                "pos": [UNIVERSAL[tag[0]] for tag in tags.split()],
                "heads": heads,
                "deps": labels.split(),
            },
        )
        for words, tags, heads, labels in TAUGHT
    ]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline that knows two sentences by heart."""
    import spacy

    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    examples = taught(nlp)
    nlp.initialize(lambda: examples)
    for _ in range(30):
        nlp.update(examples)
    folder = tmp_path_factory.mktemp("spacy") / "tiny"
    nlp.to_disk(folder)
    return folder


@pytest.fixture(scope="module")
def parser(model: Path) -> Parser:
    return Parser(model=str(model))


def test_noun_phrases_are_the_phrases_of_a_shallow_tree(parser: Parser) -> None:
    found = parser.parse([Text("The black cat sleeps. Dogs chase the cat.", "en")])[0]
    assert isinstance(found, Tree)
    assert found.shape() == "(ROOT (S (NP DT JJ NN) VBZ .) (S (NP NNS) VBP (NP DT NN) .))"
    assert [phrase.words for phrase in found.phrases("NP")] == ["The black cat", "Dogs", "the cat"]
    assert parser.kind == "shallow"


def test_offsets_are_those_of_the_original_text_whatever_its_blanks(parser: Parser) -> None:
    text = " \n The  black\n\ncat\tsleeps .  "
    found = parser.parse([Text(text, "en")])[0]
    assert isinstance(found, Tree)
    assert [text[leaf.start : leaf.end] for leaf in found.leaves()] == ["The", "black", "cat", "sleeps", "."]
    assert found.phrases("NP")[0].words == "The  black\n\ncat"


def test_relations_are_those_of_the_model(parser: Parser) -> None:
    found = parser.depend([Text("Dogs chase the cat.", "en")])[0]
    assert isinstance(found, list)
    assert [(each.label, each.head.words if each.head else None, each.dependent.words) for each in found] == [
        ("nsubj", "chase", "Dogs"),
        ("root", None, "chase"),
        ("det", "cat", "the"),
        ("dobj", "chase", "cat"),
        ("punct", "chase", "."),
    ]
    assert counts(found)["nsubj"] == 1
    assert all(isinstance(each, Relation) for each in found)


def test_texts_that_cannot_be_parsed_are_refused_alone(parser: Parser) -> None:
    texts = [Text("", "en"), Text("Dogs chase the cat.", "en"), Text("Hunde jagen", "de"), Text("x" * 100_001, "en")]
    kinds = [type(each) for each in parser.parse(texts)]
    assert kinds == [Refused, Tree, Refused, Refused]


def test_odd_texts_get_a_tree_with_all_their_words(parser: Parser) -> None:
    for text in ["\x01\x02 日本語 😀👍🏽", "((((", "word " * 5000]:
        found = parser.parse([Text(text, "en")])[0]
        assert isinstance(found, Tree)
        assert "".join(leaf.words for leaf in found.leaves()) == "".join(text.split())


def test_the_version_tells_library_model_and_files(parser: Parser, model: Path) -> None:
    assert parser.version().startswith(f"{version_of('spacy')}+en_pipeline.0.0.0+")
    assert parser.languages() == {"en"}
    assert Parser(model=str(model)).version() == parser.version()


def test_a_model_that_is_not_installed_comes_with_the_command_that_installs_it() -> None:
    with pytest.raises(Missing, match="python -m spacy download en_core_web_none"):
        Parser(model="en_core_web_none").languages()


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not the folder of a spaCy model"):
        Parser(model=str(tmp_path)).languages()


def test_a_model_without_a_parser_is_named(tmp_path: Path) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(UserError, match="no dependency parser"):
        Parser(model=str(tmp_path / "blank")).parse([Text("A cat", "en")])


def test_without_spacy_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(Missing, match=r"pip install 'spacy>=3\.7' && python -m spacy download en_core_web_sm"):
        Parser().languages()
