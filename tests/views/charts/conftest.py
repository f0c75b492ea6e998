"""Reading a picture: its marks, where they are, and which words overlap."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from concord.views.charts._look import SMALL, TEXT, TITLE
from concord.views.charts._words import width

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {f"{SVG}{name}" for name in ("rect", "line", "circle", "path", "text")}


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


@pytest.fixture(name="tree", scope="session")
def tree_fixture() -> Callable[..., Any]:
    return tree


@pytest.fixture(name="marks", scope="session")
def marks_fixture() -> Callable[..., Any]:
    return marks


@pytest.fixture(name="at", scope="session")
def at_fixture() -> Callable[..., Any]:
    return at


@pytest.fixture(name="corners", scope="session")
def corners_fixture() -> Callable[..., Any]:
    return corners


@pytest.fixture(name="ruler", scope="session")
def ruler_fixture() -> Callable[..., Any]:
    return ruler


@pytest.fixture(name="overlapping", scope="session")
def overlapping_fixture() -> Callable[..., Any]:
    return overlapping
