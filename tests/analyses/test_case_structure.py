"""The structure behind a case: trees, and which words translate each other."""

from __future__ import annotations

import pytest

from concord import api
from concord.analyses.case_structure import Structures
from concord.language.trees import Tree
from concord.views.charts import links, tree

SENTENCES = ["The old bridge over the river was closed.", "A small dog sleeps in the house.", "He opened the red door."]


@pytest.fixture
def workspace(tmp_path):
    path = tmp_path / "w.sqlite"
    (tmp_path / "c.txt").write_text("\n".join(SENTENCES * 20))
    api.run(tmp_path / "c.txt", relations=["rti", "rtt"], systems=["fake"], to=["es"], workspace=path)
    return path


def test_every_text_is_parsed_once_or_says_why_not(workspace):
    row = api.cases(workspace, api.Filter(relations=("rtt",), flagged=None)).rows[0]
    found = api.structure(workspace, row["case"], run=row["run"])

    roles = [role for each in found.parsed for role in each.roles]
    assert sorted(roles) == ["follow_up", "follow_up_output", "source", "source_output"]
    english = [each for each in found.parsed if each.text.lang == "en"]
    assert all(each.tree and each.parser == "concord_en" for each in english)
    assert english[0].tree.words == english[0].text.words
    assert all(each.tree or each.why for each in found.parsed)


def test_words_are_linked_that_translate_each_other(workspace):
    row = next(row for row in api.rows(workspace) if row["relation"] == "rtt" and "bridge" in row["text"])
    (there, back) = api.structure(workspace, row["case"], run=row["run"]).linked

    assert there.roles == ("source", "source_output")
    assert back.roles == ("follow_up", "follow_up_output")
    assert there.source[0] == "The"
    assert {a for a, _, sure in there.links if sure > 0.5} >= {1, 2}
    assert all(0 <= a < len(there.source) and 0 <= b < len(there.output) for a, b, _ in there.links)
    assert all(0.2 <= sure <= 1 for *_, sure in there.links)


def test_the_second_time_nothing_is_learnt_anew(workspace, monkeypatch):
    row = api.cases(workspace, api.Filter(relations=("rtt",), flagged=None)).rows[0]
    makers = Structures()
    first = api.structure(workspace, row["case"], run=row["run"], structures=makers)
    monkeypatch.setattr("concord.analyses.case_structure._aligned", None)

    assert api.structure(workspace, row["case"], run=row["run"], structures=makers) == first
    makers.close()


def test_endless_texts_are_bounded(workspace, monkeypatch):
    monkeypatch.setattr("concord.analyses.case_structure.WORDS", 3)
    monkeypatch.setattr("concord.analyses.case_structure.LONGEST", 10)
    row = api.cases(workspace, api.Filter(relations=("rtt",), flagged=None)).rows[0]
    found = api.structure(workspace, row["case"], run=row["run"])

    assert max(place for each in found.linked for a, b, _ in each.links for place in (a, b)) < 3
    assert all(each.tree is None and "characters" in each.why for each in found.parsed)


def test_pictures_escape_what_they_show():
    evil = "<script>alert(1)</script>"
    drawn = links([evil, "a"], ["b"], [(0, 0, 0.9), (7, 7, 0.5)], title=evil)
    leaf = Tree(evil, 0, len(evil), (), evil)
    grown = tree(Tree(evil, 0, len(evil), (leaf,), evil), title=evil)

    for svg in (drawn, grown):
        assert "<script" not in svg
        assert "&lt;script" in svg


def test_a_tree_may_be_deeper_than_pythons_stack():
    node = Tree("NN", 0, 1, (), "x")
    for _ in range(5_000):
        node = Tree("NP", 0, 1, (node,), "x")

    assert tree(node, title="deep").startswith("<svg ")


def test_too_many_words_are_not_drawn_but_told():
    words = "a " * 400
    leaves = tuple(Tree("DT", 2 * i, 2 * i + 1, (), words) for i in range(400))

    assert "400 words" in tree(Tree("S", 0, 800, leaves, words), title="long")
    assert "There is nothing to draw" in links([], ["a"], [], title="empty")
    assert "Not shown: 40 words" in links(["a"] * 120, ["b"] * 80, [], title="long")
