"""Keys and buttons press what has the focus, once, and a filter that is wrong is told where one is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from concord import api

WHO = "Mary"
PRESSED = """(button) => {
  let sent = 0;
  document.addEventListener("submit", (event) => (sent += !event.defaultPrevented));
  for (let time = 0; time < 3; time++) button.click();
  const before = sent;
  window.dispatchEvent(new Event("pageshow"));
  button.click();
  return [before, sent];
}"""
"""How often a form is sent by three presses, and then by one more after coming back to its page."""
THRICE = "(button) => { for (let time = 0; time < 3; time++) button.click(); }"


@pytest.fixture
def labelling(serve, visit, template) -> tuple[Path, Page]:
    """The first case of a queue, before somebody who has not labelled anything."""
    served = serve(template)
    page = visit(served, who=WHO)
    page.goto("/label/queue/first")
    expect(page.get_by_text("0 of 40 labelled")).to_be_visible()
    return served.workspace, page


def shown(page: Page, words: str) -> None:
    """Wait until a case is on the screen, from when on keys are meant for it."""
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")


def said(workspace) -> int:
    return api.queues(workspace, annotator=WHO)[0].labelled


def test_enter_presses_what_has_the_focus(labelling):
    workspace, page = labelling
    page.keyboard.press("c")
    page.locator("details.help > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("details.help")).to_have_attribute("open", "")
    page.get_by_role("link", name="Skip n").focus()
    page.keyboard.press("Enter")
    shown(page, "case 2")
    assert said(workspace) == 0
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 40 labelled")).to_be_visible()


def test_a_key_that_is_held_down_presses_once(labelling):
    _, page = labelling
    page.keyboard.down("n")
    shown(page, "case 2")
    for _ in range(3):
        page.keyboard.down("n")  # Playwright marks these as repeated
    page.keyboard.up("n")
    page.keyboard.press("c")
    expect(page.get_by_role("radio", name=re.compile("^Correct"))).to_be_checked()
    expect(page.get_by_text("case 2")).to_be_visible()


def test_a_form_is_sent_once_and_again_after_coming_back(labelling):
    workspace, page = labelling
    case = api.cases(workspace).rows[0]
    page.goto(f"/label/case/{case['case']}?run={case['run']}")
    page.keyboard.press("c")
    button = page.get_by_role("button", name="Save")
    assert button.evaluate(PRESSED) == [1, 2]
    expect(page.get_by_role("heading", name="Labels")).to_be_visible()
    found = api.cases(workspace, api.Filter(annotator=WHO, flagged=None)).rows
    assert [each["case"] for each in found] == [case["case"]]


def test_a_case_of_a_queue_is_saved_once(labelling):
    workspace, page = labelling
    saved = []
    page.on("request", lambda request: saved.append(request.url) if request.method == "POST" else None)
    page.keyboard.press("c")
    page.get_by_role("button", name="Save").evaluate(THRICE)
    shown(page, "1 of 40 labelled")
    assert said(workspace) == 1
    assert len(saved) == 1


def test_a_label_is_taken_back_and_said_again_by_keys(labelling):
    workspace, page = labelling
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    shown(page, "1 of 40 labelled")
    page.keyboard.press("z")
    shown(page, "“bad test” is undone")
    assert said(workspace) == 0
    page.keyboard.press("y")
    expect(page.get_by_text("“bad test” is redone")).to_be_visible()
    assert said(workspace) == 1


def test_a_filter_that_is_wrong_is_told_where_the_findings_are(served, visit, complaints):
    page = visit(served)
    page.goto("/findings")
    address = page.url
    page.get_by_label("Suspicion from").fill("x")
    results = page.get_by_role("region", name="Results")
    expect(results.get_by_role("alert")).to_have_text("suspicion from: 'x' is not a number, such as 0.4")
    assert page.url == address
    assert [each for each in complaints if "400" not in each] == []
    complaints.clear()
    page.get_by_label("Suspicion from").fill("0")
    expect(results.get_by_role("alert")).to_have_count(0)
    expect(page).to_have_url(re.compile("least=0"))
