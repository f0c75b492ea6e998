"""SemMT-D of "a few" and "several" (Cao et al. 2021, section 5.3): what we compute beside what the paper prints."""

from __future__ import annotations

from fractions import Fraction

import pytest

from concord.relations.semmt.automata import similarity


@pytest.mark.parametrize(
    ("few", "several", "ours", "published", "likely"),
    [
        # The paper stops one length later: 44 words of 46.
        ("[Y]{3,}", "[Y]{5,}", Fraction(43, 45), 0.957, Fraction(44, 46)),
        # There are 21 and 23 words, so the index is 21/23; the paper seems to have divided by the bound, 25.
        ("[Y]{3,25}", "[Y]{5,25}", Fraction(21, 23), 0.84, Fraction(21, 25)),
    ],
)
def test_the_values_of_the_paper_are_near_but_not_ours(few, several, ours, published, likely):
    found = similarity(few, several, measure="paper").d
    assert found == pytest.approx(float(ours), abs=1e-12)
    assert round(found, 3) != published
    assert round(float(likely), 3) == published
