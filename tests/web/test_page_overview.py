"""The overview's table says of which corpus a share is, and whether it is whole."""

from __future__ import annotations

import re

from concord import api
from concord.store import Workspace


def heading(page):
    return re.findall(r'<th scope="col">(.*?)</th>', page.get("/").text)[:3]


def test_the_corpus_is_named_where_there_are_several(page, workspace):
    assert "Corpus" not in heading(page)
    corpus = api.read("demo", "en", limit=3)
    api.run(corpus, relations=["rtt"], systems=["faulty:fake,rate=0.5"], to=["es"], workspace=workspace)
    assert heading(page) == ["Relation", "Direction", "Corpus"]
    with Workspace(workspace) as store:
        names = {run.corpus for run in store.runs()}
    assert len(names) == 2
    lines = re.findall(r"<td>en→es</td><td><bdi>(.*?)</bdi>", page.get("/").text)
    assert set(lines) == names


def test_what_is_not_finished_is_marked(page, workspace):
    assert "so far" not in page.get("/").text
    facts = {"signature": "s", "relation": "rtt", "settings": {}, "system": "a", "seed": 1}
    with Workspace(workspace) as store:
        store.begin(facts | {"source": "en", "target": "es", "corpus": "c"})
    assert page.get("/").text.count("so far") == 1
