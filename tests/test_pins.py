"""What is installed for the demo and the tests is pinned, within the ranges that the package itself allows."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text())
LINES = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
PINS = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LINES)}


def _requirements():
    told = {"": TOLD["project"]["dependencies"], "build": TOLD["build-system"]["requires"]}
    told |= TOLD["project"]["optional-dependencies"]
    listed = [(extra, Requirement(line)) for extra, lines in told.items() for line in lines]
    return [(extra, each) for extra, each in listed if each.name != TOLD["project"]["name"]]


@pytest.mark.parametrize(("extra", "requirement"), _requirements(), ids=str)
def test_a_requirement_has_a_least_version_and_ends_before_a_major_one(extra, requirement):
    ends = {part.operator: part.version for part in requirement.specifier}
    assert set(ends) == {">=", "<"}
    assert re.fullmatch("[0-9]+", ends["<"])


@pytest.mark.parametrize("requirement", [told for _, told in _requirements()], ids=str)
def test_a_requirement_is_pinned_to_a_version_that_it_allows(requirement):
    assert requirement.specifier.contains(PINS[canonicalize_name(requirement.name)])


def test_a_pin_is_a_name_and_a_version_and_says_nothing_of_where_it_comes_from():
    assert [line for line in LINES if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []


@pytest.mark.skipif(Path(sys.prefix).name == ".venv-newest", reason="newer versions may need what is not pinned yet")
def test_what_requirements_require_is_pinned_too():
    assert _installed("concord-mt", "dev") - {"concord-mt"} <= set(PINS)


def _installed(name, extra=""):
    """The names of all distributions that one needs here."""
    names, waiting = set(), [(name, extra)]
    while waiting:
        name, extra = waiting.pop()
        # Which libraries of a graphics card torch needs depends on its build, and each build pins its own.
        lines = [] if name == "torch" else distribution(name).requires or []
        needed = [told for told in map(Requirement, lines) if not told.marker or told.marker.evaluate({"extra": extra})]
        for told in needed:
            found = [(canonicalize_name(told.name), each) for each in ("", *sorted(told.extras))]
            waiting += [each for each in found if each not in names]
            names.update(found)
    return {each for each, _ in names}
