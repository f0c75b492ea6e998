"""Labelling on the page: who, which queue, one case at a time, back and forth, and nothing given away."""

from __future__ import annotations

import html
import re

import pytest

from concord import api
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of

CASE = re.compile(r'name="case" value="([0-9a-f]+)"')


WHERE = "/label/queue/first%20%2F%20queue"


def shown(answer):
    """The fields of the form on a page."""
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', answer.text))
    return {name: html.unescape(value) for name, value in found.items()}


def save(page, answer, verdict="error", **more):
    return page.submit("/label/save", {**shown(answer), "verdict": verdict, **more})


def said(workspace):
    with Workspace(workspace) as store:
        found = Labels(store).of_runs([run.id for run in store.runs()])
        return [each for some in found.values() for each in some]


def test_whoever_labels_says_who_they_are_first(page, queue):
    answer = page.get(WHERE)
    assert "Your name" in answer.text
    assert not CASE.search(answer.text)
    assert page.submit("/label/save", {"verdict": "error"}).status_code == 400
    answer = page.submit("/label/who", {"annotator": "Ána 好", "next": WHERE})
    assert answer.url.path == "/label/queue/first / queue"
    assert CASE.search(answer.text)
    assert "Ána 好" in answer.text


def test_the_name_is_kept_in_a_cookie_that_scripts_cannot_read(page):
    answer = page.submit("/label/who", {"annotator": "ana", "next": "/label"}, follow_redirects=False)
    cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith("concord-annotator"))
    assert {"HttpOnly", "SameSite=strict"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.parametrize("name", ["", "x" * 101, "a\x00b", "a\u202eb"])
def test_what_is_no_name_is_refused(page, name):
    assert page.submit("/label/who", {"annotator": name}).status_code == 400


@pytest.mark.parametrize("name", ["x" * 5000, "%00", "%E2%80%AE", "%ff"])
def test_a_cookie_that_is_no_name_is_nobody(page, name):
    page.cookies.set("concord-annotator", name)
    answer = page.get("/label")
    assert answer.status_code == 200
    assert "your browser remembers it" in answer.text or name == "%ff"


@pytest.mark.parametrize("where", ["https://evil.example/", "//evil.example", "/label\\..", "/run", "javascript:x"])
def test_a_form_leads_nowhere_else(page, where):
    answer = page.submit("/label/who", {"annotator": "ana", "next": where}, follow_redirects=False)
    assert answer.headers["location"] == "/label"


def test_a_queue_is_drawn_on_the_page(named, workspace):
    told = {"name": "mine", "size": "20", "seed": "7", "flagged_share": "30", "run": "1"}
    answer = named.submit("/label/draw", told)
    assert answer.url.path == "/label/queue/mine"
    (found,) = api.queues(workspace)
    assert (found.queue.name, found.queue.size, found.queue.seed, found.queue.runs) == ("mine", 20, 7, [1])
    assert "mine" in named.get("/label").text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": "x"}, "size: &#39;x&#39; is not a whole number from 1 to 20,000"),
        ({"size": ""}, "missing"),
        ({"size": "999999"}, "1 to 20,000"),
        ({"flagged_share": "101"}, "from 0 to 100"),
        ({"run": "77"}, "there is no run 77"),
        ({"name": ""}, "needs a name"),
    ],
)
def test_a_queue_that_cannot_be_drawn_says_why(named, change, message):
    told = {"name": "mine", "size": "20", "seed": "7", "flagged_share": "50", "run": "1"}
    answer = named.submit("/label/draw", told | change)
    assert answer.status_code == 400
    assert message in answer.text


def test_twenty_cases_are_labelled_one_after_the_other(named, workspace, queue):
    answer = named.get(WHERE)
    cases = []
    for number in range(20):
        assert f"{number} of 40 labelled" in answer.text
        cases.append(shown(answer)["case"])
        answer = save(named, answer, "error" if number % 2 else "correct")
        assert answer.status_code == 200
    assert len(set(cases)) == 20
    assert sorted(each.verdict for each in said(workspace)) == ["correct"] * 10 + ["error"] * 10
    assert {each.annotator for each in said(workspace)} == {"Ána 好"}


def test_everything_that_can_be_said_is_kept(named, workspace, queue):
    answer = named.get(WHERE)
    told = {"categories": ["unclear logic", "over-translation"], "kinds": ["incorrect order"]}
    told |= {"wrong": "both", "severity": "major", "correction": " <b>así</b>\r\nsí ", "comment": "=1+1"}
    save(named, answer, **told)
    (label,) = said(workspace)
    assert (label.categories, label.kinds) == (("over-translation", "unclear logic"), ("incorrect order",))
    assert (label.wrong, label.severity, label.comment) == ("both", "major", "=1+1")
    assert label.correction == "<b>así</b>\nsí"
    again = named.get(f"{WHERE}?place=1").text
    assert "&lt;b&gt;así&lt;/b&gt;" in again
    for value in ("error", "unclear logic", "incorrect order", "both", "major"):
        assert re.search(rf'value="{value}"[^>]* checked', again)


def test_flagged_and_unflagged_look_alike_until_one_has_spoken(named, workspace, queue):
    for place in range(1, queue.size + 1):
        text = named.get(f"{WHERE}?place={place}").text
        for word in ("case flagged", "flagged</", "suspicion", "threshold", "<mark", "faulty", "Evidence</h2>"):
            assert word not in text, word
    answer = named.get(WHERE)
    place = shown(answer)["place"]
    save(named, answer)
    assert re.search(r"was (not )?flagged", named.get(f"{WHERE}?place={place}").text)


def test_evidence_is_there_for_whoever_asks(named, queue):
    answer = named.get(f"{WHERE}?place=1&evidence=1")
    assert "Evidence</h2>" in answer.text
    assert "suspicion" in answer.text


def test_what_others_say_is_shown_to_whoever_has_spoken(named, workspace, queue):
    fields = shown(named.get(f"{WHERE}?place=1"))
    api.say(workspace, {**fields, "verdict": "bad test", "comment": "<i>hm</i>"}, annotator="ben")
    assert "ben" not in named.get(f"{WHERE}?place=1").text
    save(named, named.get(f"{WHERE}?place=1"))
    text = named.get(f"{WHERE}?place=1").text
    assert "ben" in text
    assert "&lt;i&gt;hm&lt;/i&gt;" in text
    assert "Disputed cases: 1" in named.get("/label").text


def test_undo_goes_back_to_the_case_and_to_what_was_said_before(named, workspace, queue):
    first = named.get(WHERE)
    save(named, first, "correct")
    save(named, named.get(f"{WHERE}?place=1"), "error")
    answer = named.submit("/label/undo", {"queue": queue.name})
    assert "“error” is undone" in answer.text
    assert shown(answer)["case"] == shown(first)["case"]
    assert [each.verdict for each in said(workspace)] == ["correct"]
    named.submit("/label/undo", {"queue": queue.name})
    assert said(workspace) == []
    assert named.submit("/label/undo", {"queue": queue.name}).status_code == 400


def test_what_was_taken_back_is_said_again_on_the_page(named, workspace, queue):
    first = named.get(WHERE)
    assert "/label/redo" not in save(named, first, "bad test").text
    answer = named.submit("/label/undo", {"queue": queue.name})
    assert 'action="/label/redo"' in answer.text
    assert 'action="/label/redo"' in named.get("/label").text
    answer = named.submit("/label/redo", {"queue": queue.name})
    assert "“bad test” is redone" in answer.text
    assert shown(answer)["case"] == shown(first)["case"]
    assert [each.verdict for each in said(workspace)] == ["bad test"]
    assert named.submit("/label/redo").status_code == 400


def test_a_whole_sheet_is_not_taken_back_by_one_key(named, workspace, tmp_path):
    who = "Ána 好"
    rows = api.worst(workspace, [1], 3)
    with Workspace(workspace) as store:
        Labels(store).save([Label(row["case"], who, "error", outputs_of(row)) for row in rows])
    answer = named.submit("/label/undo")
    assert answer.status_code == 400
    assert "a sheet of 3 labels. `concord label undo` takes it back as a whole" in answer.text
    assert len(said(workspace)) == 3
    api.undo_label(workspace, who)
    assert "/label/redo" not in named.get("/label").text
    assert named.submit("/label/redo").status_code == 400


def test_an_address_cannot_put_words_on_the_page(named, queue):
    for where in ("/label", WHERE):
        assert "call me" not in named.get(f"{where}?said=call+me").text


def test_skipped_cases_come_again_at_the_end(named, queue):
    first = shown(named.get(WHERE))
    answer = named.get(f"{WHERE}?after=1")
    for _ in range(queue.size - 1):
        answer = save(named, answer, "correct")
    assert shown(answer)["case"] == first["case"]
    answer = save(named, answer, "correct")
    assert "Every case is labelled" in answer.text


def test_what_contradicts_itself_is_refused_and_nothing_is_kept(named, workspace, queue):
    answer = save(named, named.get(WHERE), "correct", severity="major")
    assert answer.status_code == 400
    assert "only &#39;error&#39; does" in answer.text
    assert save(named, named.get(WHERE), "").status_code == 400
    assert save(named, named.get(WHERE), "error", comment="x" * 60_000).status_code == 400
    assert said(workspace) == []


def test_a_finding_is_labelled_by_itself(named, workspace):
    row = api.worst(workspace, [], 1)[0]
    answer = named.get(f"/label/case/{row['case']}?run={row['run']}")
    assert shown(answer)["case"] == row["case"]
    answer = save(named, answer)
    assert answer.url.path == f"/case/{row['case']}"
    assert [each.case for each in said(workspace)] == [row["case"]]
    assert named.get("/label/case/00ff").status_code == 404
    assert named.get("/label/case/zz").status_code == 404


def test_queues_are_enlarged_and_removed(named, workspace, queue):
    named.submit("/label/enlarge", {"name": queue.name, "size": "60"})
    assert api.queues(workspace)[0].queue.size == 60
    answer = named.submit("/label/forget", {"name": queue.name})
    assert "is removed" in answer.text
    assert api.queues(workspace) == []
    assert named.get(WHERE).status_code == 400


@pytest.mark.parametrize("query", ["place=0", "place=999", "place=x", "place=-1", "after=x", "place=" + "9" * 50])
def test_places_that_do_not_exist_are_refused(named, queue, query):
    assert named.get(f"{WHERE}?{query}").status_code == 400


@pytest.mark.parametrize("where", ["who", "draw", "enlarge", "forget", "save", "undo", "redo"])
def test_nothing_changes_without_a_form_of_ours(named, queue, where):
    assert named.post(f"/label/{where}", data={"name": queue.name, "size": "60"}).status_code == 403
    assert named.get(f"/label/{where}").status_code == 405


def test_the_desk_shows_stale_labels(named, workspace):
    row = api.worst(workspace, [1], 1)[0]
    with Workspace(workspace) as store:
        api.say(workspace, {"case": row["case"], "verdict": "error"}, annotator="ana")
        store._db.execute("UPDATE labels SET outputs = '{}'")
    assert "Stale labels" in named.get("/label").text


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\"' onclick=x", "{{ 7*7 }}"])
def test_names_of_people_and_queues_are_only_words(page, workspace, name):
    page.submit("/label/who", {"annotator": name, "next": "/label"})
    api.draw_queue(workspace, [1], name=name, size=20, seed=1)
    text = page.get("/label").text
    where = re.search(r'href="(/label/queue/[^"]+)"', text)[1]
    for each in (text, page.get(html.unescape(where)).text):
        assert name not in each or "{{" in name
        assert html.escape(name).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in each


def test_a_correction_is_not_changed_by_being_shown(named, workspace, queue):
    save(named, named.get(WHERE), correction="\u200fso\u202e\tund\nso")
    (before,) = said(workspace)
    text = named.get(f"{WHERE}?place=1").text
    again = html.unescape(re.search(r"<textarea id=.correction.[^>]*>(.*?)</textarea>", text, re.DOTALL)[1])
    assert again == before.correction


@pytest.mark.parametrize(
    "words",
    ["</textarea><script>x</script>", "\"' onfocus=x autofocus", "<svg/onload=x>", "<style>*{}</style>", "\u202ex\x00"],
)
def test_what_strangers_wrote_is_only_text_on_the_labelling_page(tmp_path, browse, elements, words):
    facts = {"signature": words, "relation": "rti", "settings": {}, "system": words, "source": "en", "target": "es"}
    texts = Text(words, "en"), Text(words + "1", "en"), Text(words + "2", "es"), Text(words + "3", "es")
    case = Case(*texts, texts[2:], 1.0, 0.0, evidence={words: words})
    with Workspace(tmp_path / "h.sqlite") as store:
        run = store.begin({**facts, "corpus": words, "seed": 1})
        store.add(run, [Outcome(Segment(words, texts[0], 0, words), cases=[case])])
    (row,) = api.worst(tmp_path / "h.sqlite", [1], 1)
    api.draw_queue(tmp_path / "h.sqlite", name="q", size=5)
    for who in ("ana", "ben"):
        told = {"case": row["case"], "verdict": "error", "correction": words, "comment": words}
        api.say(tmp_path / "h.sqlite", told, annotator=who)
    page = browse(tmp_path / "h.sqlite")
    page.submit("/label/who", {"annotator": "ana", "next": "/label"})
    for where in ("/label", "/label/queue/q?place=1", f"/label/case/{row['case']}?run=1&evidence=1", "/export"):
        answer = page.get(where)
        assert answer.status_code == 200
        for tag, attributes in elements(answer.text):
            assert tag != "style"
            assert tag != "script" or attributes["src"].startswith("/static/")
            assert not {name for name in attributes if name.startswith("on") or name in ("style", "autofocus")}


def test_a_queue_that_is_done_leads_to_what_it_says(named, workspace, queue):
    answer = named.get(WHERE)
    for number in range(queue.size):
        answer = save(named, answer, "correct" if number % 3 else "error")
    link = html.unescape(re.search(r'href="(/evaluate[^"]+)"', answer.text)[1])
    found, _ = api.estimate(workspace, queue.name)
    text = named.get(link).text
    assert "Estimates from the queue <bdi>first / queue</bdi>" in text
    for each in (found.precision, found.recall, found.base_rate, found.f):
        assert f"{each.value:.3f}</td><td>{each.low:.3f} … {each.high:.3f}" in text
    assert "Estimates from the queue" not in named.get("/evaluate").text
    assert named.get("/evaluate?queue=none").status_code == 400


def test_an_empty_workspace_has_nothing_to_label_or_export(tmp_path, browse):
    Workspace(tmp_path / "new.sqlite").close()
    page = browse(tmp_path / "new.sqlite")
    for where in ("/label", "/export"):
        answer = page.get(where)
        assert answer.status_code == 200
        assert "There is no run yet" in answer.text


def test_what_was_said_in_another_window_is_not_overwritten(named, workspace, queue):
    first, second = named.get(WHERE), named.get(WHERE)
    save(named, first, "error")
    refused = save(named, second, "correct")

    assert refused.status_code == 400
    assert "you have said 'error' of this case meanwhile" in html.unescape(refused.text)
    assert [each.verdict for each in said(workspace)] == ["error"]
    again = named.get(f"/label/case/{shown(first)['case']}?run={shown(first)['run']}")
    assert save(named, again, "correct").status_code == 200
    assert [each.verdict for each in said(workspace)] == ["correct"]
