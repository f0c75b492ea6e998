"""Runs and attempts that are started from the page: in a process of their own, watched, stopped, taken up again."""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from pathlib import Path

import pytest

from concord import api
from concord.web.jobs import AT_ONCE, BackgroundJob, Jobs

FORM = {"corpus": "demo", "limit": "4", "source": "en", "to": "es", "system": "fake", "relation": "rtt"}
TRIED = {"sentence": "A house.", "system": "fake", "source": "en", "to": "es", "relation": "rtt"}


@pytest.fixture
def gate(tmp_path):
    return tmp_path / "gate"


@pytest.fixture
def held(gate):
    """A system that answers nothing before its gate is there."""
    return f"command:sh -c 'while [ ! -e {gate} ]; do sleep 0.02; done; cat',batch=4,version=1"


@pytest.fixture
def page(workspace, browse, held):
    """With the server's life around it, so that whatever is left of a job ends with the test."""
    with browse(workspace, systems=("fake", "faulty:fake,rate=0.5", held)) as opened:
        yield opened


def ended(page, answer):
    """The page of a job when it is over; nothing here waits for a number of seconds."""
    where = answer.headers["location"]
    while True:
        text = page.get(where).text
        if 'data-events="' not in text:
            return where, text
        time.sleep(0.05)


def attempt(system):
    return {"do": "attempt", "sentence": "x", "system": system, "relations": ["rtt"], "source": "en", "to": "es"}


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


def test_a_run_takes_the_services_that_the_form_names(page, workspace):
    where, _ = ended(page, submit(page, "/run", {**FORM, "relation": "rti", "parser": "en=concord_en de=spacy"}))
    ended(page, submit(page, f"{where}/start"))
    assert "|parse[en]:concord_en@" in api.runs(workspace)[-1].signature


@pytest.mark.parametrize("named", ["en=./mine.py", "en=corenlp:http://localhost", "en=stanza,folder=x", "nobody"])
def test_a_page_names_no_file_and_no_address(page, named):
    for where, form in (("/run", FORM), ("/try", TRIED)):
        answer = page.submit(where, {**form, "parser": named})
        assert answer.status_code == 400
        assert "there is no parser" in answer.text


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
    ({"system": "command:touch /tmp/x"}, "system: &#39;command:touch /tmp/x&#39; is not one of: fake, "),
    ({"system": "files:/etc"}, "system: &#39;files:/etc&#39; is not one of: "),
    ({"system": ""}, "choose at least one system"),
    ({"relation": "nonsense"}, "relation: &#39;nonsense&#39; is not one of: recommended, cat, "),
    ({"relation": "literals,terms=/etc/passwd"}, "relation: &#39;literals,terms=/etc/passwd&#39; is not one of: "),
    ({"corpus": "/etc/passwd"}, "corpus: &#39;/etc/passwd&#39; is not one of: demo"),
    ({"corpus": "../concord.sqlite"}, "is not one of: demo"),
    ({"corpus": "-"}, "is not one of: demo"),
    ({"to": ""}, "give a target language"),
    ({"to": "not a language"}, ""),
    ({"limit": "-1"}, "only the first: &#39;-1&#39; is not a whole number from 1 to "),
    ({"limit": "0"}, "only the first: &#39;0&#39; is not a whole number from 1 to "),
    ({"seed": "-1"}, "seed: &#39;-1&#39; is not a whole number from 0 to "),
    ({"seed": "9" * 30}, "is not a whole number from 0 to 9,007,199,254,740,992"),
    ({"max_cost": "nan"}, "maximum cost: &#39;nan&#39; is not a number from 0 to "),
    ({"max_cost": "much"}, "maximum cost: &#39;much&#39; is not a number from 0 to "),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG)
def test_only_what_the_page_offers_can_be_asked_for(page, wrong, said):
    answer = page.submit("/run", {**FORM, **wrong})

    assert answer.status_code == 400
    assert said in answer.text


def test_a_run_can_be_stopped_and_goes_on_where_it_was(page, workspace, held, gate):
    where, _ = ended(page, submit(page, "/run", {**FORM, "system": held, "relation": "sane", "limit": "200"}))
    going = submit(page, f"{where}/start").headers["location"]
    while "checks" not in page.get(going).text:  # it has begun
        time.sleep(0.05)
    assert "in progress already" in page.submit(f"{where}/start").text
    stopping = submit(page, f"{going}/stop")
    gate.touch()
    stopped = ended(page, stopping)
    assert "Stopped" in stopped[1]
    assert "Continue" in stopped[1]
    run = api.runs(workspace)[-1]
    assert run.finished is None
    assert f"Run {run.id}: sane" in page.get("/run").text


def test_a_system_that_translates_nothing_is_named_below_the_table_and_each_note_is_there_once(page, held, gate):
    gate.touch()
    where, _ = ended(page, submit(page, "/run", {**FORM, "system": held, "relation": ["rtt", "literals"]}))
    done = ended(page, submit(page, f"{where}/start"))[1]

    assert "en→es: 4 of 4 answers are no translations (4 copied)." in done
    assert done.count("checks whose answer is no translation") == 1
    assert done.count("Not judged</th>") == 1


def test_an_error_of_a_run_is_told_and_the_server_lives(page):
    where, _ = ended(page, submit(page, "/run", {**FORM, "system": "apertium", "to": "ja"}))
    text = page.get(where).text

    assert "Failed" in text
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


def test_what_a_language_cannot_have_is_shown_as_left_out_of_a_trial(page):
    asked = {"sentence": "Das alte Haus.", "system": "fake", "source": "de", "to": "es", "relation": ["recommended"]}
    text = ended(page, submit(page, "/try", asked))[1]

    assert text.count("left out of the recommended set") == 3
    assert "not checked" not in text


@pytest.mark.parametrize(
    "wrong", [{"sentence": ""}, {"sentence": "x" * 2_001}, {"relation": []}, {"system": "command:ls"}]
)
def test_what_cannot_be_tried_is_told(page, wrong):
    answer = page.submit("/try", {**TRIED, **wrong})

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
    asked = attempt("faulty:fake,kind=delay,rate=1,delay=60")
    try:
        for _ in range(AT_ONCE):
            jobs.start(asked)
        with pytest.raises(Exception, match="too many"):
            jobs.start(asked)
    finally:
        jobs.close()
    assert all(job.process.poll() is not None for job in jobs.latest("attempt"))


def test_a_job_keeps_no_more_translations_than_it_can_show_and_every_result(monkeypatch):
    monkeypatch.setattr("concord.web.jobs.MESSAGES", 3)
    job = BackgroundJob(1, {"do": "attempt"}, None)
    for number in range(10):
        job.receive({"answer": number})
    job.receive({"tried": "the result"})

    assert job.messages_of("answer") == [0, 1, 2]
    assert job.left_out == 7
    assert job.messages_of("tried") == ["the result"]


def test_what_has_ended_stays_so():
    job = BackgroundJob(1, {"do": "run"}, None)
    job.receive({"done": True})

    assert not job.set_state("stopping")
    job.end(-9)
    assert job.state == "done"


def test_modules_in_the_folder_of_the_server_are_not_run(tmp_path, monkeypatch):
    (tmp_path / "dataclasses.py").write_text("open('was-run', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    jobs = Jobs()
    job = jobs.start(attempt("fake"))
    job.process.wait()

    assert not (tmp_path / "was-run").exists()


def test_the_end_at_once_leaves_no_translator_behind(tmp_path):
    mark = tmp_path / "pid"
    (tmp_path / "mt.py").write_text(
        f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    )
    jobs = Jobs()
    system = f"command:{sys.executable} {tmp_path / 'mt.py'}"
    job = jobs.start(attempt(system))
    while not mark.exists() or not mark.read_text():
        time.sleep(0.05)
    jobs.stop(job.id)
    jobs.stop(job.id, at_once=True)
    job.process.wait()

    while Path(f"/proc/{mark.read_text()}").exists():  # it is being taken down
        time.sleep(0.05)
    while not job.ended:
        time.sleep(0.01)
    assert job.state == "stopped"


def test_what_was_asked_before_is_asked_again_by_its_name(page, workspace):
    where, _ = ended(page, submit(page, "/run", FORM))
    ended(page, submit(page, f"{where}/start"))
    name = re.search(r'name="request" value="([0-9a-f]+)"', page.get("/run").text)[1]

    assert "4 sentences" in ended(page, submit(page, "/run/again", {"request": name}))[1]
    assert page.submit("/run/again", {"request": "0"}).status_code == 400


HOSTILE = [
    [{"corpus": "demo", "to": 5}],
    {"not": "a list"},
    [1, None, "x", {}],
    [{"corpus": "demo", "limit": None, "source": "en", "to": ["es"], "systems": ["fake"], "relations": ["rtt"]}],
]


@pytest.mark.parametrize("kept", HOSTILE)
def test_a_file_of_requests_that_somebody_else_wrote_does_no_harm(page, workspace, kept):
    folder = Path(f"{workspace}-corpora")
    folder.mkdir()
    (folder / ".requests.json").write_text(json.dumps(kept))

    answer = page.get("/run")
    assert answer.status_code == 200
    assert "/run/again" not in answer.text


def test_a_request_can_say_no_more_than_a_form(page, workspace):
    asked = {"corpus": "demo", "limit": 2, "source": "en", "to": ["es"], "systems": ["fake"], "relations": ["rtt"]}
    asked |= {"settings": {"seed": 1, "repetitions": 1, "services": {"glossary": "/etc/passwd"}}}
    asked |= {"do": "run", "config": "/etc/hostname", "workspace": "/tmp/other.sqlite"}
    folder = Path(f"{workspace}-corpora")
    folder.mkdir()
    (folder / ".requests.json").write_text(json.dumps([asked]))
    before = len(api.runs(workspace))
    name = re.search(r'name="request" value="([0-9a-f]+)"', page.get("/run").text)[1]

    assert "Nothing was sent" in ended(page, submit(page, "/run/again", {"request": name}))[1]
    assert len(api.runs(workspace)) == before


def test_what_was_tried_is_no_run_and_can_be_stopped(page):
    where = submit(page, "/try", TRIED).headers["location"]
    number = where.rpartition("/")[2]

    assert page.submit(f"/run/{number}/start").status_code == 400
    assert page.submit(f"/try/{number}/stop").status_code == 200


def test_a_file_that_is_packed_is_not_taken(page):
    packed = gzip.compress(b"x\n" * 1_000_000)
    for name in ("bomb.txt.gz", "bomb.txt"):
        data = {**FORM, "csrf": page.proof()}
        assert page.post("/run", data=data, files={"file": (name, packed)}).status_code == 400


def test_events_tell_that_something_changed_and_that_it_is_over(page):
    where = submit(page, "/try", TRIED)
    number = re.search(r"\d+", where.headers["location"])[0]
    with page.stream("GET", f"/jobs/{number}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        text = "".join(events.iter_text())

    assert "event: change" in text
    assert text.rstrip().endswith("event: end\ndata: {}")


def test_what_cannot_be_read_is_not_kept_and_what_is_kept_can_be_removed(page, workspace):
    for name, data in (("a.png", b"\x89PNG\r\n\x1a\n\x00\x00"), ("u.txt", "One.".encode("utf-16"))):
        sent = page.post("/run", data={**FORM, "csrf": page.proof()}, files={"file": (name, data)})
        assert sent.status_code == 400
        assert 'href="/run"' in sent.text
    assert page.submit("/run", {**FORM, "text": " \n ", "name": "blank"}).status_code == 400
    assert page.submit("/run", {**FORM, "text": "One.", "relation": "nonsense"}).status_code == 400
    assert api.corpora(workspace) == ["demo"]
    submit(page, "/run", {**FORM, "text": "One house."})
    assert api.corpora(workspace) == ["demo", "pasted.txt"]
    assert "Remove" in page.get("/run").text
    page.submit("/run/forget", {"corpus": "pasted.txt"})
    assert api.corpora(workspace) == ["demo"]
    assert page.submit("/run/forget", {"corpus": "../concord.sqlite"}).status_code == 400
    assert workspace.exists()


def test_a_job_of_an_earlier_server_is_told_to_be_gone(page):
    for answer in (page.get("/run/77"), *(page.submit(f"/run/77/{deed}") for deed in ("start", "stop", "end"))):
        assert answer.status_code == 404
        assert "Earlier runs" in answer.text
        assert "*" not in main_of(answer)


def test_an_attempt_of_an_earlier_server_is_told_to_be_gone_without_a_word_of_runs(page):
    for answer in (page.get("/try/77"), page.submit("/try/77/stop")):
        assert answer.status_code == 404
        assert "there is no attempt 77 here" in answer.text
        assert "*" not in main_of(answer)
        assert "Run" not in main_of(answer)


def main_of(answer):
    return answer.text.split("<main")[1].split("</main>")[0]


def test_a_name_that_the_system_refuses_is_told_on_the_page_of_the_job(workspace, browse):
    system = f"files:{'a' * 300}"
    with browse(workspace, systems=(system,)) as page:
        _, text = ended(page, submit(page, "/try", {**TRIED, "system": system}))
    assert "cannot be used: File name too long" in text
    assert "ended unexpectedly" not in text


def test_a_file_is_kept_whatever_the_length_of_its_name(page):
    sent = {"file": ("ä" * 300 + ".txt", b"A house.\n", "text/plain")}
    data = {**FORM, "csrf": page.proof("/run")}
    answer = page.post("/run", data=data, files=sent, follow_redirects=False)
    assert answer.status_code in (303, 400)


def test_what_the_system_refuses_is_a_page_of_its_own(page, monkeypatch):
    def refused(*_):
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(api, "corpora", refused)
    answer = page.get("/run")
    assert answer.status_code == 503
    assert "Too many open files" in answer.text
