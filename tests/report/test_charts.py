from __future__ import annotations

import doctest
import math
import re
import struct
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from statistics import NormalDist
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import Missing
from concord.report import charts
from concord.report.charts import Cell, Interval, Point, Stack
from concord.report.charts._look import SMALL, TEXT, TITLE
from concord.report.charts._words import width

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {f"{SVG}{name}" for name in ("rect", "line", "circle", "path", "text")}
HOSTILE = [
    "</svg><script>alert(1)</script>",
    "</text></title></style><img src=x onerror=alert(1)>",
    '" onload="alert(1)',
    "a\x00b\x1b[31m\x07\x0b",
    "abc\u202egnp.exe",
    "\ud800\ufffe\uffff",
    "]]><![CDATA[&lt;&#0;&nbsp;",
    "x" * 10_000,
    "\u0301" * 10_000,
    "\n\n\n",
    "中文" * 200,
]

NUMBERS = st.one_of(st.floats(), st.floats(0, 1), st.integers(-3, 3).map(float), st.just(0.5))
NAMES = st.one_of(
    st.sampled_from(["es", "zh-CHS", "Portuguese", "a b"]), st.text(max_size=60), st.sampled_from(HOSTILE)
)

INTERVALS = st.builds(Interval, NAMES, NAMES, NUMBERS | st.none(), NUMBERS | st.none(), NUMBERS | st.none(), NAMES)
CELLS = st.builds(Cell, NAMES, NAMES, NUMBERS | st.none(), st.integers(0, 10**9))
STACKS = st.builds(Stack, NAMES, st.dictionaries(NAMES | st.integers(0, 9).map(str), st.integers(0, 10**9), max_size=9))
POINTS = st.builds(Point, NUMBERS, NUMBERS, NAMES, NAMES)

PICTURES = st.one_of(
    st.builds(lambda rows, title: charts.intervals(rows, title=title, score=title), st.lists(INTERVALS), NAMES),
    st.builds(lambda rows, title: charts.heat(rows, title=title), st.lists(CELLS), NAMES),
    st.builds(lambda rows, title: charts.stacked(rows, title=title), st.lists(STACKS), NAMES),
    st.builds(lambda rows, title: charts.scatter(rows, title=title, x=title, y=title), st.lists(POINTS), NAMES),
    st.builds(lambda rows, title: charts.lines(rows, title=title, x=title, y=title), st.lists(POINTS), NAMES),
    st.builds(lambda rows, title: charts.qq(rows, title=title), st.lists(NUMBERS), NAMES),
    st.builds(
        lambda rows, title: charts.residuals([a for a, _ in rows], [b for _, b in rows], title=title),
        st.lists(st.tuples(NUMBERS, NUMBERS)),
        NAMES,
    ),
)

# -- reading a picture -----------------------------------------------------------------------------


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def marks(svg: str, name: str = "") -> list[ElementTree.Element]:
    return [each for each in tree(svg).iter() if each.tag in DRAWN and each.tag.endswith(name)]


def at(mark: ElementTree.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(mark.attrib[name]) for name in names)


def corners(mark: ElementTree.Element) -> list[tuple[float, float]]:
    """The points that bound a mark."""
    if mark.tag == f"{SVG}rect":
        x, y, wide, high = at(mark, "x", "y", "width", "height")
        assert wide > 0
        assert high > 0
        return [(x, y), (x + wide, y + high)]
    if mark.tag == f"{SVG}line":
        return [at(mark, "x1", "y1"), at(mark, "x2", "y2")]  # type: ignore[list-item]
    if mark.tag == f"{SVG}circle":
        x, y, r = at(mark, "cx", "cy", "r")
        return [(x - r, y - r), (x + r, y + r)]
    if mark.tag == f"{SVG}path":
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", mark.attrib["d"])]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    return box_of_text(mark)


def box_of_text(mark: ElementTree.Element) -> list[tuple[float, float]]:
    x, y = at(mark, "x", "y")
    kinds = mark.get("class", "").split()
    size = TITLE if "title" in kinds else SMALL if "small" in kinds else TEXT
    long = width(mark.text or "", size)
    start = {"start": 0.0, "middle": -long / 2, "end": -long}[mark.attrib["text-anchor"]]
    turn = re.match(r"rotate\((-?\d+) ", mark.get("transform", ""))
    angle = math.radians(int(turn[1])) if turn else 0.0
    ends = [(start + part * long, -rise * size) for part in (0, 1) for rise in (-0.1, 0.7)]
    return [
        (x + dx * math.cos(angle) - dy * math.sin(angle), y + dx * math.sin(angle) + dy * math.cos(angle))
        for dx, dy in ends
    ]


def ruler(svg: str) -> Callable[[float], float]:
    """The scale of x, read off the ticks of the first panel as a person would."""
    found: dict[float, float] = {}
    for text in marks(svg, "text"):
        words = (text.text or "").replace("−", "-")
        if text.attrib["text-anchor"] == "middle" and re.fullmatch(r"-?[\d.]+", words):
            found.setdefault(float(words), at(text, "x")[0])
    (a, x), (b, end) = min(found.items()), max(found.items())
    return lambda value: x + (end - x) * (value - a) / (b - a)


def boxes(svg: str) -> Iterator[tuple[str, float, float, float, float]]:
    for text in marks(svg, "text"):
        if "transform" not in text.attrib and text.text:
            (left, bottom), _, _, (right, top) = box_of_text(text)
            yield text.text, left, right, top, bottom


def overlapping(svg: str) -> list[tuple[str, str]]:
    pairs = combinations(boxes(svg), 2)
    return [(a[0], b[0]) for a, b in pairs if a[1] < b[2] and b[1] < a[2] and a[3] < b[4] and b[3] < a[4]]


# -- every picture ---------------------------------------------------------------------------------


@given(PICTURES)
def test_every_mark_of_every_picture_lies_inside_it(svg: str) -> None:
    _, _, wide, high = map(float, tree(svg).attrib["viewBox"].split())
    for mark in marks(svg):
        for x, y in corners(mark):
            assert -0.5 <= x <= wide + 0.5, ElementTree.tostring(mark)
            assert -0.5 <= y <= high + 0.5, ElementTree.tostring(mark)


@given(PICTURES)
def test_no_words_of_any_picture_overlap(svg: str) -> None:
    assert overlapping(svg) == []


@given(PICTURES)
def test_a_picture_holds_only_marks_without_links_or_ids(svg: str) -> None:
    allowed = DRAWN | {f"{SVG}{name}" for name in ("svg", "title", "desc", "style")}
    for each in tree(svg).iter():
        assert each.tag in allowed
        assert not {"id", "href", "onload", "style"} & set(each.attrib)
    assert "url(" not in svg
    assert "@import" not in svg


@given(PICTURES)
def test_a_picture_says_what_it_is(svg: str) -> None:
    root = tree(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_a_short_and_visible_text(name: str) -> None:
    pictures = [
        charts.intervals([Interval(name, name, 0.5, 0.4, 0.6, name)], title=name, score=name),
        charts.heat([Cell(name, name, 0.5, 3), Cell("b", name, 0.5, 3)], title=name),
        charts.stacked([Stack(name, {name: 3, "b": 2})], title=name),
        charts.scatter([Point(1, 2, name, name), Point(1, 2, "b", "b")], title=name, x=name, y=name),
        charts.lines([Point(1, 2, name, name), Point(2, 2, name), Point(1, 2, "b", "b")], title=name, x=name, y=name),
        charts.residuals([1, 2], [3, 4], title=name),
        charts.qq([1, 2], title=name),
    ]
    for svg in pictures:
        assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\ud800-\udfff]", svg)
        assert "<script" not in svg
        assert "<img" not in svg
        assert len(svg) < 16_000
        longest = {f"{SVG}style": 10_000, f"{SVG}desc": 2000}
        assert all(len(each.text or "") <= longest.get(each.tag, 400) for each in tree(svg).iter())


def test_no_data_is_a_picture_that_says_so() -> None:
    for svg in (
        charts.intervals([], title="t"),
        charts.heat([], title="t"),
        charts.stacked([Stack("a", {"0": 0})], title="t"),
        charts.scatter([Point(math.nan, 1)], title="t", x="x", y="y"),
        charts.lines([Point(1, math.inf)], title="t", x="x", y="y"),
        charts.residuals([], [], title="t"),
        charts.qq([math.inf], title="t"),
    ):
        assert "There is nothing to draw." in svg


# -- intervals -------------------------------------------------------------------------------------


def table(groups: int, labels: int) -> list[Interval]:
    rng = np.random.default_rng(groups * 100 + labels)
    means = rng.uniform(0.2, 0.8, (groups, labels)).tolist()
    names = [(g, n) for g in range(groups) for n in range(labels)]
    return [
        Interval(f"system {g}", f"label {n}", means[g][n], means[g][n] - 0.05, means[g][n] + 0.04, "abc"[: n % 4])
        for g, n in names
    ]


def test_an_interval_is_where_the_scale_says() -> None:
    svg = charts.intervals([Interval("A", "es", 0.5, 0.41, 0.62), Interval("A", "zh", 0.2, 0.1, 0.3)], title="t")
    place = ruler(svg)
    bars = [at(line, "x1", "x2", "y1") for line in marks(svg, "line") if line.get("stroke-width") == "2"]
    points = [at(circle, "cx", "cy") for circle in marks(svg, "circle") if circle.attrib["r"] == "3.2"]
    for (low, high, y), (x, level), (mean, lower, upper) in zip(
        bars, points, [(0.5, 0.41, 0.62), (0.2, 0.1, 0.3)], strict=True
    ):
        assert (low, high, x) == pytest.approx((place(lower), place(upper), place(mean)), abs=0.02)
        assert y == level


def test_labels_and_groups_are_sorted_by_their_means() -> None:
    rows = [Interval(g, n, m, m, m) for g, n, m in [("low", "x", 0.1), ("low", "y", 0.3), ("top", "x", 0.4)]]
    rows += [Interval("top", "y", 0.9, 0.8, 1.0), Interval("top", "gone", None, None, None)]
    texts = [text.text for text in marks(charts.intervals(rows, title="t"), "text")]
    assert [text for text in texts if text in {"x", "y", "gone"}] == ["y", "x", "gone"]
    assert [text for text in texts if text in {"low", "top"}] == ["top", "low"]


@pytest.mark.parametrize("bounds", [(None, None), (math.nan, 0.6), (0.4, math.inf)])
def test_an_interval_without_bounds_is_a_hollow_point_that_says_so(bounds: tuple[float | None, float | None]) -> None:
    svg = charts.intervals([Interval("A", "es", 0.5, *bounds), Interval("A", "fr", 0.4, 0.3, 0.5)], title="t")
    assert [text.text for text in marks(svg, "text")].count("not estimable") == 1
    hollow, full = [each for each in marks(svg, "circle") if each.attrib["r"] == "3.2"]
    assert "bare" in hollow.attrib["class"]
    assert "bare" not in full.attrib["class"]


def test_letters_stand_in_the_row_of_their_interval() -> None:
    svg = charts.intervals([Interval("A", "es", 0.5, 0.4, 0.6, "ab"), Interval("A", "fr", 0.4, 0.3, 0.5)], title="t")
    texts = {text.text: at(text, "y") for text in marks(svg, "text")}
    assert texts["ab"] == texts["es"]


@pytest.mark.parametrize("labels", [1, 8, 60])
@pytest.mark.parametrize("groups", [1, 2, 3, 5, 8])
def test_no_words_overlap_however_many_groups_and_labels_there_are(groups: int, labels: int) -> None:
    assert overlapping(charts.intervals(table(groups, labels), title="Mean scores")) == []


def test_what_is_too_much_is_left_out_and_counted() -> None:
    assert "Not drawn: 50 further labels, 8 further groups." in charts.intervals(table(20, 150), title="t")


# -- heat ------------------------------------------------------------------------------------------


def test_a_cell_shows_its_number_and_what_it_is_the_mean_of() -> None:
    svg = charts.heat([Cell("ja", "es", 0.431, 200), Cell("ja", "pt", 0.9, 100)], title="t")
    tips = [each.findtext(f"{SVG}title") for each in marks(svg, "rect")]
    assert "ja, es: 0.431, 200 observations" in tips
    assert {"0.43", "0.90"} <= {text.text for text in marks(svg, "text")}


def test_cells_without_a_mean_are_hatched() -> None:
    rows = [Cell("a", "b", 0.5, 9), Cell("b", "a", 0.6, 9), Cell("a", "a", math.nan, 9)]
    svg = charts.heat(rows, title="t")
    assert len(marks(svg, "path")) == 2
    assert "Hatched: no mean." in svg
    assert "Hatched" not in charts.heat(rows[:1], title="t")


def test_rows_and_columns_of_the_same_names_stand_in_the_same_order() -> None:
    values = {("a", "b"): 0.1, ("b", "c"): 0.9, ("c", "a"): 0.5}
    svg = charts.heat([Cell(*place, value, 1) for place, value in values.items()], title="t")
    texts = [text for text in marks(svg, "text") if text.text in {"a", "b", "c"}]
    columns = [text.text for text in texts if text.attrib["text-anchor"] == "middle"]
    rows = [text.text for text in texts if text.attrib["text-anchor"] == "end"]
    assert columns == rows == ["c", "a", "b"]


@pytest.mark.parametrize("name", ["es", "Portuguese", "a very long name of a language, and then some"])
def test_names_of_columns_do_not_overlap_numbers_or_each_other(name: str) -> None:
    rows = [Cell(f"{name} {i}", f"{name} {j}", i * j / 100, 5) for i in range(9) for j in range(9) if i != j]
    assert overlapping(charts.heat(rows, title="t")) == []


# -- residuals and quantiles -----------------------------------------------------------------------


def test_few_residuals_are_points_where_the_scale_says() -> None:
    svg = charts.residuals([0.25, 0.5, 0.75], [0.1, -0.2, 0.1], title="t")
    place = ruler(svg)
    found = [at(each, "cx")[0] for each in marks(svg, "circle")]
    assert found == pytest.approx([place(0.25), place(0.5), place(0.75)], abs=0.02)


def test_many_residuals_become_a_honeycomb_of_bounded_size() -> None:
    rng = np.random.default_rng(7)
    fitted = np.repeat(rng.uniform(0.2, 0.8, 168), 200)
    svg = charts.residuals(fitted, rng.normal(0, 0.2, 33_600), title="t")
    assert marks(svg, "circle") == []
    assert "33,600 observations; the fullest cell holds" in svg
    assert len(svg) < 300_000
    assert len(charts.qq(rng.standard_cauchy(33_600), title="t")) < 100_000


def test_residuals_and_fitted_values_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="2 numbers for one axis and 1 for the other"):
        charts.residuals([1, 2], [1], title="t")


def test_what_has_no_place_is_counted() -> None:
    assert "Not drawn, because without bounds: 2." in charts.residuals([1, 2, 3], [math.nan, math.inf, 1], title="t")
    assert "Not drawn, because without bounds: 1." in charts.qq([1, 2, math.nan], title="t")


def test_quantiles_are_those_of_the_normal_distribution() -> None:
    svg = charts.qq([10, 30, 20], title="t")
    place, normal = ruler(svg), NormalDist()
    found = [at(each, "cx")[0] for each in marks(svg, "circle")]
    assert found == pytest.approx([place(normal.inv_cdf(p)) for p in (1 / 6, 1 / 2, 5 / 6)], abs=0.02)


def test_normal_residuals_lie_on_the_diagonal() -> None:
    normal = NormalDist(3, 5)
    svg = charts.qq([normal.inv_cdf((i + 0.5) / 2000) for i in range(2000)], title="t")
    (line,) = (each for each in marks(svg, "line") if "stroke-dasharray" in each.attrib)
    x1, y1, x2, y2 = at(line, "x1", "y1", "x2", "y2")
    for x, y in (at(each, "cx", "cy") for each in marks(svg, "circle")):
        assert y == pytest.approx(y1 + (y2 - y1) * (x - x1) / (x2 - x1), abs=1)


# -- bars and points -------------------------------------------------------------------------------


def test_bars_are_as_long_as_their_share_and_say_their_count() -> None:
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


def test_words_on_bars_never_overlap() -> None:
    rows = [Stack(f"system {i}", {str(k): (i * k) % 7 for k in range(40)}) for i in range(1, 9)]
    assert overlapping(charts.stacked(rows, title="t")) == []


def test_groups_of_points_are_set_apart_where_x_has_grades() -> None:
    rows = [Point(x, 0.5, group) for x in (0, 1, 2) for group in ("a", "b")]
    svg = charts.scatter(rows, title="t", x="human", y="score", grades=True)
    assert "groups are set side by side" in svg
    place = ruler(svg)
    rings = [at(each, "cx")[0] for each in marks(svg, "circle")][1:]
    assert rings == pytest.approx([place(x) - 4.5 for x in (0, 1, 2)], abs=0.02)


def test_numbers_stand_where_they_are_however_few_they_are() -> None:
    svg = charts.scatter([Point(x, 0.5, f"system {x}") for x in (0, 1, 2)], title="t", x="mean", y="score")
    assert "side by side" not in svg
    rings = [at(each, "cx")[0] for each in marks(svg, "circle")][1:]
    assert rings == pytest.approx([ruler(svg)(0)], abs=0.02)


def test_many_points_become_a_honeycomb() -> None:
    rng = np.random.default_rng(3)
    svg = charts.scatter([Point(x, y) for x, y in rng.normal(size=(5000, 2)).tolist()], title="t", x="x", y="y")
    assert "5,000 points; the fullest cell holds" in svg
    assert len(svg) < 300_000


def test_a_line_goes_through_its_points_in_order_and_has_a_few_signs() -> None:
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


# -- pixels ----------------------------------------------------------------------------------------


def test_a_picture_becomes_pixels() -> None:
    svg = charts.stacked([Stack("A", {"0": 1})], title="t")
    image = charts.png(svg, scale=2)
    assert image.startswith(b"\x89PNG")
    assert struct.unpack(">I", image[16:20])[0] == 2 * float(tree(svg).attrib["width"])


def test_without_the_package_it_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(Missing, match="pip install 'concord-mt\\[png\\]'"):
        charts.png("<svg/>")


def test_the_examples_are_right() -> None:
    assert doctest.testmod(charts).failed == 0
