"""Pictures of many numbers: residuals, quantiles, bars, points and lines."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from concord.views import charts
from concord.views.charts import Point, Stack

SVG = "{http://www.w3.org/2000/svg}"


def test_few_residuals_are_points_where_the_scale_says(marks, at, ruler) -> None:
    svg = charts.residuals([0.25, 0.5, 0.75], [0.1, -0.2, 0.1], title="t")
    place = ruler(svg)
    found = [at(each, "cx")[0] for each in marks(svg, "circle")]
    assert found == pytest.approx([place(0.25), place(0.5), place(0.75)], abs=0.02)


def test_many_residuals_are_a_sample_of_bounded_size_with_both_extremes(marks, at) -> None:
    rng = np.random.default_rng(7)
    fitted = np.repeat(rng.uniform(0.2, 0.8, 168), 200)
    observed = np.append(rng.normal(0, 0.2, 33_598), [-3.0, 2.0])
    svg = charts.residuals(fitted, observed, title="t")
    heights = sorted(at(each, "cy")[0] for each in marks(svg, "circle"))
    assert len(heights) == 3000
    assert heights[1] - heights[0] > 20 < heights[-1] - heights[-2]
    assert "33,600 observations; 3,000 of them are drawn" in svg
    assert len(svg) < 300_000
    assert len(charts.qq(rng.standard_cauchy(33_600), title="t")) < 100_000


def test_residuals_and_fitted_values_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="2 numbers for one axis and 1 for the other"):
        charts.residuals([1, 2], [1], title="t")


def test_what_has_no_place_is_counted() -> None:
    assert "Not drawn, because without bounds: 2." in charts.residuals([1, 2, 3], [math.nan, math.inf, 1], title="t")
    assert "Not drawn, because without bounds: 1." in charts.qq([1, 2, math.nan], title="t")


def test_quantiles_are_those_of_the_normal_distribution(marks, at, ruler) -> None:
    svg = charts.qq([10, 30, 20], title="t")
    place, normal = ruler(svg), NormalDist()
    found = [at(each, "cx")[0] for each in marks(svg, "circle")]
    assert found == pytest.approx([place(normal.inv_cdf(p)) for p in (1 / 6, 1 / 2, 5 / 6)], abs=0.02)


def test_normal_residuals_lie_on_the_diagonal(marks, at) -> None:
    normal = NormalDist(3, 5)
    svg = charts.qq([normal.inv_cdf((i + 0.5) / 2000) for i in range(2000)], title="t")
    (line,) = (each for each in marks(svg, "line") if "stroke-dasharray" in each.attrib)
    x1, y1, x2, y2 = at(line, "x1", "y1", "x2", "y2")
    for x, y in (at(each, "cx", "cy") for each in marks(svg, "circle")):
        assert y == pytest.approx(y1 + (y2 - y1) * (x - x1) / (x2 - x1), abs=1)


# -- bars and points -------------------------------------------------------------------------------


def test_bars_are_as_long_as_their_share_and_say_their_count(marks, at) -> None:
    svg = charts.stacked([Stack("A", {"3": 32, "2": 26, "1": 12}), Stack("B", {"1": 1, "2": 1})], title="t")
    bars = [each for each in marks(svg, "rect") if each.findtext(f"{SVG}title")]
    assert [each.findtext(f"{SVG}title") for each in bars] == [
        "A, 1: 12 of 70 (17.1%)",
        "A, 2: 26 of 70 (37.1%)",
        "A, 3: 32 of 70 (45.7%)",
        "B, 1: 1 of 2 (50.0%)",
        "B, 2: 1 of 2 (50.0%)",
    ]
    wide = [at(each, "width")[0] + 1 for each in bars]
    assert [each / sum(wide[:3]) for each in wide] == pytest.approx([12 / 70, 26 / 70, 32 / 70, 0.5, 0.5], abs=1e-3)
    assert {"12", "26", "32", "n = 70"} <= {text.text for text in marks(svg, "text")}


def test_words_on_bars_never_overlap(overlapping) -> None:
    rows = [Stack(f"system {i}", {str(k): (i * k) % 7 for k in range(40)}) for i in range(1, 9)]
    assert overlapping(charts.stacked(rows, title="t")) == []


def test_groups_of_points_are_set_apart_where_x_has_grades(marks, at, ruler) -> None:
    rows = [Point(x, 0.5, group) for x in (0, 1, 2) for group in ("a", "b")]
    svg = charts.scatter(rows, title="t", x="human", y="score", grades=True)
    assert "groups are set side by side" in svg
    place = ruler(svg)
    rings = [at(each, "cx")[0] for each in marks(svg, "circle")][1:]
    assert rings == pytest.approx([place(x) - 4.5 for x in (0, 1, 2)], abs=0.02)


def test_numbers_stand_where_they_are_however_few_they_are(marks, at, ruler) -> None:
    svg = charts.scatter([Point(x, 0.5, f"system {x}") for x in (0, 1, 2)], title="t", x="mean", y="score")
    assert "side by side" not in svg
    rings = [at(each, "cx")[0] for each in marks(svg, "circle")][1:]
    assert rings == pytest.approx([ruler(svg)(0)], abs=0.02)


def test_of_many_points_an_even_sample_is_drawn(marks) -> None:
    rng = np.random.default_rng(3)
    svg = charts.scatter([Point(x, y) for x, y in rng.normal(size=(5000, 2)).tolist()], title="t", x="x", y="y")
    assert "5,000 points; 2,500 of them are drawn." in svg
    assert len(marks(svg, "circle")) == 2500


def test_a_line_goes_through_its_points_in_order_and_has_a_few_signs(marks, corners, ruler) -> None:
    rows = [Point(x / 100, (x / 100) ** power, f"x^{power}") for power in (1, 2) for x in range(101)]
    svg = charts.lines(rows, title="t", x="threshold", y="share")
    assert "2 lines through 202 points" in svg
    place = ruler(svg)
    drawn = [corners(each) for each in marks(svg, "path") if each.attrib["d"].count("L") == 100]
    assert [[x for x, _ in line] for line in drawn] == [
        pytest.approx([place(x / 100) for x in range(101)], abs=0.02)
    ] * 2
    # The first group's sign is a circle; one stands in the legend.
    assert len(marks(svg, "circle")) == 1 + 7
    steep = [y for _, y in drawn[1]]
    assert steep == sorted(steep, reverse=True)
