"""A detour through another language should not change the outcome."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from concord.errors import UserError
from concord.model import Text
from concord.relations import pivot
from concord.testing import Echo, Table, check_relation, now

X = Text("the red house", "en")
ANSWERS = {
    ("the red house", "es"): "la casa roja",
    ("the red house", "ca"): "la casa vermella",
    ("la casa vermella", "es"): "la casa roja",
    ("the red house", "gl"): "a casa vermella",
    ("a casa vermella", "es"): "la casa vieja",
}


def check(**more):
    return now(pivot.check(X, Table(ANSWERS, pivots=("ca", "gl")), random.Random(1), to="es", **more))


def test_every_pivot_can_be_taken():
    via_ca, via_gl = check(allocation="every")
    assert via_ca.factors == {"pivot": "ca", "path": "ca→es"}
    assert via_gl.factors == {"pivot": "gl", "path": "gl→es"}
    assert via_ca.suspicion == pytest.approx(0)
    assert via_gl.suspicion > 0
    assert via_gl.compared == (Text("la casa roja", "es"), Text("la casa vieja", "es"))
    assert via_gl.steps == {"pivot": Text("a casa vermella", "gl")}


def test_the_score_is_the_mean_of_three_metrics():
    (case,) = check(pivots=("gl",))
    assert set(case.scores) == {"levenshtein", "bleu", "cosine"}
    assert case.suspicion == pytest.approx(1 - sum(case.scores.values()) / 3)
    assert case.scores["levenshtein"] == pytest.approx(1 - 3 / 13)
    assert case.scores["cosine"] == pytest.approx(2 / 3)


def test_one_random_pivot_is_drawn_per_sentence_and_all_are_drawn_alike():
    drawn = Counter(
        now(pivot.check(X, Echo(pivots=("ca", "gl", "eo")), random.Random(seed), to="es"))[0].factors["pivot"]
        for seed in range(600)
    )
    assert set(drawn) == {"ca", "gl", "eo"}
    assert min(drawn.values()) > 150


@pytest.mark.parametrize(
    ("pivots", "said"), [(("es",), "es cannot be a pivot"), (("en", "ca"), "en cannot be a pivot")]
)
def test_source_and_target_are_no_pivots(pivots, said):
    with pytest.raises(UserError, match=said):
        check(pivots=pivots)


def test_without_any_pivot_the_user_is_told_to_name_some():
    with pytest.raises(UserError, match="pivots="):
        now(pivot.check(X, Table(ANSWERS), random.Random(1), to="es"))


def test_it_conforms():
    check_relation("pivot")
    check_relation("pivot:paper")
    check_relation("pivot", allocation="every")
