"""What comes back from a round trip should resemble what was sent."""

from __future__ import annotations

import pytest

from concord.errors import UserError
from concord.metrics import similarity
from concord.model import Text
from concord.relations import rtt
from concord.relations._protocol import turned
from concord.testing import Table, Untaught, check_relation, now

HELLO = Text("Hello world", "en")


def test_a_perfect_round_trip_has_no_suspicion():
    (case,) = now(
        rtt.check(
            HELLO, Table({("Hello world", "es"): "Hola mundo", ("Hola mundo", "en"): "Hello world"}), None, to="es"
        )
    )
    assert case.suspicion == 0
    assert not case.violated
    assert [case.source.words, case.source_output.words, case.follow_up_output.words] == [
        "Hello world",
        "Hola mundo",
        "Hello world",
    ]


def test_a_lost_text_is_suspicious():
    table = Table({("Hello world", "es"): "Adiós", ("Adiós", "en"): "Bye"})
    (case,) = now(rtt.check(HELLO, table, None, to="es"))
    assert case.violated
    assert case.suspicion == pytest.approx(1 - similarity("chrf", HELLO, Text("Bye", "en")))
    assert case.compared == (HELLO, Text("Bye", "en"))


def test_the_metric_and_the_threshold_can_be_chosen():
    table = Table({("Hello world", "es"): "Hola", ("Hola", "en"): "Hello"})
    (case,) = now(rtt.check(HELLO, table, None, to="es", metric="levenshtein", threshold=0.6))
    assert case.suspicion == pytest.approx(6 / 11)
    assert case.scores == {"levenshtein": pytest.approx(5 / 11)}
    assert not case.violated


@pytest.mark.parametrize("threshold", [5.0, 1.01, -0.1])
def test_a_threshold_that_no_suspicion_can_reach_or_spare_is_refused(threshold):
    with pytest.raises(UserError, match="rtt: threshold is 0 to 1"):
        rtt.plan("en", to="es", threshold=threshold)
    with pytest.raises(UserError, match="rtt: threshold is 0 to 1"):
        rtt.compare(HELLO, HELLO, HELLO, HELLO, threshold=threshold)


class Asked:
    """An `explain` that has learnt nothing and notes what it is asked."""

    def __init__(self):
        self.fours = []

    async def each(self, fours):
        self.fours += fours
        return await Untaught().each(fours)


def test_by_our_comparison_both_texts_translate_the_one_in_between():
    there, back = Text("veo un perro", "es"), Text("I see a wolf", "en")
    x, explain = Text("I see a dog", "en"), Asked()
    table = Table({(x.words, "es"): there.words, (there.words, "en"): back.words})
    (case,) = now(rtt.check(x, table, explain, to="es", comparison="concord"))
    assert explain.fours == [(there, there, x, back)]
    assert (case.source, case.source_output, case.follow_up_output) == (x, there, back)
    assert {blame["word"] for blame in case.evidence["blamed"]} == {"dog", "wolf"}
    assert case.evidence["marked"] == {"source": [[8, 11]], "follow_up_output": [[8, 12]]}
    assert case.scores["chrf"] == pytest.approx(1 - case.scores["paper"])
    assert 0 < case.scores["probability"] < 1
    assert case.threshold == 0.4


def test_words_are_aligned_from_the_target_language_to_that_of_the_source():
    assert turned("rtt")
    assert not turned("pivot")
    assert not turned("rti")


def test_it_conforms():
    check_relation("rtt")
    check_relation("rtt", comparison="concord")
    check_relation("rtt", metric="bleu")
