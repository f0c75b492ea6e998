"""Translations are compared with the replaced part set aside; all values are computed by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.relations.transrepair import set_aside
from concord.relations.transrepair.set_aside import NOTHING, compared, differences, measure

LCS = measure("lcs")
words = st.lists(st.sampled_from("abcde"), max_size=14)


def alike(a, b, name="lcs"):
    return compared(a.split(), b.split(), measure(name))


@pytest.mark.parametrize("name", ["lcs", "ed", "tfidf", "bleu"])
def test_what_changes_in_one_place_costs_nothing(name):
    found = alike("el gato negro duerme en la casa", "el perro negro duerme en la casa", name)
    assert found.similarity == 1
    assert found.aside == ((1, 2), (1, 2))
    assert found.differing == ([], [])


def test_what_changes_in_a_second_place_does():
    # The last two words are left out of either; of the five before, one differs.
    found = alike("el gato negro duerme en la casa", "el perro negro duerme en el jardín", "lcs")
    assert found.similarity == pytest.approx(4 / 5)
    assert found.aside == ((5, 7), (5, 7))


def test_the_measures_differ_where_order_and_length_do():
    a, b = "uno dos tres cuatro cinco seis", "uno tres dos cuatro cinco seis"
    # One of the two that changed places is left out on either side.
    assert alike(a, b, "lcs").similarity == 1
    a, b = "uno dos tres cuatro cinco seis siete", "siete uno tres cuatro cinco dos seis"
    # Three words moved; of each text one stretch goes, and two of the three still cost.
    assert alike(a, b, "lcs").similarity == pytest.approx(5 / 6)
    assert alike(a, b, "ed").similarity == pytest.approx(4 / 6)


def test_either_side_may_leave_out_another_stretch():
    # "b" was replaced, and "x" was added elsewhere: left out are b on one side and x on the other.
    found = alike("a b c d e", "a c d x e")
    assert found.similarity == 1
    assert found.aside == ((1, 2), (3, 4))


def test_a_stretch_of_more_than_three_words_is_not_left_out():
    assert alike("a b c d e", "a x y z c d e").similarity == 1
    assert alike("a b c d e", "a w x y z c d e").similarity == pytest.approx(4 / 8)


def test_bleu_takes_the_better_direction():
    # The shorter text has nothing but n-grams of the longer one, and pays for being short: e to the 1 − 5/4. The other
    # way round the precisions are 4/5, 3/4, 2/3 and 1/2, and their geometric mean is less.
    longer, shorter = list("abcde"), list("abcd")
    assert measure("bleu")(longer, shorter) == measure("bleu")(shorter, longer)
    assert measure("bleu")(longer, shorter) == pytest.approx(math.exp(-1 / 4))


def test_what_still_differs_is_told_without_what_was_set_aside():
    found = alike("a b c d e f g", "a x c d e y g")
    assert found.aside == ((1, 2), (1, 2))
    assert found.differing == ([(5, 6)], [(5, 6)])
    assert found.similarity == pytest.approx(5 / 6)


def test_empty_translations_are_alike_only_each_other():
    assert compared([], [], LCS).similarity == 1
    assert compared([], ["a", "b", "c", "d"], LCS).similarity == 0


@settings(max_examples=200, deadline=None)
@given(words, words)
def test_it_is_the_largest_over_all_stretches_of_either_side(a, b):
    best = LCS(a, b)
    for one, other in ((differences(a, b), False), (differences(b, a), True)):
        pairs = [(theirs, ours) if other else (ours, theirs) for ours, theirs in one]
        mine, yours = zip(*pairs, strict=True) if pairs else ((), ())
        for i, j in [NOTHING, *(span for span in mine if span[1] - span[0] <= 3)]:
            for k, m in [NOTHING, *(span for span in yours if span[1] - span[0] <= 3)]:
                best = max(best, LCS(a[:i] + a[j:], b[:k] + b[m:]))
    assert compared(a, b, LCS).similarity == best
    assert compared(b, a, LCS).similarity == best


@settings(max_examples=100, deadline=None)
@given(words, words, st.sampled_from(["lcs", "ed", "tfidf", "bleu"]))
def test_setting_aside_never_makes_texts_less_alike(a, b, name):
    plain = measure(name)(a, b)
    assert plain <= compared(a, b, measure(name)).similarity <= 1


@pytest.mark.parametrize(("limit", "value"), [("DIFFLIB", 3), ("COMPARABLE", 3)])
def test_long_texts_are_compared_in_a_cheaper_way(monkeypatch, limit, value):
    monkeypatch.setattr(set_aside, limit, value)
    monkeypatch.setattr(set_aside, "DIFFLIB", 3)
    assert alike("a b c d e f", "a b c d e f").differing == ([], [])
    found = alike("a b c d e f", "a x c d e f")
    assert found.similarity == (1 if limit == "DIFFLIB" else pytest.approx(5 / 6))


def test_texts_that_differ_everywhere_are_not_tried_in_every_way():
    tried = []

    def counting(a, b):
        tried.append((tuple(a), tuple(b)))
        return 0.5

    # A hundred stretches on either side would leave ten thousand ways.
    a = [word for at in range(100) for word in (f"a{at}", f"same{at}")]
    b = [word for at in range(100) for word in (f"b{at}", f"same{at}")]
    compared(a, b, counting)
    assert len(tried) * (len(a) + len(b)) < 3 * set_aside.WORK
