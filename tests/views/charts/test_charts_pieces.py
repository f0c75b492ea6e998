from __future__ import annotations

import doctest
import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from concord.views.charts import _look, _residuals, _scale
from concord.views.charts._scale import Scale, around, drawable, written
from concord.views.charts._words import fit, neutral, width, wrap

NUMBERS = st.floats(-1e299, 1e299).map(lambda value: drawable(value) or 0.0)


# -- scales ----------------------------------------------------------------------------------------


@given(st.lists(NUMBERS, min_size=1), st.integers(2, 12))
def test_ticks_are_few_round_and_within_the_axis(values: list[float], most: int) -> None:
    scale = Scale(*around(values), 0, 100)
    ticks, step = scale.ticks(most), scale.step(most)
    assert len(ticks) <= most
    assert all(scale.low <= tick <= scale.high for tick in ticks)
    assert all(b - a == pytest.approx(step) for a, b in pairwise(ticks))
    mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - each) for each in (1, 2, 5)) < 1e-6


@given(st.lists(NUMBERS, min_size=1))
def test_an_axis_shows_all_its_numbers(values: list[float]) -> None:
    scale = Scale(*around(values), 10, 90)
    assert all(10 <= scale.position(value) <= 90 for value in values)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2))
def test_labels_of_different_ticks_differ(ends: list[float]) -> None:
    assume(abs(ends[0] - ends[1]) > 1e-3)
    labels = [words for _, words in Scale(min(ends), max(ends), 0, 100).labels(8)]
    assert len(set(labels)) == len(labels)


def test_ticks_are_those_a_person_would_choose() -> None:
    assert Scale(0, 1, 0, 1).ticks(6) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert [words for _, words in Scale(-3.7, 3.7, 0, 1).labels(7)] == ["−3", "−2", "−1", "0", "1", "2", "3"]
    assert [words for _, words in Scale(-0.2, 3.2, 0, 1, 1.0).labels(8)] == ["0", "1", "2", "3"]
    assert [words for _, words in Scale(0, 5000, 0, 1).labels(6)] == ["0", "1,000", "2,000", "3,000", "4,000", "5,000"]


def test_numbers_are_written_as_their_step_needs() -> None:
    assert written(0.25, 0.05) == "0.25"
    assert written(-1e-12, 0.1) == "0.0"
    assert written(-2.5e300, 5e299) == "−2.5e300"
    assert doctest.testmod(_scale).failed == 0


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf, 1e300])
def test_what_has_no_place_on_an_axis_is_not_known(value: float | None) -> None:
    assert drawable(value) is None


# -- words -----------------------------------------------------------------------------------------


@given(st.text(), st.floats(0, 400))
def test_a_fitted_text_fits(text: str, room: float) -> None:
    words = neutral(text)
    assert width(fit(words, room, 11), 11) <= max(room, 0)


@given(st.text(st.sampled_from("ab m中 "), max_size=200), st.integers(1, 4))
def test_wrapped_lines_fit_and_keep_the_words_in_order(text: str, most: int) -> None:
    lines = wrap(text, 120, 11, most)
    assert len(lines) <= most
    assert all(width(line, 11) <= 120 for line in lines)
    if not any("…" in line for line in lines):
        assert " ".join(lines).split() == text.split()


def test_neutral_texts_are_bounded_lines_without_acting_characters() -> None:
    assert neutral("a\n b\t\x1b[1m") == "a b ␛[1m"
    assert neutral("\u202e" * 500, 30) == "⟨U+202E⟩⟨U+202E⟩⟨U+202E⟩⟨U+20…"
    assert len(neutral("x" * 10**6)) == 200


# -- colours ---------------------------------------------------------------------------------------


def contrast(a: str, b: str) -> float:
    light, dark = sorted((_look.luminance(a), _look.luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("colours", "groups"), [(_look.LIGHT, _look.GROUPS_LIGHT), (_look.DARK, _look.GROUPS_DARK)], ids=["light", "dark"]
)
def test_marks_and_words_stand_out_from_their_ground(colours: dict[str, str], groups: tuple[str, ...]) -> None:
    for ground in (colours["card"], colours["sunk"]):
        assert all(contrast(group, ground) >= 3 for group in groups)
        assert all(contrast(colours[ink], ground) >= 4.5 for ink in ("ink", "soft", "hot"))


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(colour: np.ndarray) -> np.ndarray:
    """CIE L*a*b*, in which a distance of about 2 can just be seen."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ np.clip(colour, 1e-4, 1) / (0.9505, 1, 1.089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


# Viénot, Brettel and Mollon (1999), "Digital video colourmaps for checking the legibility of displays by dichromats".
CONES = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
SIGHT = {
    "all cones": np.eye(3),
    "no long cones": np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
    "no middle cones": np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
}


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("groups", [_look.GROUPS_LIGHT, _look.GROUPS_DARK], ids=["light", "dark"])
def test_groups_are_told_apart_by_colour_blind_readers(groups: tuple[str, ...], sight: str) -> None:
    seen = np.linalg.inv(CONES) @ SIGHT[sight] @ CONES
    colours = [lab(seen @ linear(group)) for group in groups]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(colours, 2)) > 20


def test_numbers_can_be_read_on_every_shade_and_shades_darken_steadily() -> None:
    shades = [_look.ramp(i / 200) for i in range(201)]
    assert min(contrast(shade, _look.on(shade)) for shade in shades) >= 4.5
    assert all(_look.luminance(a) >= _look.luminance(b) for a, b in pairwise(shades))


# -- trend, quantiles ------------------------------------------------------------------------------


def test_the_trend_of_a_line_is_the_line_even_with_outliers() -> None:
    x = np.linspace(0, 300, 200)
    y = 2 * x + 5
    y[::20] += 4000
    knots, heights = _residuals.trend(x, y)
    assert heights == pytest.approx(2 * knots + 5, abs=1)


def test_the_trend_follows_a_bend() -> None:
    x = np.linspace(-100, 100, 400)
    knots, heights = _residuals.trend(x, np.abs(x))
    assert heights[0] > 60
    assert heights[-1] > 60
    assert heights[np.abs(knots).argmin()] < 50


@given(st.integers(1, 2_000_000))
def test_thinned_quantiles_are_few_and_keep_both_tails(count: int) -> None:
    kept = _residuals.thinned(count).tolist()
    assert len(kept) <= 500
    assert kept == sorted(set(kept))
    assert kept[:60] == list(range(min(60, count)))
    assert kept[-60:] == list(range(max(0, count - 60), count))
