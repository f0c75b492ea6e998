"""Relations ask for trees, substitutes and vectors by name; what answers is a plug-in with a version."""

from __future__ import annotations

import pytest

import concord
import concord.api
from concord.engine.services import service
from concord.errors import UserError
from concord.language.plugin_choice import EMBEDDED

PARSER = r'''
"""A parser for tests: every word is a noun of one phrase."""
import re
from concord.errors import Refused
from concord.language.trees import Tree

class Parser:
    id = "flat"
    kind = "shallow"
    calls = []
    def version(self): return "7"
    def languages(self): return frozenset({"en"})
    def parse(self, texts):
        self.calls.append(len(texts))
        return [self.tree(text.words) for text in texts]
    def tree(self, words):
        if "%" in words:
            return Refused("a per cent sign")
        leaves = tuple(Tree("NN", *found.span(), (), words) for found in re.finditer(r"\w+", words))
        return Tree("ROOT", 0, len(words), (Tree("NP", leaves[0].start, leaves[-1].end, leaves, words),), words)
'''
RELATION = '''
"""Counts the words of a text by its tree, which must not be more than those of its translation (for tests)."""
from concord.model import Case

async def check(x, translate, parse, *, to, threshold: float = 0.5):
    tree = await parse(x)
    there = await translate(x, to)
    more = len(tree.leaves()) - len(there.words.split())
    evidence = {"tree": tree.bracketed(), "kind": parse.kind(x.lang), "target parsed": parse.can(to)}
    return [Case(x, x, there, there, (x, there), float(more > 0), threshold, evidence=evidence)]
'''


@pytest.fixture
def installed(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest("parsers", "flat", PARSER)
    guest("relations", "counts", RELATION)
    (tmp_path / "c.txt").write_text("One house here.\nTwo 5% dogs.\nThree cats.\n")


def ran(**more):
    settings = concord.Settings(services={"parse": "flat"}, **more)
    return concord.run("c.txt", relations=["counts"], systems=["fake"], to=["es"], settings=settings)[0]


def test_a_relation_gets_the_trees_it_asks_for(installed):
    done = ran()
    assert (done.cases, done.errors) == (2, 1)
    rows = list(concord.api.rows("concord.sqlite"))
    assert rows[0]["evidence"]["tree"] == "(ROOT (NP (NN One) (NN house) (NN here)))"
    assert rows[0]["evidence"]["kind"] == "shallow"
    assert rows[0]["evidence"]["target parsed"] is False
    assert rows[1]["error"] == "a per cent sign"


def test_the_parser_and_its_version_stand_in_the_signature(installed):
    assert "|parse[en]:flat@7|" in ran().run.signature


def test_trees_are_the_same_with_workers(installed):
    assert [row["error"] or row["evidence"] for row in _rows(1)] == [
        row["error"] or row["evidence"] for row in _rows(2)
    ]


def _rows(workers):
    done = ran(workers=workers)
    return list(concord.api.rows("concord.sqlite", [done.run.id]))


def test_a_language_without_a_parser_is_said_before_anything_is_sent(installed, tmp_path):
    settings = concord.Settings(services={"parse": "flat"})
    with pytest.raises(UserError, match="neither parser flat nor an embedded one knows 'de'"):
        concord.run("c.txt", source="de", relations=["counts"], systems=["fake"], to=["es"], settings=settings)


def test_a_parser_for_another_language_changes_nothing_that_is_not_parsed(installed, guest, monkeypatch):
    before = ran().run.signature
    guest("parsers", "spanish", PARSER.replace('"en"', '"es"'))
    monkeypatch.setitem(EMBEDDED, "parsers", {"flat": (), "spanish": ()})
    settings = concord.Settings(services={"parse": "auto"})
    ended = concord.run("c.txt", relations=["counts"], systems=["fake"], to=["es"], settings=settings)[0]
    assert ended.run.signature == before


def test_a_relation_that_parses_both_sides_says_so_and_both_stand_in_the_signature(installed, guest, monkeypatch):
    both = RELATION.replace("there.words.split()", "(await parse(there)).leaves()")
    guest(
        "relations", "both", both + '\nfrom concord.model import Traits\nTRAITS = Traits(parses=("source", "target"))\n'
    )
    guest("relations", "silent", both)
    guest("parsers", "castilian", PARSER.replace('"en"', '"es"').replace("flat", "castilian"))
    monkeypatch.setitem(EMBEDDED, "parsers", {"flat": (), "castilian": ()})
    done = concord.run("c.txt", relations=["both"], systems=["fake"], to=["es"])[0]
    assert "|parse[en]:flat@7|parse[es]:castilian@7|" in done.run.signature
    with pytest.raises(UserError, match=r"'es', but its module does not say so.* TRAITS ="):
        concord.run("c.txt", relations=["silent"], systems=["fake"], to=["es"])


def test_sides_that_do_not_exist_are_said(installed, guest):
    guest("relations", "sided", RELATION + "\nfrom concord.model import Traits\nTRAITS = Traits(parses=('pivot',))\n")
    with pytest.raises(UserError, match=r"sided: parses is a tuple of 'source' and 'target', not \('pivot',\)"):
        concord.run("c.txt", relations=["sided"], systems=["fake"], to=["es"])


def test_services_are_named_by_position(relation_of):
    async def check(x, translate, rng, parse, *, to):
        return []

    assert list(relation_of(check).services({})) == ["parse"]
    with pytest.raises(UserError, match="there is no service 'weather'"):
        service("weather", {})
