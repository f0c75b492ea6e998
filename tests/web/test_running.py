"""Runs and attempts that are started from the page: in a process of their own, watched, stopped, taken up again."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from concord import api
from concord.web.jobs import AT_ONCE, Job, Jobs

FORM = {"corpus": "demo", "limit": "4", "source": "en", "to": "es", "system": "fake", "relation": "rtt"}
TRIED = {"sentence": "A house.", "system": "fake", "source": "en", "to": "es", "relation": "rtt"}


@pytest.fixture
def page(workspace, browse):
    """With the server's life around it, so that whatever is left of a job ends with the test."""
    with browse(
        workspace, systems=("fake", "faulty:fake,rate=0.5", "faulty:fake,kind=delay,rate=1,delay=0.5")
    ) as opened:
        yield opened


def ended(page, answer):
    """The page of a job when it is over; nothing here waits for a number of seconds."""
    where = answer.headers["location"]
    while True:
        text = page.get(where).text
        if 'data-events="' not in text:
            return where, text
        time.sleep(0.05)


def submit(page, where, data=None):
    return page.submit(where, data, follow_redirects=False)


def test_a_run_says_what_it_takes_and_then_runs(page, workspace):
    before = len(api.runs(workspace))
    where, cost = ended(page, submit(page, "/run", FORM))

    assert "4 sentences" in cost
    assert "Nothing was sent" in cost
    assert len(api.runs(workspace)) == before
    where, done = ended(page, submit(page, f"{where}/start"))
    assert "Finished" in done
    made = api.runs(workspace)[-1]
    assert (made.system, made.relation, made.target) == ("fake", "rtt", "es")
    assert f"/findings?run={made.id}" in done
    assert 'action="/run/again"' in page.get("/run").text


def test_sentences_can_be_pasted_or_sent_as_a_file(page, workspace):
    pasted = {**FORM, "limit": "", "text": "One house.\nTwo dogs.", "name": "../../two"}
    assert "2 sentences" in ended(page, submit(page, "/run", pasted))[1]
    proof = page.proof()
    sent = page.post(
        "/run",
        data={**FORM, "limit": "", "csrf": proof},
        files={"file": ("../evil/three.tsv", b"id\ttext\na\tOne.\nb\tTwo.\nc\tThree.\n")},
        follow_redirects=False,
    )
    assert "3 sentences" in ended(page, sent)[1]
    assert api.corpora(workspace) == ["demo", "three.tsv", "two.txt"]
    assert {each.name for each in Path(f"{workspace}-corpora").iterdir()} == {"three.tsv", "two.txt"}


WRONG = [
    ({"system": "command:touch /tmp/x"}, "no system"),
    ({"system": "files:/etc"}, "no system"),
    ({"system": ""}, "no system"),
    ({"relation": "nonsense"}, "no relation"),
    ({"relation": "literals,terms=/etc/passwd"}, "no relation"),
    ({"corpus": "/etc/passwd"}, "no corpus"),
    ({"corpus": "../concord.sqlite"}, "no corpus"),
    ({"corpus": "-"}, "no corpus"),
    ({"to": ""}, "into which language"),
    ({"to": "not a language"}, ""),
    ({"limit": "-1"}, "whole number"),
    ({"limit": "0"}, "whole number"),
    ({"seed": "9" * 30}, "whole number"),
    ({"max_cost": "nan"}, "from 0 on"),
    ({"max_cost": "much"}, "from 0 on"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG)
def test_only_what_the_page_offers_can_be_asked_for(page, wrong, said):
    answer = page.submit("/run", {**FORM, **wrong})

    assert answer.status_code == 400
    assert said in answer.text


def test_a_run_can_be_stopped_and_goes_on_where_it_was(page, workspace):
    slow = {**FORM, "system": "faulty:fake,kind=delay,rate=1,delay=0.5", "limit": "200"}
    where, _ = ended(page, submit(page, "/run", slow))
    going = submit(page, f"{where}/start").headers["location"]
    while "checks" not in page.get(going).text:  # it has begun
        time.sleep(0.05)
    assert "going on already" in page.submit(f"{where}/start").text
    stopped = ended(page, submit(page, f"{going}/stop"))
    assert "Stopped" in stopped[1]
    assert "Continue" in stopped[1]
    run = api.runs(workspace)[-1]
    assert run.finished is None
    assert f"Run {run.id}: rtt" in page.get("/run").text


def test_an_error_of_a_run_is_told_and_the_server_lives(page):
    where, _ = ended(page, submit(page, "/run", {**FORM, "system": "apertium", "to": "ja"}))
    text = page.get(where).text

    assert "It failed" in text
    assert 'role="alert"' in text
    assert page.get("/").status_code == 200


def test_a_sentence_is_tried(page, workspace):
    before = len(api.runs(workspace))
    asked = {"sentence": "The old bridge is <b>closed</b>.", "system": "fake", "source": "en", "to": "es"}
    where, text = ended(page, submit(page, "/try", {**asked, "relation": ["rtt", "literals"]}))

    assert "All checks are done" in text
    assert "rtt:" in text
    assert "literals:" in text
    assert "<b>closed" not in text
    assert "&lt;b&gt;closed" in text
    assert len(api.runs(workspace)) == before
    assert where.startswith("/try/")


@pytest.mark.parametrize(
    "wrong", [{"sentence": ""}, {"sentence": "x" * 2_001}, {"relation": []}, {"system": "command:ls"}]
)
def test_what_cannot_be_tried_is_told(page, wrong):
    asked = {"sentence": "A house.", "system": "fake", "source": "en", "to": "es", "relation": "rtt"}
    answer = page.submit("/try", {**asked, **wrong})

    assert 'role="alert"' in (answer.text if answer.status_code == 400 else ended(page, answer.history[0])[1])


def test_a_job_that_dies_is_told_and_does_not_stay_running():
    jobs = Jobs()
    job = jobs.start({"do": "nonsense"})
    job.process.wait()
    while not job.ended:
        time.sleep(0.01)

    assert job.state == "failed"
    assert "exit code 1" in job.error


def test_there_are_not_too_many_jobs_at_once():
    jobs = Jobs()
    asked = {
        "do": "attempt",
        "sentence": "x",
        "system": "faulty:fake,kind=delay,rate=1,delay=60",
        "relations": ["rtt"],
        "source": "en",
        "to": "es",
    }
    try:
        for _ in range(AT_ONCE):
            jobs.start(asked)
        with pytest.raises(Exception, match="too much"):
            jobs.start(asked)
    finally:
        jobs.close()
    assert all(job.process.poll() is not None for job in jobs.latest("attempt"))


def test_a_job_keeps_no_more_than_it_can_show(monkeypatch):
    monkeypatch.setattr("concord.web.jobs.MESSAGES", 3)
    job = Job(1, {"do": "attempt"}, None)
    for number in range(10):
        job.hear({"note": number})

    assert job.told("note") == [0, 1, 2]
    assert job.version == 10


def test_events_tell_that_something_changed_and_that_it_is_over(page):
    where = submit(
        page, "/try", {"sentence": "A house.", "system": "fake", "source": "en", "to": "es", "relation": "rtt"}
    )
    number = re.search(r"\d+", where.headers["location"])[0]
    with page.stream("GET", f"/jobs/{number}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        text = "".join(events.iter_text())

    assert "event: change" in text
    assert text.rstrip().endswith("event: end\ndata: {}")
