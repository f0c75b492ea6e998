"""How much of a text is found in another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.metrics import similarity
from concord.model import Text


def alike(a: str, b: str, lang: str = "en", metric: str = "bag") -> float:
    return similarity(metric, Text(a, lang), Text(b, lang))


def test_the_papers_example() -> None:
    assert alike("two interesting books", "we watch two movies and two basketball games") == pytest.approx(1 / 3)


def test_chinese_is_compared_by_characters() -> None:
    assert alike("亲切的双边会谈", "与特朗普的双边会谈", "zh") == pytest.approx(4 / 6)


def test_stems_see_through_agreement() -> None:
    assert alike("casas rojas", "la casa roja", "es") == 0
    assert alike("casas rojas", "la casa roja", "es", "bag:match=stem") == 1


def test_nothing_is_missing_from_nothing() -> None:
    assert alike("", "anything") == alike("…", "") == 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_what_is_there_is_found(a: str, b: str) -> None:
    assert alike(a, f"{b} {a}") == 1
    assert 0 <= alike(a, b) <= 1
