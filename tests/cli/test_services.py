"""Services by language on the command line: who serves which, what the errors advise, and that following it helps."""

from __future__ import annotations

import json
import re

import pytest

from concord.language.substitutes import mythes

JAPANESE = '''
"""A parser of characters (for tests)."""
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation

class Parser:
    id = "characters"
    kind = "full"
    def __init__(self, *, lang: str = "ja"): self.lang = lang
    def version(self): return "1"
    def languages(self): return frozenset({self.lang})
    def parse(self, texts): return [self.tree(text.words) for text in texts]
    def tree(self, words):
        leaves = tuple(Tree("NN", at, at + 1, (), words) for at, mark in enumerate(words) if not mark.isspace())
        phrase = Tree("NP", leaves[0].start, leaves[-1].end, leaves, words)
        return Tree("ROOT", phrase.start, phrase.end, (Tree("S", phrase.start, phrase.end, (phrase,), words),), words)
    def depend(self, texts):
        return [[Relation("char", None, leaf) for leaf in self.tree(text.words).leaves()] for text in texts]
'''
PAIR = {
    "source": "The old house is near the river.",
    "follow_up": "The old house is near the lake.",
    "source_translation": "古い家は川のそばにある。",
    "follow_up_translation": "古い家は川岸のそばにある。",
}


@pytest.fixture
def run(concord, guest, tmp_path):
    """Run relations on two English sentences, as JSON; or the error."""
    guest("parsers", "characters", JAPANESE)
    (tmp_path / "en.txt").write_text("The old house is near the river.\nThe chairman resigned on Friday.\n")

    def call(*words: str):
        command = ("run", "en.txt", "--from", "en", "--to", "ja", "-s", "fake", "--json")
        code, out, _ = concord(*command, *words)
        found = json.loads(out)
        return found["error"] if code == 2 else [row for row in found["runs"] if row["relation"] != "sane"]

    return call


@pytest.mark.parametrize("named", [("ja=characters", "en=concord_en"), ("ja=characters",), ("characters",)])
def test_mgmt_and_sit_run_where_each_language_has_a_parser(run, named):
    parsers = [word for name in named for word in ("--parser", name)]
    for relation in ("mgmt,granularities=phrase,word", "sit:paper,structure=relations"):
        (done,) = run("-r", relation, *parsers)
        assert (done["cases"] > 0, done["errors"]) == (True, 0)
        assert re.search(r"\|parse\[en\]:concord_en@[^|]*\|parse\[ja\]:characters@1", done["signature"])
        assert re.search(r"\|substitutes\[en\]:lexicon@[^|]*,gate=concord_en@", done["signature"])


def test_what_is_named_for_a_language_is_in_the_signature_with_what_it_was_told(run):
    (done,) = run("-r", "mgmt", "--parser", "ja=characters")
    assert "|parse[ja]:characters@1,lang=ja|" in done["signature"]


def test_a_parser_that_knows_one_side_is_said_not_to_know_the_other(run):
    (done,) = run("-r", "mgmt", "--parser", "characters")
    assert "characters does not know 'en', which the embedded concord_en serves" in done["notes"]


@pytest.mark.large
def test_what_a_relation_does_without_comes_with_what_would_help_and_that_helps(run, guest):
    (done,) = run("-r", "mgmt")
    (advice,) = [note for note in done["notes"] if "--parser" in note]
    assert advice == "none of the embedded parsers knows 'ja'. Name one: --parser ja=stanza or --parser ja=spacy"
    # Its model is not here, and the error has the command that gets it.
    assert "python -m spacy download ja_core_news_sm" in run("-r", "mgmt", "--parser", "ja=spacy")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (("ja=characters", "ja=concord_en"), "--parser names two for 'ja': ja=characters and ja=concord_en"),
        (("ja=concord_en",), "concord_en does not know 'ja', only: en. Take another"),
        (("en=characters,lang=ja",), "does not know 'en', only: ja. Leave out --parser en=characters,lang=ja"),
        (("ja=charactres",), "Did you mean 'characters'"),
        (("xx=characters",), "'xx' is not a language code"),
    ],
)
def test_a_mistake_is_refused_before_anything_is_sent(run, named, said):
    parsers = [word for name in named for word in ("--parser", name)]
    assert said in run("-r", "mgmt", *parsers)


def test_the_configuration_names_services_and_the_command_comes_first(run, tmp_path):
    (tmp_path / "concord.toml").write_text('[services]\nparser.ja = "characters"\n')
    assert "|parse[ja]:characters@1,lang=ja|" in run("-r", "mgmt")[0]["signature"]
    (tmp_path / "concord.toml").write_text('[services]\nparser = ["en=apertium", "ja=characters"]\n')
    assert "needs words with Penn tags" in run("-r", "mgmt")
    assert "|parse[en]:concord_en@" in run("-r", "mgmt", "--parser", "concord_en")[0]["signature"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[services]\nparsers = 'x'", "Did you mean 'parser'"),
        ("[services]\nparser = 3", "[services] parser names plug-ins, such as: parser.zh"),
        ("[service]\nparser = 'x'", "Did you mean [services]?"),
    ],
)
def test_a_wrong_configuration_is_refused(run, tmp_path, text, said):
    (tmp_path / "concord.toml").write_text(text)
    assert said in run("-r", "rtt")


def test_pairs_are_judged_with_parsers_that_are_named(concord, guest, tmp_path):
    guest("parsers", "characters", JAPANESE)
    (tmp_path / "p.jsonl").write_text(json.dumps({**PAIR, "source_lang": "en", "target_lang": "ja"}) + "\n")
    for relation in ("sit:paper,structure=relations", "mgmt:paper"):
        code, _, err = concord("judge", "p.jsonl", "-r", relation)
        assert "--parser ja=stanza or --parser ja=spacy" in err
        code, out, _ = concord("judge", "p.jsonl", "-r", relation, "--parser", "ja=characters", "--json")
        assert (code, "error" in json.loads(out)["rows"][0]) == (0, False)
    judged = json.loads(concord("judge", "p.jsonl", "-r", "sit:paper", "--parser", "characters", "--json")[1])["rows"]
    assert (judged[0]["factors"]["structure"], judged[0]["suspicion"]) == ("relations", 1)


def test_one_sentence_is_tried_with_services_that_are_named(concord, guest):
    guest("parsers", "characters", JAPANESE)
    command = ("try", "The old house is near the river.", "-s", "fake", "--to", "ja", "--json")
    for named, tried in (((), False), (("--parser", "ja=characters"), True)):
        relations = json.loads(concord(*command, "-r", "sit:paper,structure=relations", *named)[1])["relations"]
        assert (relations[-1]["error"] is None) == tried


def test_blame_compares_by_metrics_with_parsers_that_are_named(concord, guest, tmp_path):
    guest("parsers", "characters", JAPANESE)
    (tmp_path / "en.txt").write_text("The old house is near the river.\nThe chairman resigned on Friday.\n")
    systems = [word for rate in ("0", "0.1", "1") for word in ("-s", f"faulty:fake,rate={rate}")]
    concord("run", "en.txt", "--to", "ja", *systems, "-r", "rtt,threshold=0")
    code, _, err = concord("blame", "-m", "dependency")
    assert (code, "Name one: dependency:parser=ja=stanza" in err) == (2, True)
    assert concord("blame", "-m", "dependency", "--parser", "ja=characters")[0] == 0
    assert concord("blame", "-m", "dependency:parser=ja=characters")[0] == 0


def test_substitutes_are_named_by_language(run, tmp_path, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(mythes.Substitutes.__init__, "__kwdefaults__", {**_defaults(), "folder": str(tmp_path)})
    (tmp_path / "de.txt").write_text("Das alte Haus steht am Fluss.\n")
    parsers = ("--from", "de", "--parser", "de=characters", "-r", "sit")
    assert re.search(
        "none of the embedded parsers knows 'de'.*; and none of the embedded sources", run("--from", "de", "-r", "sit")
    )
    advised = run(*parsers)
    assert "--substitutes de=masked:MODEL or --substitutes de=mythes,forms=tags" in advised
    missing = run(*parsers, "--substitutes", "de=mythes,forms=tags")
    assert "apt-get install mythes-de" in missing
    (tmp_path / "th_de_DE_v2.idx").write_bytes(b"UTF-8\n1\nHaus|6\n")
    (tmp_path / "th_de_DE_v2.dat").write_bytes(b"UTF-8\nHaus|1\n-|Bau\n")
    (done,) = run(*parsers, "--substitutes", "de=mythes,forms=tags")
    assert "|substitutes[de]:mythes@" in done["signature"]
    assert ",forms=tags,lang=de,gate=characters@1" in done["signature"]


def _defaults():
    return dict(mythes.Substitutes.__init__.__kwdefaults__)
