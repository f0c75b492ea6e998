"""A corpus is counted as the paper's table 1 counts it."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from concord.relations.semmt.logic import find, prevalence

TEXTS = [
    "Short.",
    "The committee that met on Tuesday in the old town hall voted at least 3 times.",
    "The committee that met on Tuesday in the old town hall saw several people leave.",
    "The committee that met on Tuesday in the old town hall came back without its chairman.",
    "The committee that met on Tuesday in the old town hall did not vote and left.",
    "The committee that met on Tuesday in the old town hall had 12 members.",
    "The committee that met on Tuesday in the old town hall went home at dusk.",
]


def test_the_counts_of_the_paper_are_of_compared_quantities_and_of_parts_and_wholes():
    counted = prevalence(TEXTS)
    assert (counted.total, counted.kept) == (7, 6)
    assert (counted.quantity, counted.quantity_precise) == (2, 1)
    assert (counted.logic, counted.logic_precise) == (1, 1)
    assert (counted.related, counted.related_precise) == (3, 2)
    assert counted.share("related") == 0.5


BEGUN = "The committee that met on Tuesday in the old town hall"


@pytest.mark.parametrize(
    ("end", "quantity", "logic", "related"),
    [
        ("voted at least 3 times and at most 5 times.", (1, 1), (0, 0), (1, 1)),
        ("voted at least 3 times before several people.", (1, 0), (0, 0), (1, 0)),
        ("voted at least 3 times without its chairman.", (1, 1), (1, 1), (1, 1)),
        ("met several people without its chairman.", (1, 0), (1, 0), (1, 0)),
    ],
)
def test_a_sentence_is_precise_only_if_nothing_in_it_is_vague(end, quantity, logic, related):
    counted = prevalence([f"{BEGUN} {end}"])
    assert (counted.quantity, counted.quantity_precise) == quantity
    assert (counted.logic, counted.logic_precise) == logic
    assert (counted.related, counted.related_precise) == related


def test_examples_are_kept_by_kind():
    assert prevalence(TEXTS).examples == {
        "logic: exclusion": (TEXTS[3],),
        "quantity: at_least": (TEXTS[1],),
        "quantity: vague": (TEXTS[2],),
    }


def test_short_sentences_count_if_wanted_and_no_sentences_have_no_share():
    assert prevalence(TEXTS, least_words=1).kept == 7
    assert prevalence([]).share("related") == 0.0


def test_the_quick_look_misses_nothing_that_the_search_finds():
    corpus = files("concord.corpus").joinpath("demo.jsonl").read_text("utf-8").splitlines()
    for text in (json.loads(line)["text"] for line in corpus):
        counted = prevalence([text], least_words=0)
        findings = [each for each in find(text) if each.unit or each.kind in ("inclusion", "exclusion")]
        findings = [each for each in findings if not each.bare]
        assert counted.related == bool(findings), text
