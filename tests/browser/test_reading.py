"""Every page for every reader: by keyboard, by screen reader, light and dark, on a narrow screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from concord import api

CHECK = Path(__file__).with_name("accessibility.js").read_text("utf-8")
PAGES = {
    "overview": "/",
    "findings": "/findings",
    "all cases": "/findings?flagged=all",
    "cases": "/findings?by=case",
    "problems": "/findings?by=problem",
    "no finding": "/findings?text=zeppelin",
    "finding": "/case/{case}?run={run}",
    "structure": "/case/{case}/structure?run={run}",
    "label": "/label",
    "label a case": "/label/queue/first?place=35",
    "label again": "/label/queue/first?place=1&evidence=1",
    "evaluate": "/evaluate",
    "compare": "/compare?before=1&after=3",
    "systems": "/compare/systems",
    "run": "/run",
    "try": "/try",
    "export": "/export",
    "mistake": "/findings?sort=nonsense",
}
OVERFLOW = """() => [...document.querySelectorAll("body *")]
  .filter((each) => each.checkVisibility() && !each.closest(".scroll, .skip"))
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.outerHTML.slice(0, 120)).slice(0, 5)"""
FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== "none";
  return { what: element.outerHTML.slice(0, 120), ring, inside: inside && box.width > 1 && box.height > 1 };
}"""


@pytest.fixture(params=PAGES)
def opened(request, served, visit, complaints):
    """`opened()` is the page, with everything that folds laid open."""
    labelled = api.Filter(relations=("rti",), label="any", flagged=None)
    row = api.cases(served.workspace, labelled).rows[0]

    def at(**how):
        page = visit(served, who="Ada", **how)
        page.goto(PAGES[request.param].format(**row))
        if request.param == "mistake":  # its status is an error, and the browser says so
            complaints.clear()
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        return page

    return at


def test_it_passes_the_accessibility_check_light_and_dark(opened):
    page = opened(color_scheme="light")
    found = page.evaluate(CHECK)
    page.emulate_media(color_scheme="dark")

    assert found + page.evaluate(CHECK) == []


def test_a_narrow_screen_needs_no_scrolling_sideways(opened):
    page = opened(viewport={"width": 360, "height": 740})

    assert page.evaluate(OVERFLOW) == []
    assert page.evaluate("() => document.scrollingElement.scrollWidth") == 360
    assert page.evaluate(CHECK) == []


def test_the_tab_key_reaches_everything_and_shows_where_it_is(opened):
    page = opened()
    stops = []
    page.keyboard.press("Tab")
    while (stop := page.evaluate(FOCUSED)) and len(stops) < 1000:
        stops.append(stop)
        page.keyboard.press("Tab")

    assert "Skip to the content" in stops[0]["what"]
    assert [stop["what"] for stop in stops if not (stop["ring"] and stop["inside"])] == []
    assert len(stops) > 8


def test_what_is_under_way_and_done_is_for_every_reader_too(serve, visit, template):
    page = visit(serve(template, "--system", "fake"))
    page.goto("/run")
    page.get_by_label("Maximum number of sentences").fill("3")
    for box in page.locator("input[name=system]").all():
        box.set_checked(box.get_attribute("value") == "fake")
    page.get_by_role("button", name="Estimate the cost").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    assert wrong(page) == []
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status")).to_have_text("Finished.")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert wrong(page) == []
    page.goto("/try")
    page.get_by_label("Sentence").fill("The old bridge is closed.")
    page.get_by_label("System").select_option("fake")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_have_text("All checks are done.")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert wrong(page) == []


def wrong(page: Page) -> list[str]:
    """What is wrong with a page as it is, light and dark, on a wide screen and on a narrow one."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 740})
            found += page.evaluate(CHECK) + page.evaluate(OVERFLOW)
    return found
