"""The main paths by links and forms alone, in a browser that runs no script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from concord import api


@pytest.fixture
def plain(serve, visit, template):
    served = serve(template, "--system", "fake")
    return served.workspace, visit(served, java_script_enabled=False)


def reloaded(page: Page, wanted: Locator) -> Locator:
    """Load a page again, as it says one should, until something is there."""
    while not wanted.count():
        page.wait_for_timeout(200)
        page.reload()
    return wanted


def test_findings_are_filtered_and_opened(plain):
    _, page = plain
    page.goto("/findings")
    page.get_by_role("checkbox", name=re.compile("^rti")).check()
    page.get_by_label("Cases").select_option("all")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("relation=rti"))
    expect(page.get_by_role("region", name="Results")).not_to_contain_text(re.compile(r"#\d+ rtt"))
    page.get_by_role("link", name="Next →").click()
    page.get_by_role("link", name="#").first.click()
    page.get_by_role("link", name="Trees and word alignment").click()

    expect(page.get_by_role("img").first).to_be_visible()


def test_a_run_is_priced_started_and_finished(plain):
    workspace, page = plain
    before = len(api.runs(workspace))
    page.goto("/run")
    page.get_by_label("Maximum number of sentences").fill("3")
    for name, wanted in (("system", "fake"), ("relation", "rtt")):
        for box in page.locator(f"input[name={name}]").all():
            box.set_checked(box.get_attribute("value") == wanted)
    page.get_by_role("button", name="Estimate the cost").click()
    reloaded(page, page.get_by_role("button", name="Start")).click()
    reloaded(page, page.get_by_text("Finished."))

    assert [run.relation for run in api.runs(workspace)[before:]] == ["sane", "rtt"]


def test_a_case_is_labelled_and_the_label_taken_back(plain):
    workspace, page = plain
    page.goto("/label/queue/first")
    page.get_by_label("Your name").fill("Hedy")
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Error: a translation is wrong").check()
    page.get_by_label("under-translation").check()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_text("1 of 40 labelled")).to_be_visible()
    assert api.queues(workspace, annotator="Hedy")[0].labelled == 1
    page.get_by_role("button", name="Undo the last").click()

    expect(page.get_by_text("0 of 40 labelled")).to_be_visible()
    assert api.queues(workspace, annotator="Hedy")[0].labelled == 0


def test_a_threshold_is_looked_at_and_runs_are_compared(plain):
    _, page = plain
    page.goto("/evaluate")
    page.locator("#at").fill("0.9")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("at=0.9"))
    expect(page.get_by_text("Precision", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Compare", exact=True).click()
    page.get_by_label("Before").select_option("1")
    page.get_by_label("After").select_option("3")
    page.get_by_role("button", name="Compare").click()

    expect(page.get_by_role("heading", name="Changed cases")).to_be_visible()


def test_a_sentence_is_tried(plain):
    _, page = plain
    page.goto("/try")
    page.get_by_label("Sentence").fill("The old bridge is closed.")
    page.get_by_label("System").select_option("fake")
    page.get_by_role("button", name="Check").click()

    expect(reloaded(page, page.get_by_text("All checks are done."))).to_be_visible()
