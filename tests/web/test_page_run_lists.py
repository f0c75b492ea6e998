"""Where runs are chosen from, their corpus is named if there are several."""

from __future__ import annotations

import re

import pytest

from concord import api
from concord.store import Workspace


@pytest.mark.parametrize("where", ["/compare", "/evaluate", "/export", "/label"])
def test_a_list_of_runs_names_their_corpora_where_there_are_several(page, workspace, where):
    with Workspace(workspace) as store:
        first = store.runs()[0].corpus
    assert f" · {first} · " not in page.get(where).text
    corpus = api.read("demo", "en", limit=3)
    api.run(corpus, relations=["rtt"], systems=["faulty:fake,rate=0.5"], to=["es"], workspace=workspace)
    with Workspace(workspace) as store:
        runs = store.runs()
    told = set(re.findall(r'<option value="(\d+)"[^>]*>\1 · \w+ · [^·]* · en→es · ([^·]*) · ', page.get(where).text))
    assert told == {(str(run.id), run.corpus) for run in runs}


def test_runs_that_were_chosen_stay_so(page):
    for where in ("/evaluate?run=2", "/export?run=2", "/compare?before=2&after=2"):
        chosen = set(re.findall(r'<option value="(\d+)" selected>', page.get(where).text))
        assert chosen == {"2"}, where
