"""Pictures of sets that overlap: the counts are there, names are only text, and no data is no error."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.views import charts
from concord.views.charts import Together

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["</svg><script>alert(1)</script>", '" onload="alert(1)', "abc\u202egnp", "a\x00b\x1b[31m", "x" * 5_000, ""]
REGIONS = [Together((0,), 12, 3), Together((1,), 1234, 0), Together((0, 1), 56, 7)]


def texts(svg):
    return ["".join(each.itertext()) for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_count_is_in_the_picture_and_in_its_description():
    svg = charts.upset(["rtt", "rti"], REGIONS, title="Flagged")
    tree = ElementTree.fromstring(svg)
    said = tree.find(f"{SVG}desc").text
    assert tree.find(f"{SVG}title").text == "Flagged"
    assert "rtt and rti alone: 56, of which confirmed 7." in said
    assert "rti alone: 1,234" in said
    shown = [each.replace(",", "") for each in texts(svg)]
    assert {"12", "1234", "56"} <= set(shown)


def test_bars_are_as_high_as_their_counts_and_the_highest_comes_first():
    svg = charts.upset(["a", "b", "c", "d"], [Together((3,), 10), Together((0, 1), 40), Together((2,), 20)], title="x")
    bars = [each for each in ElementTree.fromstring(svg).iter(f"{SVG}rect") if each.get("class") == "g5"]
    heights = [float(each.get("height")) for each in bars]
    assert heights == pytest.approx([heights[0], heights[0] / 2, heights[0] / 4], rel=0.01)


def test_a_bar_for_each_combination_has_a_large_dot_for_each_of_its_sets():
    svg = charts.upset(["a", "b", "c", "d"], [Together((0, 2, 3), 10), Together((1,), 4)], title="x")
    dots = [each for each in ElementTree.fromstring(svg).iter(f"{SVG}circle") if each.get("class") == "g0"]
    assert len(dots) == 4


def test_what_is_too_much_to_draw_is_said():
    svg = charts.upset([f"set {at}" for at in range(40)], [Together((0, 1), 5), Together((2, 39), 7)], title="Many")
    assert any("further sets" in each for each in texts(svg))
    few = charts.upset(
        [f"set {at}" for at in range(8)], [Together((a, b), 9) for a in range(8) for b in range(a)], title=""
    )
    assert any("further combinations" in each for each in texts(few))


def test_nothing_to_draw_is_said():
    for names, regions in (([], []), (["a", "b"], []), (["a", "b"], [Together((0,), 0)]), (["a"], [])):
        assert "There is nothing" in " ".join(texts(charts.upset(names, regions, title="None")))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_from_strangers_stay_text(name):
    svg = charts.upset([name, name], REGIONS, title=name)
    tree = ElementTree.fromstring(svg)
    assert not [each for each in tree.iter() if each.tag.endswith("script")]
    assert not [key for each in tree.iter() for key in each.attrib if key.startswith("on") or key == "style"]
    assert not set("\u202e\x00\x1b") & set(svg)
    assert len(svg) < 40_000


MEMBERS = st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True).map(tuple)
COUNTS = st.integers(0, 10**9)


@given(st.lists(st.builds(Together, MEMBERS, COUNTS, st.none() | COUNTS)), st.lists(st.text(), min_size=3, max_size=3))
def test_any_counts_make_a_picture_within_its_bounds(regions, names):
    tree = ElementTree.fromstring(charts.upset(names, regions, title="t"))
    wide, high = float(tree.get("width")), float(tree.get("height"))
    for each in tree.iter(f"{SVG}rect"):
        assert 0 <= float(each.get("x")) <= wide
        assert 0 <= float(each.get("y")) <= high
