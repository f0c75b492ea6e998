from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import pytest

from concord.errors import BadAnswer, Missing, Refused, UserError
from concord.language.parse.stanza import RELATIONS, TREES, Parser, _load, relations_of, tree_of
from concord.language.trees import Tree
from concord.model import Text

pytestmark = pytest.mark.large

ENGLISH = "Black cats (old) sleep."
SPANISH = "Duermen cerca del río."


def word(number: int, text: str, start: int | None, head: int, deprel: str, xpos: str | None = "X") -> dict[str, Any]:
    place = {} if start is None else {"start_char": start, "end_char": start + len(text)}
    return {"id": number, "text": text, "upos": "X", "xpos": xpos, "head": head, "deprel": deprel, **place}


def english(brackets: str = "") -> Any:
    """A document as Stanza's pipeline makes it."""
    from stanza.models.common.doc import Document
    from stanza.models.constituency.tree_reader import read_trees

    rows = [
        word(1, "Black", 0, 2, "amod", "JJ"),
        word(2, "cats", 6, 6, "nsubj", "NNS"),
        word(3, "(", 11, 4, "punct", "-LRB-"),
        word(4, "old", 12, 2, "amod", "JJ"),
        word(5, ")", 15, 4, "punct", "-RRB-"),
        word(6, "sleep", 17, 0, "root", "VBP"),
        word(7, ".", 22, 6, "punct", "."),
    ]
    document = Document([rows], text=ENGLISH)
    if brackets:
        document.sentences[0].constituency = read_trees(brackets)[0]
    return document


def spanish() -> Any:
    """A document with a contraction, whose parts have no place of their own."""
    from stanza.models.common.doc import Document

    rows = [
        word(1, "Duermen", 0, 0, "root", None),
        word(2, "cerca", 8, 1, "advmod", None),
        {"id": (3, 4), "text": "del", "start_char": 14, "end_char": 17},
        word(3, "de", None, 5, "case", None),
        word(4, "el", None, 5, "det", None),
        word(5, "río", 18, 2, "obl", None),
        word(6, ".", 21, 1, "punct", None),
    ]
    return Document([rows], text=SPANISH)


OLD = "(PRN (-LRB- -LRB-) (ADJP (JJ old)) (-RRB- -RRB-))"
TREE = f"(ROOT (S (NP (NP (JJ Black) (NNS cats)) {OLD}) (VP (VBP sleep)) (. .)))"


class Pipeline:
    """Stands in for a pipeline whose models are not here: it gives back documents of Stanza's own kind."""

    made = 0

    def __init__(self, lang: str, *, processors: str, download_method: Any, verbose: bool, dir: str = "") -> None:
        assert (lang, download_method, verbose) == ("en", None, False)
        Pipeline.made += 1
        self.brackets = TREE if "constituency" in processors else ""
        # As Stanza's own pipeline keeps it, with files in lists where a processor can have several.
        self.config = {
            "lang": lang,
            "pos_model_path": f"{dir}/pos.pt",
            "ner_model_path": [f"{dir}/ner.pt"],
            "ner_dependencies": [{"charlm_path": f"{dir}/charlm.pt"}],
            "tokenize_model_path": None,
            "pretagged": False,
        }

    def bulk_process(self, texts: list[str]) -> list[Any]:
        if any("broken" in text for text in texts):
            raise RuntimeError("a tensor has the wrong shape")
        return [english(self.brackets) for _ in texts]


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    _load.cache_clear()
    Pipeline.made = 0
    yield
    _load.cache_clear()


def test_a_tree_has_the_offsets_of_the_words() -> None:
    found = tree_of(english(TREE), ENGLISH)
    assert [leaf.words for leaf in found.leaves()] == ["Black", "cats", "(", "old", ")", "sleep", "."]
    assert [phrase.words for phrase in found.phrases("NP")] == ["Black cats (old)", "Black cats"]
    assert (found.label, found.children[0].label) == ("ROOT", "S")


def test_the_parts_of_a_contraction_stand_where_it_does() -> None:
    found = relations_of(spanish(), SPANISH)
    assert [(each.label, each.dependent.words) for each in found] == [
        ("root", "Duermen"),
        ("advmod", "cerca"),
        ("case", "del"),
        ("det", "del"),
        ("obl", "río"),
        ("punct", "."),
    ]
    assert found[4].head is not None
    assert found[4].head.words == "cerca"


def test_a_document_without_trees_is_named() -> None:
    with pytest.raises(UserError, match="no constituency parser"):
        tree_of(english(), ENGLISH)


def test_a_tree_with_other_words_is_not_accepted() -> None:
    with pytest.raises(BadAnswer, match="has 1 word, but the sentence has 7"):
        tree_of(english("(ROOT (NP (NN cats)))"), ENGLISH)


def test_texts_are_parsed_by_the_pipeline_and_bad_ones_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stanza.Pipeline", Pipeline)
    texts = [Text(ENGLISH, "en"), Text("broken", "en"), Text(" ", "en"), Text("Katzen", "de")]
    first, broken, empty, german = Parser().parse(texts)
    assert isinstance(first, Tree)
    assert first.words == ENGLISH
    assert isinstance(broken, Refused)
    assert "wrong shape" in str(broken)
    assert isinstance(empty, Refused)
    assert isinstance(german, Refused)


def test_relations_come_from_the_dependency_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stanza.Pipeline", Pipeline)
    found = Parser().depend([Text(ENGLISH, "en")])[0]
    assert isinstance(found, list)
    assert [each.label for each in found] == ["amod", "nsubj", "punct", "amod", "punct", "root", "punct"]


@pytest.mark.parametrize(("ask", "processors"), [("parse", TREES), ("depend", RELATIONS)])
def test_models_that_are_not_here_come_with_the_command_that_gets_them(
    ask: str, processors: str, tmp_path: Path
) -> None:
    parser = Parser(folder=str(tmp_path))
    both = "tokenize,pos,lemma,constituency,depparse"
    with pytest.raises(Missing, match=rf"\({processors}\).*stanza\.download\('en', processors='{both}'\)"):
        getattr(parser, ask)([Text("A cat.", "en")])


def test_a_language_without_a_pipeline_is_named(tmp_path: Path) -> None:
    (tmp_path / "resources.json").write_text("{}")
    with pytest.raises(UserError, match=r"Stanza has no pipeline .* for 'tlh'"):
        Parser(lang="tlh", folder=str(tmp_path)).parse([Text("tlhIngan", "tlh")])


def test_the_version_tells_stanza_the_language_and_the_model_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stanza.Pipeline", Pipeline)
    versions = []
    for name in ("pos.pt", "ner.pt", "charlm.pt"):
        (tmp_path / name).write_text(f"other {name}")
        _load.cache_clear()
        versions.append(Parser(folder=str(tmp_path)).version())
    assert all(version.startswith(f"{version_of('stanza')}+en+") for version in versions)
    assert len(set(versions)) == 3
    _load.cache_clear()
    assert Parser(folder=str(tmp_path)).version() == versions[-1]
    assert Parser(lang="de").languages() == {"de"}


def test_models_that_are_not_here_are_missed_by_the_version_already(tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"stanza\.download\('en'"):
        Parser(folder=str(tmp_path)).version()


def test_models_are_loaded_once_for_the_version_and_the_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stanza.Pipeline", Pipeline)
    Parser().version()
    Parser().parse([Text(ENGLISH, "en")])
    assert Pipeline.made == 1


def test_without_stanza_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(Missing, match=r"pip install 'stanza>=1\.8' && python -c .*download\('en'"):
        Parser().version()
