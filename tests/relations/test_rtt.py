"""What comes back from a round trip should resemble what was sent."""

from __future__ import annotations

import pytest

from concord.metrics import similarity
from concord.model import Text
from concord.relations import rtt
from concord.relations._protocol import load_relation
from concord.testing import Table, check_relation, now

HELLO = Text("Hello world", "en")


def test_a_perfect_round_trip_has_no_suspicion():
    (case,) = now(
        rtt.check(HELLO, Table({("Hello world", "es"): "Hola mundo", ("Hola mundo", "en"): "Hello world"}), to="es")
    )
    assert case.suspicion == 0
    assert not case.flagged
    assert [case.source.words, case.source_output.words, case.follow_up_output.words] == [
        "Hello world",
        "Hola mundo",
        "Hello world",
    ]


def test_a_lost_text_is_flagged():
    table = Table({("Hello world", "es"): "Adiós", ("Adiós", "en"): "Bye"})
    (case,) = now(rtt.check(HELLO, table, to="es"))
    assert case.flagged
    assert case.suspicion == pytest.approx(1 - similarity("chrf", HELLO, Text("Bye", "en")))
    assert case.compared == (HELLO, Text("Bye", "en"))


def test_the_metric_and_the_threshold_can_be_chosen():
    table = Table({("Hello world", "es"): "Hola", ("Hola", "en"): "Hello"})
    (case,) = now(rtt.check(HELLO, table, to="es", metric="levenshtein", threshold=0.6))
    assert case.suspicion == pytest.approx(6 / 11)
    assert case.scores == {"levenshtein": pytest.approx(5 / 11)}
    assert not case.flagged


def test_words_are_aligned_from_the_target_language_to_that_of_the_source():
    assert load_relation("rtt").compares_backward
    assert not load_relation("pivot").compares_backward
    assert not load_relation("rti").compares_backward


def test_it_conforms():
    check_relation("rtt")
    check_relation("rtt", metric="bleu")
