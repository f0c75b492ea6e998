"""Very long sentences: short in a list, whole when they are unfolded, by a click without script or by a key."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from concord import api
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace

BEFORE, WORD, AFTER = "word " * 1_600, "WRONG", " word" * 400


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "long.sqlite"
    facts = {"signature": "rti", "relation": "rti", "settings": {}, "system": "mt", "source": "en", "target": "es"}
    source, follow_up, other = Text("source " * 1_430, "en"), Text("short", "en"), Text("corto", "es")
    output = Text(BEFORE + WORD + AFTER, "es")
    place = {"role": "source_output", "start": len(BEFORE), "end": len(BEFORE) + len(WORD), "kind": "changed"}
    case = Case(source, follow_up, output, other, (output, other), 0.9, 0.5, evidence={"places": [place]})
    with Workspace(path) as store:
        record = store.begin(facts | {"corpus": "c#1", "seed": 1})
        store.add(record, [Outcome(Segment("s", source, 0), 0, [case])])
        store.finish(record)
    api.draw_queue(path, name="q", size=5)
    return path


@pytest.mark.parametrize("script", [True, False])
def test_a_long_sentence_is_unfolded_by_a_click(path, serve, visit, script):
    page = visit(serve(path), java_script_enabled=script)
    page.goto("/findings")
    box = page.locator(".box.source_output")
    short, whole = box.locator(".short .words"), box.locator(".long .words")

    expect(short.locator("mark")).to_have_text(WORD)
    expect(short.locator("mark")).to_be_visible()
    expect(whole).to_be_hidden()
    assert box.bounding_box()["height"] < 1_000
    box.locator("summary").click()
    expect(whole).to_be_visible()
    expect(short).to_be_hidden()
    expect(whole.locator("mark")).to_have_text(WORD)
    assert whole.text_content() == BEFORE + WORD + AFTER
    box.locator("summary").click()
    expect(short).to_be_visible()


def test_all_texts_of_a_case_are_unfolded_by_a_key(path, serve, visit):
    page = visit(serve(path), who="Ada")
    page.goto("/label/queue/q")
    folded = page.locator("details.long")
    expect(folded).to_have_count(2)
    folded.first.locator("summary").click()
    page.keyboard.press("a")
    for each in folded.all():
        expect(each.locator(".words")).to_be_visible()
    page.keyboard.press("a")
    for each in folded.all():
        expect(each.locator(".words")).to_be_hidden()
    expect(page.locator("mark")).to_have_count(0)
