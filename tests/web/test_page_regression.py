"""The page that compares runs and systems."""

from __future__ import annotations

import re
import time
from itertools import islice

import pytest
from starlette.testclient import TestClient

from concord.api.regression import prepare
from concord.errors import UserError
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.web.app import create
from concord.web.background_cache import BackgroundCache
from concord.web.settings import Site

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e{{ 7*7 }}"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


@pytest.fixture
def run(path):
    """`run("x.")` makes a run of flagged (x) and other cases."""

    def made(word, system="mt", relation="rtt", text="sentence {}", answer="frase {}", target="es"):
        facts = {"signature": f"{relation}|mt:{system}|v:1", "relation": relation, "settings": {}, "system": system}
        with Workspace(path) as store:
            record = store.begin(facts | {"source": "en", "target": target, "corpus": "c#1", "seed": 1})
            for position, verdict in enumerate(word):
                source, output = Text(text.format(position), "en"), Text(answer.format(position), "es")
                case = Case(source, output, output, source, (source, source), 0.9 if verdict == "x" else 0.1, 0.5)
                segment = Segment(f"s{position}", source, position, f"d{position % 2}")
                store.add(record, [Outcome(segment, 0, [case])])
            store.finish(record)
        return record.id

    return made


@pytest.fixture
def get(path):
    def asked(address):
        with TestClient(create(Site(path)), base_url="http://127.0.0.1") as client:
            return client.get(address)

    return asked


def test_without_runs_the_page_says_so(path, get):
    Workspace(path).close()
    answer = get("/compare")
    assert answer.status_code == 200
    assert "There is no run yet" in answer.text


def test_two_runs_are_chosen_by_a_form_that_needs_no_script(run, get):
    run("..")
    run(".x", system="other")
    page = get("/compare").text
    assert '<form action="/compare" method="get"' in page
    assert re.search(r'<select id="before" name="before" required>', page)
    assert '<option value="other">other</option>' in page


def test_the_regression_has_tables_lists_and_links_to_findings(run, get):
    run("..x")
    run(".xx", answer="otra {}")
    answer = get("/compare?before=1&after=2")
    assert answer.status_code == 200
    assert "newly failing" in answer.text
    assert re.search(r'href="/case/[0-9a-f]{32}\?run=2&amp;repetition=0"', answer.text)
    assert "<mark>otra</mark>" in answer.text
    assert '<option value="1" selected>' in answer.text


def test_each_kind_of_change_has_its_list_in_pages(run, get):
    run("." * 25)
    run("x" * 25)
    first = get("/compare?before=1&after=2&list=newly+failing")
    assert first.text.count("<article") == 10
    assert "start=10" in first.text
    last = get("/compare?before=1&after=2&list=newly+failing&start=20").text
    assert last.count("<article") == 5
    assert 'rel="next"' not in last
    assert get("/compare?before=1&after=2&list=newly+fixed").text.count("<article") == 0


@pytest.mark.parametrize("query", ["list=nothing", "start=-1", "start=x", "start=99999999999999", "list=%00"])
def test_strange_addresses_are_told_in_words(run, get, query):
    run(".")
    run("x")
    answer = get(f"/compare?before=1&after=2&{query}")
    assert answer.status_code == 400
    assert f"{query.partition('=')[0]}: &#39;" in answer.text


@pytest.mark.parametrize("sides", ["before=1&after=1", "before=1&after=9", "before=1&after=%3Cb%3E"])
def test_what_cannot_be_compared_is_told_on_the_page(run, get, sides):
    run(".")
    answer = get(f"/compare?{sides}")
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "<form" in answer.text
    assert "<b>" not in answer.text


def test_nothing_that_was_translated_becomes_markup(run, get, elements):
    for number in range(2):
        run(
            ".x"[number],
            system=HOSTILE + str(number),
            text=HOSTILE.replace("{", "(").replace("}", ")"),
            answer=f"{number}<b>",
        )
    for address in ("/compare?before=1&after=2", "/compare", "/compare/systems"):
        page = get(address).text
        assert "\u202e" not in page
        found = elements(page)
        assert {attributes.get("src", "")[:8] for tag, attributes in found if tag == "script"} == {"/static/"}
        assert all(attributes["src"].startswith("/compare/") for tag, attributes in found if tag == "img")
        assert not [name for _, attributes in found for name in attributes if name == "style" or name.startswith("on")]


def test_a_system_that_does_not_translate_is_listed_below_the_ranking(run, get):
    for word, system in (("....", "good"), ("....", "fair"), ("xxx.", HOSTILE)):
        run(word, system, relation="sane")
    page = get("/compare/systems").text
    assert page.index("<h2>Not ranked</h2>") > page.index("fair")
    assert "more than 5.0% of the sentences" in page
    assert "{{ 7*7 }}</bdi>, en→es: 3 of 4</li>" in page
    assert "<script>alert" not in page


def test_systems_are_ranked_with_intervals_letters_and_a_picture(run, get):
    run("." * 20, system="good")
    run("x" * 15 + "." * 5, system="poor")
    page = get("/compare/systems").text
    assert re.search(r"good.*poor", page, re.S)
    assert "25.0%" in page
    assert "<td>A</td>" in page
    picture = get("/compare/systems/0.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert get("/compare/systems/7.svg").status_code == 404


@pytest.fixture
def idle(path):
    """Ask a server that does nothing in the background."""
    return lambda address: TestClient(create(Site(path)), base_url="http://127.0.0.1").get(address)


def test_large_runs_are_compared_once_they_are_prepared(path, run, idle, monkeypatch):
    monkeypatch.setattr("concord.store.verdict_arrays.FEW", 3)
    run("....")
    run("...x")
    first = idle("/compare?before=1&after=2").text
    assert "is being computed" in first
    assert 'data-events="/events/index"' in first
    assert "<article" not in first
    assert prepare(path)
    ready = idle("/compare?before=1&after=2").text
    assert "<article" in ready
    assert "data-events" not in ready


def test_large_runs_are_ranked_once_they_are_prepared(path, run, idle, monkeypatch):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    run("...x")
    first = idle("/compare/systems").text
    assert "is being computed" in first
    assert 'data-events="/events/index"' in first
    assert idle("/compare/systems/0.svg").status_code == 404
    assert prepare(path)
    ready = idle("/compare/systems").text
    assert "<table" in ready
    assert "data-events" not in ready


def test_large_runs_that_cannot_be_ranked_say_why_once_they_are_prepared(path, run, idle, monkeypatch):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    run("...x")
    run("", target="fr")
    assert "is being computed" in idle("/compare/systems").text
    assert prepare(path)
    told = idle("/compare/systems")
    assert told.status_code == 400
    assert "run 2 (en→fr) has no case" in told.text
    assert "is being computed" not in told.text
    assert "data-events" not in told.text


@pytest.mark.parametrize(
    ("others", "why"),
    [
        ([], "there is one system, mt, so none is ranked"),
        ([{"system": "other", "text": "another {}"}], "no sentence was tested on every system"),
    ],
)
def test_large_runs_without_a_rank_say_why(path, run, idle, monkeypatch, others, why):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    run("...x")
    for other in others:
        run("...x", **other)
    assert prepare(path)
    assert why in idle("/compare/systems").text


def test_a_page_without_script_renews_itself_while_it_waits(run, idle, monkeypatch):
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 3)
    run("...x")
    assert '<noscript><meta http-equiv="refresh"' in idle("/compare/systems").text
    monkeypatch.setattr("concord.analyses.quality.standings.SMALL", 30)
    assert "http-equiv" not in idle("/compare/systems").text


@pytest.fixture
def going_on(path):
    """A run that is not finished; `going_on(n)` adds so many cases to it."""
    facts = {"signature": "rtt|mt:mt|v:1", "relation": "rtt", "settings": {}, "system": "mt", "seed": 1}
    with Workspace(path) as store:
        records, places = [], iter(range(1000))

        def more(count):
            if not records:
                records.append(store.begin(facts | {"source": "en", "target": "es", "corpus": "c#1"}))
            for place in islice(places, count):
                source, output = Text(f"sentence {place}", "en"), Text(f"frase {place}", "es")
                case = Case(source, output, output, source, (source, source), 0.9, 0.5)
                store.add(records[0], [Outcome(Segment(f"s{place}", source, place, "d"), 0, [case])])

        yield more


@pytest.fixture
def still(path, monkeypatch):
    """A browser whose server does nothing by itself, takes any run for a large one, and whose clock stands still."""
    for name in ("store.verdict_arrays.FEW", "analyses.quality.standings.SMALL"):
        monkeypatch.setattr(f"concord.{name}", 3)
    page = TestClient(create(Site(path)), base_url="http://127.0.0.1")
    page.app.state.background_cache = BackgroundCache(clock=lambda: 0.0)
    yield page
    page.app.state.background_cache.close()


def turned(page):
    while not page.app.state.background_cache.version:
        time.sleep(0.01)


BOTH = pytest.mark.parametrize("address", ["/compare?before=1&after=2", "/compare/systems"])


@BOTH
def test_a_large_run_that_goes_on_is_shown_as_it_was(path, run, going_on, still, address):
    run("....")
    going_on(4)
    assert prepare(path)
    assert "not finished" not in still.get(address).text
    going_on(2)  # what was prepared holds no longer, and never will while the run goes on
    assert "is being computed" in still.get(address).text
    turned(still)
    going_on(1)
    shown = still.get(address).text
    assert "is being computed" not in shown
    assert "one of them is still in progress" in shown
    assert 'data-events="/events/index"' in shown
    assert "<table" in shown


@BOTH
def test_a_run_that_has_ended_is_not_said_to_go_on(path, run, going_on, still, address):
    run("....")
    going_on(4)
    still.get(address)
    turned(still)
    with Workspace(path) as store:
        store.finish(store.run(2))
    going_on(1)  # so that what was kept of it holds no longer
    shown = still.get(address).text
    assert "the runs are large, and they have changed" in shown
    assert "goes on" not in shown


@BOTH
def test_a_run_that_goes_on_elsewhere_changes_nothing(path, run, going_on, still, address):
    going_on(4)
    run("....")  # the same again, which takes its place among the latest
    run("...x")
    still.get(address.replace("1", "3"))
    assert not still.app.state.background_cache._requests
    assert still.app.state.background_cache.version == 0


@BOTH
def test_a_mistake_that_is_found_in_the_background_is_told_on_the_page(run, going_on, still, monkeypatch, address):
    def mistaken(workspace, patient=True, **chosen):
        if patient:
            raise UserError("run 2 has no case")

    monkeypatch.setattr("concord.api.compare_runs", mistaken)
    monkeypatch.setattr("concord.api.standings", mistaken)
    run("....")
    going_on(4)
    assert "is being computed" in still.get(address).text
    turned(still)
    answer = still.get(address)
    assert answer.status_code == 400
    assert "run 2 has no case" in answer.text
    assert "is being computed" not in answer.text


def test_nobody_is_told_of_an_index_that_is_not_there(path, idle):
    Workspace(path).close()
    assert idle("/events/index").status_code == 404


def test_the_two_latest_runs_of_one_kind_are_chosen_beforehand(run, idle):
    run("..")
    run(".x")
    run("xx", relation="sit")
    page = idle("/compare").text
    assert selected(page) == ["1", "2"]
    assert "<article" not in page
    assert selected(idle("/compare?before=3").text) == ["3"]


def test_runs_that_can_be_compared_stand_together(run, idle):
    run("..")
    run("xx", relation="sit")
    run(".x")
    page = idle("/compare").text
    (first, second) = re.findall(r'<optgroup label="([^"]*→[^"]*)">(.*?)</optgroup>', page, re.S)[:2]
    assert (first[0], re.findall(r'value="(\d+)"', first[1])) == ("rtt en→es", ["3", "1"])
    assert (second[0], re.findall(r'value="(\d+)"', second[1])) == ("sit en→es", ["2"])


def test_a_single_run_needs_a_second_one(run, idle):
    run("..")
    assert "There is one run; a second one is needed" in idle("/compare").text
    run("..", relation="sit")
    assert "No two runs have the same relation and direction" in idle("/compare").text
    run(".x")
    assert "is needed" not in idle("/compare").text


def selected(page):
    return re.findall(r'<option value="(\w+)" selected>', page)


def test_systems_without_runs_are_told(path, get):
    Workspace(path).close()
    answer = get("/compare/systems")
    assert (answer.status_code, "no run yet" in answer.text) == (400, True)
