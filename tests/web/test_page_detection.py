"""The page that says how far each relation can be trusted, and at which threshold."""

from __future__ import annotations

import re
import tomllib

import pytest

from concord import api
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.label_rows import outputs_of

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e{{ 7*7 }}"


@pytest.fixture
def labelled(workspace):
    """The workspace of two relations with every fourth of their cases labelled."""
    with Workspace(workspace) as store:
        for run in (1, 2):
            rows = [row for row in store.rows([run]) if "case" in row][::2]
            verdicts = ["error" if row["flagged"] else "correct" for row in rows]
            Labels(store).save(
                [Label(row["case"], "ana", said, outputs_of(row)) for row, said in zip(rows, verdicts, strict=True)]
            )
    return workspace


@pytest.fixture
def site(labelled, browse, tmp_path):
    return browse(labelled, config=tmp_path / "concord.toml")


def test_without_runs_the_page_says_what_to_do(tmp_path, browse):
    Workspace(tmp_path / "w.sqlite").close()
    answer = browse(tmp_path / "w.sqlite").get("/evaluate")
    assert answer.status_code == 200
    assert "There is no run yet" in answer.text
    assert 'href="/label"' in answer.text


def test_without_labels_the_page_leads_to_labelling_and_still_shows_the_overlap(page):
    text = page.get("/evaluate").text
    assert "No case is labelled yet" in text
    assert "Draw a queue and label it" in text
    assert "Overlap of detectors" in text
    assert "Sentences flagged" in text


def test_labels_of_one_kind_are_told(workspace, page):
    with Workspace(workspace) as store:
        row = next(row for row in store.rows([1]) if "case" in row and row["flagged"])
        Labels(store).save([Label(row["case"], "ana", "error", outputs_of(row))])
    text = page.get("/evaluate").text
    assert "every labelled case is a bug" in text
    assert "recall cannot be estimated" in text


def test_detectors_baselines_pictures_and_overlap_are_there(site):
    text = site.get("/evaluate").text
    for words in ("base rate", "Beside trivial baselines", "rtt: LCS ratio", "not weighted", "Bugs found"):
        assert words in text
    assert "Precision by number of flagged cases" in text
    assert "Gains of combinations" in text


def test_a_queue_is_said_to_be_weighted(workspace, page):
    api.draw_queue(workspace, [1], name="queue <i>", size=30)
    with Workspace(workspace) as store:
        rows = [row for row in store.rows([1]) if "case" in row]
        said = [Label(row["case"], "ana", "error" if row["flagged"] else "correct", outputs_of(row)) for row in rows]
        Labels(store).save(said[: len(said) - 1])
    text = page.get("/evaluate").text
    assert "queue &lt;i&gt;" in text
    assert "which speak for all cases of run 1" in text


def test_a_threshold_is_asked_for_by_a_form_that_needs_no_script(site, labelled):
    text = site.get("/evaluate?of=1&at=0.2").text
    assert '<form action="/evaluate#threshold" method="get"' in text
    assert re.search(r'<input id="at" name="at" type="number" step="any" value="0.2">', text)
    expected = api.detectors(labelled).find(1).effect(0.2)
    assert f'<dd data-show="flagged">{expected.flagged}</dd>' in text


def test_a_threshold_does_not_go_over_to_another_detector(site):
    assert 'step="any" value="0.2"' in site.get("/evaluate?was=2&of=2&at=0.2").text
    assert 'step="any" value="0.5"' in site.get("/evaluate?was=1&of=2&at=0.2").text


def test_the_link_lists_as_many_cases_as_are_counted(site, labelled):
    for at in (0.1, 0.3, 0.5):
        text = site.get(f"/evaluate?of=2&at={at}").text
        link = re.search(r'data-link href="([^"]+)"', text)[1].replace("&amp;", "&")
        count = api.detectors(labelled).find(2).effect(at).flagged
        listed = site.get(link).text
        assert re.search(rf"\b{count}\b", listed)
        assert count == api.cases(labelled, _wanted(link)).total


def _wanted(link):
    least = float(re.search(r"least=([\d.]+)", link)[1])
    return api.Filter(runs=(2,), flagged=None, least=least)


def test_the_slider_gets_all_of_its_numbers_at_once(site, labelled):
    text = site.get("/evaluate?of=1").text
    answer = site.get(re.search(r'data-points="([^"]+)"', text)[1].replace("&amp;", "&"))
    assert answer.headers["content-type"].startswith("application/json")
    points = answer.json()
    assert len(points) > 40
    assert set(points[0]) == {"at", "flagged", "precision", "recall", "f", "labelled", "link"}
    page = site.get(f"/evaluate?of=1&at={points[20]['at']}").text
    for name in ("flagged", "precision", "recall", "f"):
        assert f'<dd data-show="{name}">{points[20][name]}</dd>' in page


def test_a_threshold_is_kept_in_the_file_of_the_server(site, tmp_path):
    answer = site.submit("/evaluate/keep", {"run": "1", "at": "0.25"}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/evaluate?of=1&at=0.25")
    assert tomllib.loads((tmp_path / "concord.toml").read_text())["relations"]["rtt"]["threshold"] == 0.25
    assert "is written to concord.toml" in site.get(answer.headers["location"]).text


def test_nothing_is_kept_without_proof_that_the_page_asked(site, tmp_path):
    assert site.post("/evaluate/keep", data={"run": "1", "at": "0.25"}).status_code == 403
    assert site.get("/evaluate/keep").status_code == 405
    assert not (tmp_path / "concord.toml").exists()


@pytest.mark.parametrize(
    "sent", [{"at": "0.2"}, {"run": "1", "at": "x"}, {"run": "1", "at": "nan"}, {"run": "1", "at": "5"}, {"run": "1"}]
)
def test_a_threshold_that_cannot_be_kept_is_told_in_words(site, tmp_path, sent):
    answer = site.submit("/evaluate/keep", sent)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert not (tmp_path / "concord.toml").exists()


@pytest.mark.parametrize("query", ["at=x", "at=nan", "at=1e999", "of=9", "of=x", "run=x", "run=99", "run=%00"])
def test_what_means_nothing_is_told_in_words(site, query):
    answer = site.get(f"/evaluate?{query}")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("query", ["at=-3", "at=1e300", "run=1&of=1", "run=1&run=2&of=2", "said=%3Cb%3E", "at="])
def test_strange_addresses_are_borne(site, query):
    answer = site.get(f"/evaluate?{query}")
    assert answer.status_code == 200
    assert "<b>" not in answer.text


def test_nothing_that_strangers_wrote_becomes_markup(tmp_path, browse, elements):
    path = tmp_path / "w.sqlite"
    with Workspace(path) as store:
        for relation in (HOSTILE, "rti", "rtt", "sit"):
            facts = {"signature": HOSTILE, "relation": relation, "settings": {"metric": HOSTILE}, "system": HOSTILE}
            record = store.begin(facts | {"source": "en", "target": "es", "corpus": HOSTILE, "seed": 1})
            for at in range(12):
                text = Text(f"{HOSTILE} {at}", "en")
                case = Case(text, text, text, text, (text, text), 0.9 - at / 12, 0.5)
                store.add(record, [Outcome(Segment(HOSTILE, text, at, HOSTILE), 0, [case])])
            store.finish(record)
            rows = [row for row in store.rows([record.id]) if "case" in row]
            said = [
                Label(row["case"], "ana", "error" if at < 3 else "correct", outputs_of(row))
                for at, row in enumerate(rows[:11])
            ]
            Labels(store).save(said)
    api.draw_queue(path, [1], name="</ul><script>1</script>", size=12)
    site = browse(path)
    for address in ("/evaluate", "/evaluate?of=3&at=0.3"):
        answer = site.get(address)
        assert answer.status_code == 200
        assert "\u202e" not in answer.text
        assert "&lt;/ul&gt;&lt;script&gt;1" in answer.text
        found = elements(answer.text)
        assert all(attributes.get("src", "").startswith("/static/") for tag, attributes in found if tag == "script")
        assert not [tag for tag, _ in found if tag in ("img", "style", "iframe")]
        assert not [name for _, attributes in found for name in attributes if name == "style" or name.startswith("on")]
        assert "{{ 7*7 }}" in answer.text
