"""Pictures of tables: intervals by group and label, and heat by row and column."""

from __future__ import annotations

import math

import numpy as np
import pytest

from concord.views import charts
from concord.views.charts import HeatCell, Interval

SVG = "{http://www.w3.org/2000/svg}"


def table(groups: int, labels: int) -> list[Interval]:
    rng = np.random.default_rng(groups * 100 + labels)
    means = rng.uniform(0.2, 0.8, (groups, labels)).tolist()
    names = [(g, n) for g in range(groups) for n in range(labels)]
    return [
        Interval(f"system {g}", f"label {n}", means[g][n], means[g][n] - 0.05, means[g][n] + 0.04, "abc"[: n % 4])
        for g, n in names
    ]


def test_an_interval_is_where_the_scale_says(marks, at, ruler) -> None:
    svg = charts.intervals([Interval("A", "es", 0.5, 0.41, 0.62), Interval("A", "zh", 0.2, 0.1, 0.3)], title="t")
    place = ruler(svg)
    bars = [at(line, "x1", "x2", "y1") for line in marks(svg, "line") if line.get("stroke-width") == "2"]
    points = [at(circle, "cx", "cy") for circle in marks(svg, "circle") if circle.attrib["r"] == "3.2"]
    for (low, high, y), (x, level), (mean, lower, upper) in zip(
        bars, points, [(0.5, 0.41, 0.62), (0.2, 0.1, 0.3)], strict=True
    ):
        assert (low, high, x) == pytest.approx((place(lower), place(upper), place(mean)), abs=0.02)
        assert y == level


def test_labels_and_groups_are_sorted_by_their_means(marks) -> None:
    rows = [Interval(g, n, m, m, m) for g, n, m in [("low", "x", 0.1), ("low", "y", 0.3), ("top", "x", 0.4)]]
    rows += [Interval("top", "y", 0.9, 0.8, 1.0), Interval("top", "gone", None, None, None)]
    texts = [text.text for text in marks(charts.intervals(rows, title="t"), "text")]
    assert [text for text in texts if text in {"x", "y", "gone"}] == ["y", "x", "gone"]
    assert [text for text in texts if text in {"low", "top"}] == ["top", "low"]


@pytest.mark.parametrize("bounds", [(None, None), (math.nan, 0.6), (0.4, math.inf)])
def test_an_interval_without_bounds_is_a_hollow_point_that_says_so(
    marks, bounds: tuple[float | None, float | None]
) -> None:
    svg = charts.intervals([Interval("A", "es", 0.5, *bounds), Interval("A", "fr", 0.4, 0.3, 0.5)], title="t")
    assert [text.text for text in marks(svg, "text")].count("not estimable") == 1
    hollow, full = [each for each in marks(svg, "circle") if each.attrib["r"] == "3.2"]
    assert "bare" in hollow.attrib["class"]
    assert "bare" not in full.attrib["class"]


def test_letters_stand_in_the_row_of_their_interval(marks, at) -> None:
    svg = charts.intervals([Interval("A", "es", 0.5, 0.4, 0.6, "ab"), Interval("A", "fr", 0.4, 0.3, 0.5)], title="t")
    texts = {text.text: at(text, "y") for text in marks(svg, "text")}
    assert texts["ab"] == texts["es"]


@pytest.mark.parametrize("labels", [1, 8, 60])
@pytest.mark.parametrize("groups", [1, 2, 3, 5, 8])
def test_no_words_overlap_however_many_groups_and_labels_there_are(overlapping, groups: int, labels: int) -> None:
    assert overlapping(charts.intervals(table(groups, labels), title="Mean scores")) == []


def test_what_is_too_much_is_left_out_and_counted() -> None:
    assert "Not drawn: 50 further labels, 8 further groups." in charts.intervals(table(20, 150), title="t")


# -- heat ------------------------------------------------------------------------------------------


def test_a_cell_shows_its_number_and_what_it_is_the_mean_of(marks) -> None:
    svg = charts.heat([HeatCell("ja", "es", 0.431, 200), HeatCell("ja", "pt", 0.9, 100)], title="t")
    tips = [each.findtext(f"{SVG}title") for each in marks(svg, "rect")]
    assert "ja, es: 0.431, 200 observations" in tips
    assert {"0.43", "0.90"} <= {text.text for text in marks(svg, "text")}


def test_cells_without_a_mean_are_hatched(marks) -> None:
    rows = [HeatCell("a", "b", 0.5, 9), HeatCell("b", "a", 0.6, 9), HeatCell("a", "a", math.nan, 9)]
    svg = charts.heat(rows, title="t")
    assert len(marks(svg, "path")) == 2
    assert "Hatched: no mean." in svg
    assert "Hatched" not in charts.heat(rows[:1], title="t")


def test_rows_and_columns_of_the_same_names_stand_in_the_same_order(marks) -> None:
    values = {("a", "b"): 0.1, ("b", "c"): 0.9, ("c", "a"): 0.5}
    svg = charts.heat([HeatCell(*place, value, 1) for place, value in values.items()], title="t")
    texts = [text for text in marks(svg, "text") if text.text in {"a", "b", "c"}]
    columns = [text.text for text in texts if text.attrib["text-anchor"] == "middle"]
    rows = [text.text for text in texts if text.attrib["text-anchor"] == "end"]
    assert columns == rows == ["c", "a", "b"]


@pytest.mark.parametrize("name", ["es", "Portuguese", "a very long name of a language, and then some"])
def test_names_of_columns_do_not_overlap_numbers_or_each_other(overlapping, name: str) -> None:
    rows = [HeatCell(f"{name} {i}", f"{name} {j}", i * j / 100, 5) for i in range(9) for j in range(9) if i != j]
    assert overlapping(charts.heat(rows, title="t")) == []
