"""The services of a command are made once, whatever the number of its runs."""

from __future__ import annotations

import asyncio

import concord
from concord.engine import first_pass
from concord.engine.services import ServicePool, Terms
from concord.engine.services.parsers import KnownTrees
from concord.language.trees import Tree
from concord.model import Text

PARSER = '''
"""A parser for tests that notes each time it is made."""
import pathlib, re
from concord.language.trees import Tree

class Parser:
    id = "counted"
    kind = "shallow"
    def __init__(self):
        with open("made", "a") as file:
            file.write("x")
    def version(self): return "1"
    def languages(self): return frozenset({"en"})
    def parse(self, texts):
        return [Tree("ROOT", 0, len(each.words), (), each.words) for each in texts]
'''
RELATION = '''
"""Nothing but a parse and a translation (for tests)."""
from concord.model import Case

async def check(x, translate, parse, *, to, threshold: float = 0.5):
    await parse(x)
    there = await translate(x, to)
    return [Case(x, x, there, there, (there, there), 0.0, threshold)]
'''


def test_a_parser_is_made_once_for_all_runs_of_a_command(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest("relations", "parses", RELATION)
    guest("parsers", "counted", PARSER)
    (tmp_path / "c.txt").write_text("A sentence.\nAnother one.\n")
    settings = concord.Settings(services={"parse": "counted"})
    relations = ["parses", "parses,threshold=0.6"]
    runs = concord.run("c.txt", relations=relations, systems=["fake"], to=["es", "ca"], settings=settings)
    assert [(run.cases, run.errors) for run in runs] == [(2, 0)] * 4
    # One for each pair of languages: what a service tells of itself may depend on them.
    assert (tmp_path / "made").read_text() == "xx"


def test_a_plugin_that_cannot_be_used_after_its_close_is_made_anew(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    final = """
    def close(self): self.kind = None
    def parse(self, texts):
        assert self.kind, "closed"
"""
    guest("relations", "parses", RELATION)
    guest("parsers", "counted", PARSER.replace("    def parse(self, texts):\n", final))
    (tmp_path / "c.txt").write_text("A sentence.\n")
    settings = concord.Settings(services={"parse": "counted"})
    relations = ["parses", "parses,threshold=0.6"]
    runs = concord.run("c.txt", relations=relations, systems=["fake"], to=["es"], settings=settings)
    assert [(run.cases, run.errors) for run in runs] == [(1, 0)] * 2


ENCODER = '''
"""An encoder for tests."""
import numpy as np
class Encoder:
    id = "tiny"
    def version(self): return "1"
    def languages(self): return None
    dimensions = 2
    def embed(self, texts): return np.array([[0.6, 0.8] for _ in texts])
'''


def test_vectors_are_given_to_every_run_of_a_command(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest("relations", "embeds", RELATION.replace("parse", "embed"))
    guest("encoders", "tiny", ENCODER)
    (tmp_path / "c.txt").write_text("A sentence.\n")
    settings = concord.Settings(services={"embed": "tiny"})
    relations = ["embeds", "embeds,threshold=0.6"]
    runs = concord.run("c.txt", relations=relations, systems=["fake"], to=["es"], settings=settings)
    assert [(run.cases, run.errors) for run in runs] == [(1, 0)] * 2


def test_a_service_is_lent_to_one_run_at_a_time():
    pool, terms = ServicePool(), Terms("en", ("en",), target="es")
    first = pool.lend("parse", {}, terms)
    second = pool.lend("parse", {}, terms)
    assert first is not second
    pool.take_back(first)
    assert pool.lend("parse", {}, terms) is first
    assert pool.lend("parse", {}, Terms("fr", ("fr",), target="es")) not in (first, second)


def test_a_service_that_hangs_is_not_lent_again():
    pool, terms = ServicePool(), Terms("en", ("en",), target="es")

    async def hang():
        lent = pool.lend("parse", {}, terms)
        lent._abandon_thread()
        pool.take_back(lent)
        return lent

    hung = asyncio.run(hang())
    assert pool.lend("parse", {}, terms) is not hung


def test_a_text_is_parsed_once_for_all_runs_of_a_command(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    counted = """
    def parse(self, texts):
        with open("parsed", "a") as file:
            file.writelines(text.words + "\\n" for text in texts)
"""
    guest("relations", "parses", RELATION)
    guest("parsers", "counted", PARSER.replace("    def parse(self, texts):\n", counted[1:]))
    (tmp_path / "c.txt").write_text("A sentence.\nAnother one.\n")
    settings = concord.Settings(services={"parse": "counted"})
    relations = ["parses", "parses,threshold=0.6"]
    concord.run("c.txt", relations=relations, systems=["fake"], to=["es", "ca"], settings=settings)
    assert sorted((tmp_path / "parsed").read_text().splitlines()) == ["A sentence.", "Another one."]


def test_trees_are_kept_as_long_as_there_is_room():
    known = KnownTrees(room=10)
    trees = {Text(words, "en"): Tree("ROOT", 0, len(words), (), words) for words in ("six...", "five.", "four")}
    known.keep("auto", trees)
    assert [text.words for _, text in known.by_text] == ["six...", "four"]


def test_runs_that_learn_from_the_same_pairs_learn_once(tmp_path, monkeypatch):
    learnt = []

    async def learn(pairs, choices, turned):
        learnt.append(len(pairs))
        return b""

    monkeypatch.setattr(first_pass, "_learnt", learn)
    (tmp_path / "c.txt").write_text("A sentence.\nAnother one.\n")
    what = {"relations": ["concatenation", "concatenation,threshold=0.6"], "systems": ["fake"]}
    concord.run(str(tmp_path / "c.txt"), **what, to=["es", "ca"], workspace=tmp_path / "w.sqlite")
    assert learnt == [2, 2]
