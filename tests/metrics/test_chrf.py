"""chrF against sacreBLEU, and values computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from concord import plugins
from concord.errors import UserError
from concord.metrics.chrf import similarity
from concord.model import Text

strings = st.one_of(
    st.text(max_size=40),
    st.text("ab \n", max_size=40),
    st.text("aé猫犬。 \u2028\u3000", max_size=40),
    st.lists(st.sampled_from(["the", "(cat)", "sat.", "«mat»", "a", ",", "...", "'s", "-", "50%"])).map(" ".join),
)
options = st.fixed_dictionaries(
    {}, optional={"char_order": st.integers(1, 9), "word_order": st.integers(0, 3), "beta": st.integers(1, 4)}
)


def text(words):
    return Text(words, "en")


def published(a, b, **options):
    return CHRF(**options).sentence_score(b, [a]).score / 100


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("ab", "ac", 1 / 4),  # a of a, c; nothing of ac
        ("abc", "ab", 7 / 11),  # precision 1; recall 2/3 and 1/2
        ("ab", "abc", 7 / 8),  # recall 1; precision 2/3 and 1/2
        ("a b", "ab", 1.0),
        ("abc", "xyz", 0.0),
        ("abc", "", 0.0),
        ("", "abc", 0.0),
    ],
)
def test_values_by_hand(reference, hypothesis, expected):
    assert similarity(text(reference), text(hypothesis)) == pytest.approx(expected)


@settings(max_examples=1000, deadline=None)
@given(strings, strings)
@example("", "a")
@example("a", " ")
@example("word", "word word")
def test_values_are_sacrebleu_s(a, b):
    expected = published(a, b) if a.split() or b.split() else 1.0
    assert similarity(text(a), text(b)) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=1000, deadline=None)
@given(strings, strings, options)
def test_values_are_sacrebleu_s_with_other_options(a, b, options):
    expected = published(a, b, **options) if a.split() or b.split() else 1.0
    assert similarity(text(a), text(b), **options) == pytest.approx(expected, abs=1e-9)


def test_values_are_sacrebleu_s_for_a_long_text_with_thousands_of_letters():
    a = "".join(chr(0x4E00 + i * i % 3001) for i in range(4000))
    b = a[:1000] + a[2000:] + a[500:900]
    assert similarity(text(a), text(b)) == pytest.approx(published(a, b), abs=1e-9)


@settings(deadline=None)
@given(strings, strings, options)
def test_it_is_bounded_and_one_for_the_same(a, b, options):
    assert similarity(text(a), text(a), **options) == 1.0
    assert 0 <= similarity(text(a), text(b), **options) <= 1


@settings(deadline=None)
@given(strings, strings)
def test_it_is_symmetric_when_precision_and_recall_weigh_the_same(a, b):
    assert similarity(text(a), text(b), beta=1) == pytest.approx(similarity(text(b), text(a), beta=1))


def test_two_texts_without_a_character_are_the_same():
    assert similarity(text(""), text(" \n")) == 1.0


def test_no_order_at_all_is_refused():
    with pytest.raises(UserError, match="the defaults are"):
        similarity(text("a"), text("b"), char_order=0)


@pytest.mark.parametrize("option", ["char_order=-1", "char_order=99999999", "word_order=99999999", "beta=1e200"])
def test_orders_and_weights_have_ranges(option):
    with pytest.raises(UserError, match="a number from 0 to"):
        plugins.metric(f"chrf:{option}")
