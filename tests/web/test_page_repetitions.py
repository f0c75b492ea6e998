"""A case whose repetitions were translated differently: what is shown is what is labelled, and nothing else."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

import pytest

from concord import api
from concord.labels.labels import Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of

FACTS = {"signature": "s", "relation": "rti", "settings": {}, "system": "table", "source": "en", "target": "es"}
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
DOMAIN = 'soft\u00adly <&" \u202eso\x1b'


def outcome(position: int, repetition: int, output: str, domain: str = "", seen: str = "a dog") -> Outcome:
    texts = Text(f"I see {seen}.", "en"), Text(seen, "en"), Text("Veo un perro.", "es"), Text(output, "es")
    suspicion = 1.0 - repetition / 10 - position / 100
    segment = Segment(f"s{position}", texts[0], position, domain)
    return Outcome(segment, cases=[Case(*texts, texts[2:], suspicion, 0.0)], repetition=repetition)


@pytest.fixture
def repeated(tmp_path):
    """One case: at the first place only its second repetition is there, at the other one both are."""
    path = tmp_path / "r.sqlite"
    with Workspace(path) as store:
        run = store.begin({**FACTS, "corpus": "c", "seed": 1})
        store.add(run, [outcome(0, 1, "OTHER"), outcome(1, 0, "ONE"), outcome(1, 1, "OTHER")])
    return path


@pytest.fixture
def case(repeated) -> str:
    return api.worst(repeated, [1], 1)[0]["case"]


@pytest.fixture
def ana(repeated, browse):
    page = browse(repeated)
    page.submit("/label/who", {"annotator": "ana", "next": "/label"})
    return page


def follow(page, answer, words):
    """Follow the link with these words."""
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>[^<]*{words}', answer.text)
    assert found, words
    return page.get(html.unescape(found[1]))


@pytest.mark.parametrize(("repetition", "output", "other"), [(0, "ONE", "OTHER"), (1, "OTHER", "ONE")])
def test_the_outputs_that_are_shown_are_those_that_are_labelled(ana, repeated, case, repetition, output, other):
    shown = ana.get(f"/case/{case}?run=1&repetition={repetition}")
    labelling = follow(ana, shown, "Label this case")
    assert output in labelling.text
    assert other not in labelling.text
    answer = ana.submit("/label/save", {**dict(HIDDEN.findall(labelling.text)), "verdict": "error"})
    assert answer.url.params["repetition"] == str(repetition)
    with Workspace(repeated) as store:
        (label,) = Labels(store).of_case(case)
    assert f'"{output}"' in label.outputs


@pytest.mark.parametrize("words", ["permanent link", "Trees and word alignment"])
def test_every_link_of_a_finding_stays_with_its_repetition(ana, case, words):
    answer = follow(ana, ana.get(f"/case/{case}?run=1&repetition=0"), words)
    assert answer.url.params["repetition"] == "0"
    if "structure" in answer.url.path:
        assert follow(ana, answer, "← Back").url.params["repetition"] == "0"


def test_what_was_said_of_other_outputs_is_shown_as_such(ana, repeated, case):
    with Workspace(repeated) as store:
        row = next(row for row in store.rows([1]) if row["repetition"] == 0)
        judged = dict(HIDDEN.findall(ana.get(f"/label/case/{case}?run=1&repetition=0").text))["judged"]
        api.say(repeated, {"case": case, "judged": judged, "verdict": "bad test"}, annotator="ben")
        assert Labels(store).of_case(case)[0].outputs == outputs_of(row)
    here = api.case(repeated, case, run=1, repetition=0)
    there = api.case(repeated, case, run=1, repetition=1)
    assert ([each.annotator for each in here.labels], list(here.other_labels)) == (["ben"], [])
    assert (list(there.labels), [each.annotator for each in there.other_labels]) == ([], ["ben"])
    assert "Stale labels" not in ana.get(f"/case/{case}?run=1&repetition=0").text
    assert "Stale labels" in ana.get(f"/case/{case}?run=1&repetition=1").text
    assert "ben</bdi>: bad test" not in ana.get("/findings").text
    assert "stale labels: 1" in ana.get("/findings").text


def test_a_disputed_case_leads_to_the_outputs_that_are_disputed(ana, repeated, case):
    judged = dict(HIDDEN.findall(ana.get(f"/label/case/{case}?run=1&repetition=0").text))["judged"]
    for who, verdict in (("ana", "error"), ("ben", "correct")):
        api.say(repeated, {"case": case, "judged": judged, "verdict": verdict}, annotator=who)
    assert f'href="/case/{case}?run=1&amp;repetition=0"' in ana.get("/label").text


def test_a_label_of_any_repetition_is_not_stale(ana, repeated, case):
    for repetition in (0, 1):
        judged = dict(HIDDEN.findall(ana.get(f"/label/case/{case}?run=1&repetition={repetition}").text))["judged"]
        api.say(repeated, {"case": case, "judged": judged, "verdict": "error"}, annotator=f"p{repetition}")
    assert [row["stale"] for row in api.labels(repeated)] == [False, False]
    found = api.desk(repeated)
    assert (found.labels, found.stale, found.stale_labels) == (2, [], 0)
    with Workspace(repeated) as store:
        store._db.execute("UPDATE labels SET outputs = '{}' WHERE annotator = 'p0'")
    assert [row["annotator"] for row in api.labels(repeated) if row["stale"]] == ["p0"]
    (stale,) = api.desk(repeated).stale
    assert (stale.annotator, stale.run, stale.segment) == ("p0", 1, "s0")


def test_exported_labels_stand_beside_the_texts_that_they_judge(ana, repeated, case, tmp_path):
    judged = dict(HIDDEN.findall(ana.get(f"/label/case/{case}?run=1&repetition=0").text))["judged"]
    api.say(repeated, {"case": case, "judged": judged, "verdict": "error"}, annotator="ana")
    api.export(repeated, [1], tmp_path / "labels.jsonl", kind="labels")
    text = (tmp_path / "labels.jsonl").read_text()
    assert '"follow_up_output": "ONE"' in text
    assert '"stale": false' in text


@pytest.mark.parametrize("where", ["/findings", f"/findings?domain={quote(DOMAIN)}"])
def test_a_value_with_hidden_characters_comes_back_as_it_is(tmp_path, browse, where):
    path = tmp_path / "d.sqlite"
    with Workspace(path) as store:
        run = store.begin({**FACTS, "corpus": "c", "seed": 1})
        store.add(run, [outcome(0, 0, "ONE", DOMAIN), outcome(1, 0, "TWO", "plain", "a cat")])
    page = browse(path)
    text = page.get(where).text
    assert not {"\u00ad", "\u202e", "\x1b"} & set(text)
    values = re.findall(r'name="domain" value="([^"]*)"', text)
    # As a browser reads it; Python leaves some numbers out.
    read = {html.unescape(re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), value)) for value in values}
    assert DOMAIN in read
    assert "1 to 1 of 1" in page.get(f"/findings?domain={quote(DOMAIN)}").text
