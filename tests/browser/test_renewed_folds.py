"""Pages that renew themselves leave open what a reader has unfolded, and the keyboard where it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace

SENTENCE = "The old bridge is closed today. " * 40
RENEW = """async (turned) => {
    const made = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    if (turned) for (const each of [...made.querySelectorAll("#live article")]) each.parentElement.prepend(each);
    put(document.getElementById("live"), made.getElementById("live"));
}"""
"""What a page does when it is told of a change, here perhaps with its cases in another order."""


@pytest.fixture
def path(tmp_path):
    """Two sentences whose long outputs are worse in the second of two runs."""
    path = tmp_path / "long.sqlite"
    facts = {"signature": "rti", "relation": "rti", "settings": {}, "system": "mt", "source": "en", "target": "es"}
    with Workspace(path) as store:
        for suspicion in (0.1, 0.9):
            record = store.begin(facts | {"corpus": "c#1", "seed": 1})
            for number, name in enumerate(("first", "second")):
                source, output = Text(f"{name} {SENTENCE}", "en"), Text(f"{name} {suspicion} {SENTENCE}", "es")
                follow_up, other = Text("short", "en"), Text(f"{name} {SENTENCE}", "es")
                case = Case(source, follow_up, output, other, (output, other), suspicion, 0.5)
                store.add(record, [Outcome(Segment(name, source, number), number, [case])])
            store.finish(record)
    return path


def renewed(page: Page, *, turned: bool) -> None:
    page.evaluate("() => { document.querySelector('#live article').dataset.old = 'yes'; }")
    page.evaluate(RENEW, turned)
    expect(page.locator("[data-old]")).to_have_count(0)


def test_what_is_unfolded_in_a_comparison_stays_so_wherever_its_case_is_now(path, serve, visit):
    page = visit(serve(path))
    page.goto("/compare?before=1&after=2")
    page.add_script_tag(url="/static/live.js")
    case = page.locator("#live article").filter(has=page.get_by_role("link", name="second"))
    case.locator("details.long > summary").nth(1).click()
    assert page.locator("#live article").last.get_by_role("link").inner_text() == "second"
    renewed(page, turned=True)

    assert page.locator("#live article").first.get_by_role("link").inner_text() == "second"
    expect(page.locator("#live details.long[open]")).to_have_count(1)
    expect(case.locator("details.long").nth(1)).to_have_attribute("open", "")
    expect(case.locator("details.long > summary").nth(1)).to_be_focused()


def test_what_is_unfolded_of_a_sentence_that_is_tried_stays_so(serve, visit):
    page = visit(serve(None, "--system", "faulty:fake,rate=1"))
    page.goto("/try")
    page.get_by_label("Sentence").fill(SENTENCE)
    for box in page.locator("input[name=relation]").all():
        box.set_checked(box.get_attribute("value") in ("rtt", "identity"))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_have_text("All checks are done.")
    page.locator("#live details.long > summary").last.click()
    renewed(page, turned=False)

    expect(page.locator("#live details.long[open]")).to_have_count(1)
    expect(page.locator("#live details.long").last).to_have_attribute("open", "")
