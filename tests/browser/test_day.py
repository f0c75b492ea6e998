"""A user's day on the real page, with a real Apertium: run, find, label, evaluate, compare, export."""

from __future__ import annotations

import csv
import json
import re

import pytest
from playwright.sync_api import Page, expect

from concord import api

BROKEN = "faulty:apertium,kind=drop_word,rate=0.4"
SENTENCES = 40
LABELS = 20


@pytest.fixture
def workbench(serve, visit):
    """A new workspace, and the page before it."""
    served = serve(None, "--system", BROKEN)
    return served.workspace, visit(served)


def test_the_day_of_a_user(workbench):
    workspace, page = workbench
    run(page, "apertium")
    run(page, BROKEN)
    assert {each.system for each in api.runs(workspace) if each.finished} == {
        "apertium",
        api.runs(workspace)[-1].system,
    }
    find(page)
    look(page)
    label(page)
    assert len(labels(workspace)) == LABELS
    take_back(page)
    assert len(labels(workspace)) == LABELS
    evaluate(page)
    compare(page)
    export(page)


def run(page: Page, system: str) -> None:
    """Forty sentences through a system: the cost first, then the run, watched until it is finished."""
    page.goto("/run")
    page.get_by_label("Maximum number of sentences").fill(str(SENTENCES))
    for name, wanted in (("system", (system,)), ("relation", ("rtt", "rti"))):
        for box in page.locator(f"input[name={name}]").all():
            box.set_checked(box.get_attribute("value") in wanted)
    page.get_by_role("button", name="Estimate the cost").click()
    expect(page.get_by_role("heading", name="Estimated cost")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Estimated. Nothing was sent.")
    expect(page.get_by_text(f"{SENTENCES} sentences.")).to_be_visible()
    costs = page.get_by_role("table")
    expect(costs.get_by_role("row").filter(has=page.get_by_role("cell", name="rti", exact=True))).to_have_count(1)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status")).to_have_text("Finished.")
    expect(page.get_by_role("progressbar")).to_have_count(3)
    for bar in page.get_by_role("progressbar").all():
        expect(bar).to_have_attribute("value", bar.get_attribute("max") or "")
    expect(page.get_by_role("columnheader", name="Flagged")).to_be_visible()


def find(page: Page) -> None:
    """Filters narrow the list at once, and the page is never loaded anew."""
    page.goto("/")
    page.get_by_role("link", name="Findings", exact=True).click()
    page.evaluate("() => { window.same = true; }")
    results = page.get_by_role("region", name="Results")
    expect(results.get_by_role("article").first).to_be_visible()

    page.get_by_label("Cases").select_option("all")
    page.get_by_role("checkbox", name=re.compile("^rti")).check()
    expect(page).to_have_url(re.compile("relation=rti"))
    expect(results).not_to_contain_text(re.compile(r"#\d+ rtt"))
    expect(results).to_contain_text(re.compile(r"#\d+ rti"))

    page.get_by_label("Search").press_sequentially("government")
    expect(page).to_have_url(re.compile("text=government"))
    for finding in results.get_by_role("article").all():
        expect(finding).to_contain_text(re.compile("government", re.IGNORECASE))
    page.get_by_label("Search").fill("zeppelin")
    expect(results).to_contain_text("No case matches these filters.")
    page.get_by_label("Search").fill("")
    page.get_by_label("Cases").select_option("yes")
    page.get_by_label("List", exact=True).select_option("problem")
    expect(results).to_contain_text(re.compile(r"1 to \d+ of [\d,]+ problem"))
    assert page.evaluate("() => window.same")


def look(page: Page) -> None:
    """One finding, its trees and its alignment, and an address that leads to it again."""
    page.goto("/findings?relation=rti&flagged=all")
    first = page.get_by_role("article").first
    heading = first.get_by_role("heading").inner_text()
    words = first.locator(".words").all_inner_texts()
    first.get_by_role("link", name="#").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(heading.partition(" ")[2])
    assert page.locator(".words").all_inner_texts() == words

    lasting = page.get_by_role("link", name="permanent link").get_attribute("href") or ""
    page.get_by_role("link", name="Trees and word alignment").click()
    expect(page.get_by_role("img").first).to_be_visible()
    expect(page.get_by_text("Parsed by").first).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading.partition(" ")[2])
    page.goto(lasting)
    assert page.locator(".words").all_inner_texts() == words
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile(re.escape(lasting)))


def label(page: Page) -> None:
    """Twenty cases, from drawing them on, by the keyboard alone: the keys are those that the page shows."""
    page.goto("/label")
    page.get_by_label("Your name").focus()
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Labels are stored under the name Ada.")).to_be_visible()
    page.get_by_label("Cases").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("40")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    for number in range(LABELS):
        expect(page.get_by_role("status")).to_contain_text(f"{number} of 40 labelled")
        one_label(page, "ecb"[number % 3])
    expect(page.get_by_role("status")).to_contain_text(f"{LABELS} of 40 labelled")


def one_label(page: Page, verdict: str) -> None:
    page.keyboard.press(verdict)
    expect(page.locator(f"input[name=verdict][data-key={verdict}]")).to_be_checked()
    if verdict == "e":
        page.keyboard.press("3")
        page.keyboard.press("s")
        page.keyboard.press("v")
        expect(page.get_by_role("checkbox", name="word/phrase mistranslation")).to_be_checked()
        page.keyboard.press("t")
        page.keyboard.type("El puente, bien (e).")  # letters that are keys elsewhere
        page.keyboard.press("Escape")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    shown(page)


def shown(page: Page) -> None:
    """Wait until the next case is on the screen, from when on keys are meant for it."""
    expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")


def take_back(page: Page) -> None:
    """The last label is taken back by a key, its case comes again, and is labelled anew."""
    with page.expect_navigation():
        page.keyboard.press("z")
    shown(page)
    expect(page.get_by_role("main")).to_contain_text("is undone")
    expect(page.get_by_role("main")).to_contain_text(f"{LABELS - 1} of 40 labelled")
    one_label(page, "c")
    expect(page.get_by_role("status")).to_contain_text(f"{LABELS} of 40 labelled")


def evaluate(page: Page) -> None:
    """The slider, moved by keys, changes the numbers at once, and leads to the findings that they count."""
    page.goto("/evaluate")
    expect(page.get_by_role("heading", name="Threshold", exact=True)).to_be_visible()
    page.evaluate("() => { window.same = true; }")
    slider = page.get_by_role("slider", name="Threshold")
    numbers = page.locator("#numbers")
    slider.press("Home")
    lowest = numbers.inner_text()
    slider.press("End")
    expect(numbers).not_to_have_text(lowest, use_inner_text=True)
    expect(page.get_by_role("link", name="Show these cases")).to_be_hidden()
    slider.press("Home")
    slider.press("ArrowRight")
    count = int(page.locator("[data-show=flagged]").inner_text().partition(" ")[0].replace(",", ""))
    assert page.evaluate("() => window.same")
    page.get_by_role("link", name="Show these cases").click()
    expect(page.get_by_role("region", name="Results")).to_contain_text(f"of {count} cases")


def compare(page: Page) -> None:
    """The system that drops words against the one that does not."""
    page.goto("/compare")
    page.get_by_label("Before").select_option("2")
    page.get_by_label("After").select_option("5")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Changed cases")).to_be_visible()
    expect(page.get_by_role("article").first).to_be_visible()
    page.get_by_role("link", name="newly fixed").click()
    expect(page.get_by_text(re.compile("^Newly fixed:"))).to_be_visible()


def export(page: Page) -> None:
    """What was found and said, as files that other programs can read."""
    page.goto("/label")
    page.get_by_role("link", name="Export", exact=True).click()
    kept = [json.loads(line) for line in downloaded(page, "labels", "jsonl").splitlines()]
    assert len(kept) == LABELS
    assert {each["verdict"] for each in kept} == {"error", "correct", "bad test"}
    rows = list(csv.DictReader(downloaded(page, "cases", "csv").splitlines()))
    assert {row["relation"] for row in rows} == {"rtt", "rti"}
    findings = list(csv.DictReader(downloaded(page, "findings", "csv").splitlines()))
    assert sum(int(finding["cases"]) for finding in findings) == len(rows)
    assert "El puente, bien (e)." in downloaded(page, "corrections", "tmx")


def downloaded(page: Page, what: str, format: str) -> str:
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=what, exact=True))
    with page.expect_download() as told:
        row.get_by_role("link", name=format, exact=True).click()
    assert told.value.suggested_filename == f"concord-{what}.{format}"
    return told.value.path().read_text("utf-8")


def labels(workspace):
    found = api.cases(workspace, api.Filter(flagged=None, label="any"), limit=200)
    return [label for row in found.rows for label in row["labels"]]


def test_a_sentence_is_tried_and_its_checks_are_seen_as_they_happen(workbench):
    workspace, page = workbench
    page.goto("/try")
    page.get_by_label("Sentence").fill("The old stone bridge was closed after heavy rain damaged two of its pillars.")
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status")).to_have_text("All checks are done.")
    for relation in ("sane", "rti", "literals"):
        expect(page.get_by_role("heading", name=re.compile(f"^{relation}:"))).to_be_visible()
    expect(page.get_by_role("article").first).to_contain_text("puente")
    assert api.runs(workspace) == []
