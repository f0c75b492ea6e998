"""What holds for every picture, whatever is in it."""

from __future__ import annotations

import doctest
import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.views import charts
from concord.views.charts import HeatCell, Interval, Point, Stack

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
CELLS = st.builds(HeatCell, NAMES, NAMES, NUMBERS | st.none(), st.integers(0, 10**9))
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


@given(PICTURES)
def test_every_mark_of_every_picture_lies_inside_it(tree, marks, corners, svg: str) -> None:
    _, _, wide, high = map(float, tree(svg).attrib["viewBox"].split())
    for mark in marks(svg):
        for x, y in corners(mark):
            assert -0.5 <= x <= wide + 0.5, ElementTree.tostring(mark)
            assert -0.5 <= y <= high + 0.5, ElementTree.tostring(mark)


@given(PICTURES)
def test_no_words_of_any_picture_overlap(overlapping, svg: str) -> None:
    assert overlapping(svg) == []


@given(PICTURES)
def test_a_picture_holds_only_marks_without_links_or_ids(tree, svg: str) -> None:
    allowed = DRAWN | {f"{SVG}{name}" for name in ("svg", "title", "desc", "style")}
    for each in tree(svg).iter():
        assert each.tag in allowed
        assert not {"id", "href", "onload", "style"} & set(each.attrib)
    assert "url(" not in svg
    assert "@import" not in svg


@given(PICTURES)
def test_a_picture_says_what_it_is(tree, svg: str) -> None:
    root = tree(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_a_short_and_visible_text(tree, name: str) -> None:
    pictures = [
        charts.intervals([Interval(name, name, 0.5, 0.4, 0.6, name)], title=name, score=name),
        charts.heat([HeatCell(name, name, 0.5, 3), HeatCell("b", name, 0.5, 3)], title=name),
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


def test_the_examples_are_right() -> None:
    assert doctest.testmod(charts).failed == 0
