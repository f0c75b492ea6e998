from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import mean

import pytest

import concord.corpus
from concord.corpus import demo, read
from concord.errors import UserError

ROWS = [json.loads(line) for line in Path(concord.corpus.__file__).with_name("demo.jsonl").read_text().splitlines()]
DOMAINS = {"news", "instructions", "legal", "medical", "finance", "small_talk"}
FREQUENT = ["number", "negation", "quantifier", "name", "nested_np", "list"]

NUMBER = re.compile(
    r"""\d|\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|seventeenth|twenty|forty|sixty
    |hundreds?|million|billion|twice)\b""",
    re.IGNORECASE | re.VERBOSE,
)
NEGATION = re.compile(r"\b(not|no|never|none|neither|nor|nobody|nothing|without|cannot|hardly)\b|n't\b", re.IGNORECASE)
QUANTIFIER = re.compile(
    r"""\b(every|everyone|each|all|most|some|many|several|few|fewer|both|neither|either|none|half
    |at\ least|more\ than|up\ to)\b""",
    re.IGNORECASE | re.VERBOSE,
)
LINK = re.compile(
    r"\b(of|in|on|at|to|for|from|with|by|about|between|behind|over|near|through|under|that|which|who|where|except|we|I|explaining)\b"
)
CONDITION = re.compile(r"\b(if|unless|provided|should)\b", re.IGNORECASE)
BE = re.compile(r"\b(is|are|was|were|be|been)\b", re.IGNORECASE)
CAPITAL = re.compile(r"(?<![.?!\"] )(?<!^)\b[A-Z][a-z]+|^[A-Z][a-z]+(, | [A-Z])|^(Mr|Mrs|Ms|Dr)\. [A-Z]")

EVIDENCE: dict[str, Callable[[str], bool]] = {
    "number": lambda text: bool(NUMBER.search(text)),
    "negation": lambda text: bool(NEGATION.search(text)),
    "quantifier": lambda text: bool(QUANTIFIER.search(text)),
    "name": lambda text: bool(CAPITAL.search(text)),
    "nested_np": lambda text: bool(LINK.search(text)),
    "list": lambda text: "," in text and bool(re.search(r"\b(and|or|then)\b", text)),
    "question": lambda text: text.endswith("?"),
    "conditional": lambda text: bool(CONDITION.search(text)),
    "passive": lambda text: bool(BE.search(text)),
    "quote": lambda text: text.count('"') >= 2,
    "parenthesis": lambda text: "(" in text and ")" in text,
}
# These can be seen without reading, so that a missing tag is a mistake as well.
COMPLETE = ["number", "negation", "question", "quote", "parenthesis"]


def bag(text):
    return set(re.findall(r"\w+", text.lower()))


def test_each_of_the_six_domains_has_at_least_42_sentences():
    counts = Counter(row["domain"] for row in ROWS)
    assert set(counts) == DOMAINS
    assert min(counts.values()) >= 42


def test_ids_number_the_sentences_of_a_domain():
    seen: Counter[str] = Counter()
    for row in ROWS:
        seen[row["domain"]] += 1
        assert row["id"] == f"{row['domain']}-{seen[row['domain']]:03}"


def test_every_sentence_is_clean_english_text():
    for row in ROWS:
        text = row["text"]
        assert set(row) == {"id", "text", "domain", "tags"}
        assert text.isascii()
        assert text == " ".join(text.split())
        assert re.fullmatch(r'["A-Z].*[.?!]"?', text), text


def test_no_two_sentences_are_alike():
    assert len({row["text"].lower() for row in ROWS}) == len(ROWS)
    bags = [bag(row["text"]) for row in ROWS]
    assert all(len(a & b) < 0.5 * len(a | b) for a, b in combinations(bags, 2))


def test_no_opening_is_worn_out():
    openings = Counter(" ".join(row["text"].split()[:2]) for row in ROWS)
    assert max(openings.values()) <= 6


def test_lengths_run_from_a_few_words_to_a_long_sentence():
    lengths = [len(row["text"].split()) for row in ROWS]
    assert min(lengths) == 4
    assert 33 <= max(lengths) <= 36
    assert 16 <= mean(lengths) <= 18


@pytest.mark.parametrize("tag", FREQUENT)
def test_the_tags_that_matter_most_are_frequent_and_in_every_domain(tag):
    tagged = [row for row in ROWS if tag in row["tags"]]
    assert len(tagged) >= 25
    assert {row["domain"] for row in tagged} == DOMAINS


@pytest.mark.parametrize("tag", EVIDENCE)
def test_a_tag_tells_the_truth(tag):
    wrong = [row["text"] for row in ROWS if tag in row["tags"] and not EVIDENCE[tag](row["text"])]
    assert wrong == []


@pytest.mark.parametrize("tag", COMPLETE)
def test_a_tag_is_missing_nowhere(tag):
    missing = [row["text"] for row in ROWS if tag not in row["tags"] and EVIDENCE[tag](row["text"])]
    assert missing == []


def test_all_tags_are_known_and_none_is_given_twice():
    for row in ROWS:
        assert set(row["tags"]) <= set(EVIDENCE)
        assert len(set(row["tags"])) == len(row["tags"])


def test_the_demo_is_read_like_any_corpus():
    corpus = demo()
    assert (corpus.name, corpus.lang, corpus.size, corpus.warnings) == ("demo", "en", len(ROWS), [])
    assert [(s.id, s.text.words, s.domain) for s in corpus] == [(r["id"], r["text"], r["domain"]) for r in ROWS]


@pytest.mark.parametrize("path", ["demo", None, Path("demo")])
def test_the_demo_is_what_is_read_when_nothing_is_named(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read(path, "eng").digest == demo().digest
    assert read(path, "en-GB", format="lines", limit=3).digest == demo(limit=3).digest


def test_a_file_called_demo_comes_before_the_bundled_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("demo").write_text("Mine\n")
    assert [segment.text.words for segment in read("demo", "en")] == ["Mine"]


def test_the_demo_is_english_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="the bundled corpus is English, not 'es'"):
        read("demo", "spa")


def test_a_format_that_does_not_exist_is_refused_also_where_none_is_needed():
    with pytest.raises(UserError, match="pdf"):
        read("demo", "en", format="pdf")
