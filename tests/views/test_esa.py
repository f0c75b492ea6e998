"""Error spans in the form that Pearmut reads, which counts as a browser does and trusts what it is given."""

from __future__ import annotations

import io
import itertools
import json
import tracemalloc

import pytest

from concord.labels.labels import Label
from concord.store.label_rows import outputs_of
from concord.views.esa import items, write_campaign


def row(output="el perro viejo", places=((3, 8),), system="apertium", **more):
    texts = {"source": ("the old dog", "en"), "follow_up": ("a dog", "en")}
    texts |= {"source_output": (output, "es"), "follow_up_output": ("un perro", "es")}
    made = {role: {"words": words, "lang": lang} for role, (words, lang) in texts.items()}
    evidence = {"places": [{"role": "source_output", "start": a, "end": b, "kind": "changed"} for a, b in places]}
    facts = {"case": "00" * 16, "run": 1, "relation": "rti", "segment": "s1", "domain": "", "system": system}
    facts |= {"suspicion": 1.0, "threshold": 0.5, "violated": True, "evidence": evidence}
    return made | facts | {"compared": [made["source_output"], made["follow_up_output"]]} | more


def label(one, verdict="error", **more):
    return Label(one["case"], "ana", verdict, outputs_of(one), **more)


def spans(one, *labels):
    found = {
        item["concord"]["role"]: next(iter(item["error_spans"].values()))
        for item in items([one], {one["case"]: labels})
    }
    return {
        role: [(each["start_i"], each["end_i"], each["severity"]) for each in every] for role, every in found.items()
    }


def marked(item):
    """What Pearmut would mark: it splits a text into UTF-16 units and leaves line breaks out."""
    ((_, text),) = item["tgt"].items()
    units = [text.replace("\n", "").encode("utf-16-le")[at : at + 2] for at in range(0, 10**4, 2)]
    return [
        b"".join(units[each["start_i"] : each["end_i"] + 1]).decode("utf-16-le")
        for each in next(iter(item["error_spans"].values()))
    ]


def test_a_span_is_from_its_first_to_its_last_character():
    (item,) = items([row()], {})
    assert item["src"] == "the old dog"
    assert item["tgt"] == {"apertium": "el perro viejo"}
    assert item["error_spans"] == {"apertium": [{"start_i": 3, "end_i": 7, "severity": None, "category": None}]}
    assert marked(item) == ["perro"]


@pytest.mark.parametrize("before", ["\U0001f600 ", "a\nb\n", "\U00020000\n\U0001f600"])
def test_characters_are_counted_as_a_browser_counts_them(before):
    (item,) = items([row(f"{before}perro", [(len(before), len(before) + 5)])], {})
    assert marked(item) == ["perro"]


def test_labels_say_how_severe_it_is_and_which_side():
    one = row()
    assert spans(one, label(one, wrong="source output", severity="minor")) == {"source_output": [(3, 7, "minor")]}
    assert spans(one, label(one, severity="critical")) == {"source_output": [(3, 7, "major")]}
    assert spans(one, label(one, severity="neutral")) == {"source_output": [(3, 7, "neutral")]}


def test_a_wrong_side_without_marks_is_marked_as_a_whole():
    one = row()
    found = spans(one, label(one, wrong="follow-up output", severity="major"))
    assert found == {"follow_up_output": [(0, 7, "major")]}


def test_what_was_left_out_stands_at_the_place_after_the_last_character():
    one = row("el\nperro", [(3, 8)])
    found = spans(one, label(one, wrong="source output", categories=("under-translation",)))
    assert found == {"source_output": [(2, 6, None), (7, 7, None)]}


@pytest.mark.parametrize("verdict", ["correct", "bad test"])
def test_what_people_call_right_is_not_there(verdict):
    one = row()
    assert spans(one, label(one, verdict)) == {}


def test_a_label_of_other_outputs_says_nothing():
    one = row()
    assert spans(one, Label(one["case"], "ana", "correct", "{}")) == {"source_output": [(3, 7, None)]}


def test_the_same_translation_is_there_once():
    assert len(list(items([row(), row(case="11" * 16)], {}))) == 1


@pytest.mark.parametrize("tag", ["<img src=x onerror=alert(1)>", "<iframe srcdoc=x>", "<video x>", "<audio x>"])
def test_no_translation_is_executed_by_pearmut(tag):
    (item,) = items([row(tag, [(0, 4)], source={"words": tag, "lang": "en"})], {})
    for text in (item["src"], *item["tgt"].values()):
        assert not text.startswith("<")
    assert marked(item) == [tag[:4]]


@pytest.mark.parametrize(
    ("system", "name"), [("12", "system-12"), ('a"><b> c', "a_b_c"), ("table:t.tsv", "table:t.tsv")]
)
def test_a_system_has_a_name_that_pearmut_can_bear(system, name):
    (item,) = items([row(system=system)], {})
    assert list(item["tgt"]) == list(item["error_spans"]) == [name]


def test_a_campaign_has_the_parts_that_pearmut_asks_for():
    file = io.StringIO()
    assert write_campaign(items([row(), row("otro perro", [(0, 4)])], {}), "concord-1", file) == 2
    made = json.loads(file.getvalue())
    assert (made["campaign_id"], made["info"]["protocol"]) == ("concord-1", "ESA")
    assert made["info"]["assignment"] == "single-stream"
    for document in made["data"]:
        for item in document:
            assert isinstance(item["src"], str)
            assert set(item["error_spans"]) <= set(item["tgt"])
    file = io.StringIO()
    assert write_campaign([], "x", file) == 0
    assert json.loads(file.getvalue())["data"] == []


def test_what_was_met_takes_no_more_memory_for_long_texts():
    rows = (row(f"{number} {'perro ' * 2_000}") for number in itertools.count())
    every = items(rows, {})
    next(every)
    tracemalloc.start()
    try:
        assert sum(1 for _ in itertools.islice(every, 200)) == 200
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 500_000  # the texts alone are 2.4 million
