"""Keys that come faster than cases: each belongs to the case on the screen, none is lost, none judges blindly."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from concord import api

WHO = "Mary"
QUEUE = "first"
CALM = "(element, milliseconds) => { element.dataset.calm = milliseconds; }"


@pytest.fixture
def labelling(serve, visit, template):
    """The first case of a queue, before somebody who has not labelled anything, and who goes on typing."""
    served = serve(template)
    page = visit(served, who=WHO)
    page.goto("/label/queue/first")
    expect(page.get_by_text("0 of 40 labelled")).to_be_visible()
    page.get_by_role("main").evaluate(CALM, 1e9)
    return served.workspace, page


def verdicts(workspace) -> list[str]:
    """What was said, by place in the queue; a blank where nothing was."""
    found = [api.turn(workspace, QUEUE, WHO, place=place).label for place in range(1, 41)]
    return ["" if label is None else label.verdict for label in found]


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def shown(page: Page, place: int) -> None:
    expect(page.get_by_text(f"case {place}", exact=False).first).to_be_visible()
    listening(page)


def listening(page: Page) -> None:
    """Wait until keys mean the case on the screen: until then they are held."""
    expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")


def held(page: Page) -> list[str]:
    """The keys that the page says were pressed too early."""
    return page.locator("#held span kbd").all_inner_texts()


def kept_waiting(page: Page, address: str) -> list[Route]:
    """Requests to an address that nobody answers until the test does."""
    waiting: list[Route] = []
    page.route(address, lambda route: waiting.append(route))
    return waiting


def save_slowly(page: Page, then: str) -> None:
    """Say `c` of the case, and press other keys while the server takes its time."""
    waiting = kept_waiting(page, "**/label/save")
    press(page, "c")
    with page.expect_request("**/label/save"):
        press(page, "Enter")
    press(page, then)
    (save,) = waiting
    save.continue_()
    page.unroute("**/label/save")


def test_keys_that_come_before_the_next_case_do_not_judge_it(labelling):
    workspace, page = labelling
    save_slowly(page, "e 3 Enter b")
    shown(page, 2)

    assert held(page) == ["e", "3", "Enter", "b"]
    expect(page.locator("input[name=verdict]:checked")).to_have_count(0)
    assert verdicts(workspace)[:3] == ["correct", "", ""]


def test_keys_that_were_held_are_used_when_they_are_asked_for(labelling):
    workspace, page = labelling
    save_slowly(page, "e 3 Enter b Enter c")
    shown(page, 2)
    press(page, ".")
    shown(page, 3)
    assert held(page) == ["b", "Enter", "c"]
    assert verdicts(workspace)[:3] == ["correct", "error", ""]
    assert api.turn(workspace, QUEUE, WHO, place=2).label.categories == ("word/phrase mistranslation",)
    page.get_by_role("button", name="Use them here").click()
    shown(page, 4)
    assert held(page) == ["c"]
    press(page, ".")
    expect(page.get_by_role("radio", name="Correct: both translations are right")).to_be_checked()
    assert held(page) == []
    assert verdicts(workspace)[:4] == ["correct", "error", "bad test", ""]


def test_of_a_burst_of_keys_one_case_is_judged_and_nothing_is_lost(labelling):
    workspace, page = labelling
    save_slowly(page, "c Enter " * 12)
    shown(page, 2)
    assert verdicts(workspace)[:3] == ["correct", "", ""]
    press(page, "b")  # they have not looked up
    expect(page.locator("#held")).to_contain_text("and 5 more")
    for place in range(2, 14):
        press(page, ".")
        shown(page, place + 1)

    assert held(page) == ["b"]
    assert verdicts(workspace)[:14] == ["correct"] * 13 + [""]


def test_whoever_has_looked_up_says_what_they_think(labelling):
    workspace, page = labelling
    page.get_by_role("main").evaluate(CALM, 0)
    save_slowly(page, "c Enter")
    shown(page, 2)
    press(page, "b")
    assert held(page) == []
    press(page, "Enter")
    shown(page, 3)
    assert verdicts(workspace)[:3] == ["correct", "bad test", ""]


def test_held_keys_are_forgotten_when_that_is_wanted(labelling):
    workspace, page = labelling
    save_slowly(page, "c Enter")
    shown(page, 2)
    press(page, "Escape")
    assert held(page) == []
    press(page, "e")
    expect(page.get_by_role("radio", name="Error: a translation is wrong")).to_be_checked()
    assert verdicts(workspace)[:2] == ["correct", ""]


def test_undo_means_the_label_before_it_however_early_it_is_pressed(labelling):
    workspace, page = labelling
    save_slowly(page, "z")
    expect(page.get_by_text("“correct” is undone")).to_be_visible()
    shown(page, 1)
    assert verdicts(workspace)[:2] == ["", ""]


def test_keys_after_a_field_are_written_into_it(labelling):
    _, page = labelling
    save_slowly(page, "e m b a d")
    shown(page, 2)
    press(page, ".")
    expect(page.get_by_label("Comment")).to_have_value("bad")
    expect(page.get_by_role("radio", name="Error: a translation is wrong")).to_be_checked()


def test_keys_that_come_while_a_case_is_skipped_do_not_judge_the_next(labelling):
    workspace, page = labelling
    waiting = kept_waiting(page, "**/label/queue/first?after=1")
    with page.expect_request("**/label/queue/first?after=1"):
        press(page, "n")
    press(page, "c Enter")
    waiting[0].continue_()
    shown(page, 2)
    assert held(page) == ["c", "Enter"]
    assert verdicts(workspace)[:2] == ["", ""]


def test_what_cannot_be_saved_is_told_beside_the_case(labelling, complaints):
    workspace, page = labelling
    page.route("**/label/save", lambda route: route.abort())
    press(page, "e m")
    page.keyboard.type("a long comment")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    listening(page)
    expect(page.get_by_label("Comment")).to_have_value("a long comment")
    page.unroute("**/label/save")
    complaints.clear()
    press(page, "Control+Enter")
    shown(page, 2)
    assert verdicts(workspace)[:2] == ["error", ""]


def test_the_way_back_of_the_browser_leads_to_the_case_before(labelling):
    _, page = labelling
    press(page, "n")
    shown(page, 2)
    press(page, "n")
    shown(page, 3)
    page.go_back()
    shown(page, 2)


def test_the_way_back_leads_to_the_case_before_also_when_it_has_a_label(labelling):
    _, page = labelling
    press(page, "c Enter")
    shown(page, 2)
    press(page, "e Enter")
    shown(page, 3)
    page.go_back()
    shown(page, 2)
    expect(page.get_by_role("radio", name="Error: a translation is wrong")).to_be_checked()
    page.go_back()
    shown(page, 1)
    expect(page.get_by_role("radio", name="Correct: both translations are right")).to_be_checked()
    page.go_forward()
    shown(page, 2)


def test_a_way_within_the_page_leaves_what_was_typed(labelling):
    _, page = labelling
    page.evaluate("() => { window.same = true; }")
    page.get_by_label("Comment").fill("a long comment")
    for way in (page.get_by_role("link", name="Skip to the content").press, lambda _: page.go_back()):
        # The one that listens last is told last: a page that loads again has begun to when it is.
        page.evaluate(
            "() => { window.told = new Promise((done) => addEventListener('popstate', () => setTimeout(done))); }"
        )
        way("Enter")
        page.evaluate("() => window.told")
    page.wait_for_load_state()

    assert page.evaluate("() => window.same")
    expect(page.get_by_label("Comment")).to_have_value("a long comment")


def test_a_key_that_saves_from_a_field_saves_however_early_it_is_pressed(labelling):
    workspace, page = labelling
    save_slowly(page, "e m b a d Control+Enter c")
    shown(page, 2)
    assert held(page) == ["e", "m", "b", "a", "d", "Ctrl+Enter", "c"]
    press(page, ".")
    shown(page, 3)
    assert held(page) == ["c"]
    label = api.turn(workspace, QUEUE, WHO, place=2).label
    assert (label.verdict, label.comment) == ("error", "bad")
