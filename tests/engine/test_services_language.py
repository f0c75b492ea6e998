"""Dependency relations, substitutes and vectors: what stands behind them, what they refuse, and what is counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from types import ModuleType

import numpy as np
import pytest

import concord
import concord.api
from concord.engine.run import bind, run
from concord.engine.services import Terms, service, versions
from concord.errors import Missing, UserError
from concord.language.parse.concord_en import Parser
from concord.language.trees.dependencies import relations
from concord.model import Case, Segment, Text
from concord.relations._protocol import load_relation

CATS = Text("The black cats chase two small dogs.", "en")
PLUGIN = '''
"""A plug-in for tests that counts what it is asked."""
from collections import Counter
from concord.model import Text
from concord.language.trees.dependencies import Relation
from concord.language.substitutes import Substitute
from concord.language.trees import Tree, read_brackets

class Parser:
    id = "own"
    kind = "shallow"
    def version(self): return "3"
    def languages(self): return frozenset({"en", "de"})
    def parse(self, texts): return [Tree("ROOT", 0, len(text.words), (), text.words) for text in texts]
    def depend(self, texts): return [[Relation("root", None, tree)] for tree in self.parse(texts)]

class Substitutes:
    id = "shouting"
    def __init__(self, *, parse=None, embed=None):
        self.rejected = Counter()
        self.embed = embed
    def version(self): return "5"
    def languages(self): return None
    def substitutes(self, slots):
        self.rejected["too quiet"] += len(slots)
        if self.embed is not None:
            self.embed([Text(slot.tree.text, slot.lang) for slot in slots])
        return [[self.louder(slot)] for slot in slots]
    def louder(self, slot):
        words, word = slot.tree.text, slot.tree.text[slot.start:slot.end].upper()
        changed = words[:slot.start] + word + words[slot.end:]
        return Substitute(Text(changed, slot.lang), slot.start, slot.end, word, 0.5, "similar")

class Encoder:
    id = "even"
    asked = []
    def version(self): return "2"
    def languages(self): return frozenset({"en"})
    def embed(self, texts):
        self.asked.append(len(texts))
        return [[1.0, 0.0] for text in texts]
'''
RELATION = '''
"""A word that is shouted is translated as it was (for tests)."""
from concord.model import Case

async def check(x, translate, parse, substitutes, *, to, threshold: float = 0.5):
    tree = await parse(x)
    word = tree.leaves()[0]
    (louder,) = await substitutes(tree, word.start, word.end)
    seen = sorted(name for name in dir(substitutes) if not name.startswith("_"))
    one, other = await translate(x, to), await translate(louder.text, to)
    return [Case(x, louder.text, one, other, (one, other), 0.0, threshold, evidence={"seen": seen})]
'''


@pytest.fixture
def installed(guest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guest("parsers", "own", PLUGIN)
    for family, name in (("substitutes", "shouting"), ("encoders", "even")):
        guest(family, name, PLUGIN)
    guest("relations", "loud", RELATION)


def relation_of(check, **names):
    """A relation whose module defines this check, and whatever else the protocol knows."""
    module = ModuleType("test")
    vars(module).update(check=check, **names)
    return load_relation(module)


def asked(name, check, chosen=None, texts=(CATS,), terms=None):
    """What a check of one service comes to, and how many questions and requests it took."""

    async def everything():
        made = service(name, chosen or {}, terms)
        start = bind(relation_of(check), {}, {name: made.verb}, seed=1)
        segments = [Segment(str(at), text, at) for at, text in enumerate(texts)]
        outcomes = [outcome async for outcome in run(start, segments, [made.batched])]
        await made.close()
        return outcomes, made.batched.counts

    outcomes, counts = asyncio.run(everything())
    return [each.error or each.cases[0].evidence["found"] for each in outcomes], counts


def found(x, value):
    return [Case(x, x, x, x, (x, x), 0.0, 0.5, evidence={"found": value})]


def test_relations_are_read_off_the_trees_of_a_parser_that_has_none():
    async def check(x, depend):
        return found(x, [(each.label, each.dependent.words) for each in await depend(x)])

    (got,), _ = asked("depend", check)
    (tree,) = Parser().parse([CATS])
    assert got == [(each.label, each.dependent.words) for each in relations(tree)]
    assert ("nsubj", "cats") in got


def test_a_parser_s_own_relations_are_preferred_and_the_version_tells(installed):
    async def check(x, depend):
        return found(x, [(each.label, each.dependent.words) for each in await depend(x)])

    assert asked("depend", check, {"parse": "own"})[0] == [[("root", CATS.words)]]
    terms = Terms("en", ("en", "de"))
    assert service("depend", {"parse": "own"}, terms).versions() == {
        "depend[en]": "own@3,own",
        "depend[de]": "own@3,own",
    }
    told = service("depend", {}, Terms("en", ("en",))).versions()["depend[en]"]
    assert told == f"concord_en@{Parser().version()},heads"


def test_shallow_trees_give_no_relations():
    made = service("depend", {}, Terms("en", ("en", "es")))
    assert made.verb.can("en")
    assert not made.verb.can("es")
    with pytest.raises(UserError, match=r"apertium gives 'es' shallow trees.*--parser es=stanza"):
        made.versions()


@pytest.mark.parametrize("name", ["parse", "depend", "embed"])
def test_each_is_one_ask_for_all_texts_of_a_language(installed, name):
    asks = []

    async def check(x, verb):
        several = [CATS, Text("Dogs sleep.", "en"), CATS]
        asks.append(1)
        return found(x, [str(each) for each in await verb.each(several)])

    async def everything():
        made = service(name, {"embed": "even"})
        steps = check(CATS, made.verb)
        ask = steps.send(None)
        steps.close()
        return ask

    ask = asyncio.run(everything())
    assert ask.items == [CATS.words, "Dogs sleep.", CATS.words]


def test_several_languages_come_back_in_their_order(installed):
    async def check(x, embed):
        rows = await embed.each([CATS, Text("Katzen", "de"), CATS])
        return found(x, len(rows))

    async def parsed(x, parse):
        trees = await parse.each([CATS, Text("Katzen", "de"), Text("Dogs", "en")])
        return found(x, [tree.words for tree in trees])

    assert asked("parse", parsed, {"parse": "own"})[0] == [[CATS.words, "Katzen", "Dogs"]]
    (error,), _ = asked("embed", check, {"embed": "even"})
    assert error.startswith("neither encoder even nor an embedded one knows 'de'. Name one: --encoder de=")


def test_a_vector_is_an_array(installed):
    async def check(x, embed):
        row = await embed(x)
        assert isinstance(row, np.ndarray)
        return found(x, row.tolist())

    assert asked("embed", check, {"embed": "even"})[0] == [[1.0, 0.0]]


def ran(workers=1, **services):
    settings = concord.Settings(services={"parse": "own", "substitutes": "shouting", **services}, workers=workers)
    return concord.run("c.txt", relations=["loud"], systems=["fake"], to=["es"], settings=settings)[0]


def test_an_encoder_that_was_chosen_guards_the_substitutes(installed, tmp_path):
    (tmp_path / "c.txt").write_text("One.\nTwo.\n")
    assert "|substitutes[en]:shouting@5,gate=own@3|" in ran().run.signature
    done = ran(embed="even")
    assert "|substitutes[en]:shouting@5,gate=own@3,embed=even@2|" in done.run.signature
    assert (done.cases, done.errors) == (2, 0)


def test_an_encoder_that_was_not_chosen_is_not_loaded(monkeypatch):
    monkeypatch.setattr("concord.language.embed.minilm.Encoder", None)
    assert "embed" not in service("substitutes", {}, Terms("en")).versions()["substitutes[en]"]


def test_an_encoder_that_does_not_know_the_language_is_refused_beforehand(installed):
    chosen = {"parse": "own", "substitutes": "shouting", "embed": "even"}
    with pytest.raises(UserError, match="neither encoder even nor an embedded one knows 'de'"):
        service("substitutes", chosen, Terms("de")).versions()


@pytest.mark.parametrize("workers", [1, 2])
def test_rejections_are_summed_over_the_run_and_out_of_a_relation_s_reach(installed, tmp_path, workers):
    (tmp_path / "c.txt").write_text("".join(f"Sentence number {i}.\n" for i in range(600)))
    done = ran(workers)
    assert done.run.rejected == {"too quiet": 600}
    assert concord.api.runs("concord.sqlite")[0].rejected == {"too quiet": 600}
    assert next(concord.api.rows("concord.sqlite"))["evidence"]["seen"] == ["each"]


def test_what_the_lexicon_turns_away_is_counted():
    rejected = Counter()

    async def check(x, substitutes):
        (tree,) = Parser().parse([x])
        await substitutes(tree, 0, len(x.words))
        return found(x, "done")

    assert asked("substitutes", check, terms=Terms("en", ("en",), rejected=rejected))[0] == ["done"]
    assert rejected["similarity"] > 10


def test_what_scores_less_than_is_wanted_is_left_out():
    async def check(x, substitutes):
        (tree,) = Parser().parse([x])
        every, none = [await substitutes(tree, 0, len(x.words), least=least) for least in (0.0, 1.0)]
        return found(x, f"{bool(every)} {bool(none)}")

    assert asked("substitutes", check)[0] == ["True False"]


def test_several_places_are_asked_for_at_once_and_each_has_its_own_answers():
    async def check(x, substitutes):
        (tree,) = Parser().parse([x])
        spans = [(leaf.start, leaf.end) for leaf in tree.leaves()]
        answers = await substitutes.each(tree, spans, count=2, least=0.85)
        right = [(each.start, each.end) == span for span, some in zip(spans, answers, strict=True) for each in some]
        return found(x, f"{all(right)} {len(right) > 1} {await substitutes.each(tree, [])}")

    assert asked("substitutes", check)[0] == ["True True []"]


def test_a_place_that_is_not_in_the_text_is_an_error_of_the_check():
    async def check(x, substitutes):
        (tree,) = Parser().parse([x])
        return found(x, await substitutes(tree, 5, 500))

    (error,), _ = asked("substitutes", check)
    assert error.startswith("ValueError: there is no place 5:500")


def test_substitutes_in_another_language_than_the_source_s_are_refused():
    async def check(x, substitutes):
        (tree,) = Parser().parse([x])
        return found(x, await substitutes(tree, 0, 3, lang="es"))

    with pytest.raises(UserError, match="in the source's language 'en', not in 'es'"):
        asked("substitutes", check, terms=Terms("en", ("en",)))


def test_the_lexicon_refuses_trees_without_penn_tags():
    with pytest.raises(UserError, match=r"lexicon needs words with Penn tags.*apertium.*Add --parser en=concord_en"):
        service("substitutes", {"parse": "apertium"}, Terms("en")).versions()


def test_a_plugin_that_lacks_something_is_said_to(guest):
    guest("encoders", "empty", '"""Nothing much (for tests)."""\nclass Encoder:\n    id = "empty"\n')
    with pytest.raises(UserError, match="the encoder 'empty' is not a plug-in: it lacks version, languages, embed"):
        service("embed", {"embed": "empty"}, Terms("en")).versions()


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("mute", 'return "2"', 'raise ValueError("oh")', r"asked for its version \(ValueError: oh\)"),
        ("loose", 'frozenset({"en"})', '"en"', "is not a plug-in: its languages are a str"),
        ("unmade", "asked = []", "def __init__(self): raise OSError(2)", r"failed when it was made \(OSError: 2\)"),
    ],
)
def test_a_plugin_that_cannot_tell_what_it_is_is_the_user_s_to_replace(guest, name, old, new, said):
    guest("encoders", name, PLUGIN.replace(old, new))
    with pytest.raises(UserError, match=said):
        service("embed", {"embed": name}, Terms("en")).versions()


def test_without_apertium_english_is_parsed_all_the_same(monkeypatch):
    def missing(**options):
        raise Missing("Apertium", "apt-get install apertium")

    monkeypatch.setattr("concord.language.parse.apertium.Parser", missing)
    made = service("parse", {})
    assert made.verb.can("en")
    assert not made.verb.can("es")
    assert made.verb.kind("en") == "full"


def test_the_services_of_a_relation_have_their_versions_together(installed):

    chosen = {"parse": "own", "substitutes": "shouting"}
    told = versions(load_relation("loud"), chosen, "en", "es")
    assert told == {"parse[en]": "own@3", "substitutes[en]": "shouting@5,gate=own@3"}
