from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version as version_of
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from concord.errors import BadAnswer, Missing, Refused
from concord.language.parse.benepar import Parser
from concord.language.trees import Tree
from concord.model import Text

pytestmark = pytest.mark.large


def brackets(sentence: Any) -> str:
    """A parse as benepar writes it: brackets in words are escaped."""
    words = [token.text.replace("(", "-LRB-").replace(")", "-RRB-") for token in sentence]
    if "mismatch" in words:
        return "(NP (NN lost))"
    return f"(S (NP {' '.join(f'(NN {word})' for word in words[:-1])}) (VP (VB {words[-1]})))"


def component(nlp: Any, name: str, model: str) -> Any:
    if model == "benepar_none":
        raise LookupError("resource not found")

    def parse(doc: Any) -> Any:
        if any(len(sentence) > 100 for sentence in doc.sents):
            raise ValueError("a sentence is too long for the model")
        return doc

    return parse


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A spaCy model, and a component with the interface of benepar's."""
    import spacy
    from spacy.tokens import Span

    monkeypatch.setitem(sys.modules, "benepar", ModuleType("benepar"))
    if not spacy.Language.has_factory("benepar"):
        spacy.Language.factory("benepar", default_config={"model": ""}, func=component)
    Span.set_extension("parse_string", getter=brackets, force=True)
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "model")
    yield str(tmp_path / "model")
    Span.remove_extension("parse_string")


def test_trees_have_the_offsets_of_the_original_text(folder: str) -> None:
    text = "Black  (old)\ncats sleep. Dogs\n\nbark"
    found = Parser(spacy=folder).parse([Text(text, "en")])[0]
    assert isinstance(found, Tree)
    assert [sentence.words for sentence in found.children] == ["Black  (old)\ncats sleep.", "Dogs\n\nbark"]
    assert [phrase.words for phrase in found.phrases("NP")] == ["Black  (old)\ncats sleep", "Dogs"]
    assert Parser.kind == "full"


def test_a_sentence_too_long_for_the_model_is_refused_alone(folder: str) -> None:
    first, second, third = Parser(spacy=folder).parse(
        [Text("Cats sleep", "en"), Text("word " * 5000, "en"), Text("Dogs bark", "en")]
    )
    assert isinstance(first, Tree)
    assert isinstance(second, Refused)
    assert "too long" in str(second)
    assert isinstance(third, Tree)


def test_a_tree_with_other_words_than_the_sentence_is_not_accepted(folder: str) -> None:
    found = Parser(spacy=folder).parse([Text("a mismatch here", "en")])[0]
    assert isinstance(found, BadAnswer)
    assert "has 1 word, but the sentence has 3" in str(found)


def test_the_version_tells_both_models(folder: str) -> None:
    version = Parser(spacy=folder, model="benepar_en3").version()
    assert "benepar_en3" in version
    assert version_of("spacy") in version
    assert Parser(spacy=folder).languages() == {"en"}


def test_a_missing_model_comes_with_the_command_that_gets_it(folder: str) -> None:
    with pytest.raises(Missing, match=r"benepar\.download\('benepar_none'\)"):
        Parser(spacy=folder, model="benepar_none").languages()


def test_without_benepar_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "benepar", None)
    with pytest.raises(Missing, match=r"pip install 'benepar>=0.2'.*python -m spacy download en_core_web_md"):
        Parser().languages()
