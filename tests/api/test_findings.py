"""Findings are filtered, ordered, grouped and paged; every filter says what it says."""

from __future__ import annotations

import dataclasses
import itertools
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concord import api
from concord.api import Filter
from concord.errors import UserError
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.finding_filter import LABELS, SORTS
from concord.store.label_rows import outputs_of

FACTS = {"signature": "s", "settings": {"threshold": 0.4}, "source": "en", "corpus": "demo#1", "seed": 1}
RUNS = [("rtt", "one", "es"), ("rtt", "two", "es"), ("pivot", "one", "de")]
WORDS = ("river", "mountain", "rivulet", "tree")
DOMAINS = ("", "news", "law")


def case(words, suspicion, output):
    source, follow_up = Text(words, "en"), Text(f"{words} too", "en")
    made, other = Text(output, "es"), Text(f"{output} {words}", "es")
    return Case(source, follow_up, made, other, (made, other), suspicion, 0.4)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Three runs of thirty sentences with up to three cases, a hundred labels by two people."""
    place = tmp_path_factory.mktemp("finding") / "w.sqlite"
    numbers = itertools.count()
    with Workspace(place) as store:
        for relation, system, target in RUNS:
            run = store.begin({**FACTS, "relation": relation, "system": system, "target": target})
            for position in range(30):
                cases = []
                for _ in range(position % 4):
                    n = next(numbers)
                    cases.append(case(f"{WORDS[n % 4]} {WORDS[n // 5 % 4]} {n}", (n * 7 % 11) / 10, f"salida {n % 3}"))
                text = Text(f"sentence {position}", "en")
                segment = Segment(f"s{position}", text, position, DOMAINS[position % 3])
                store.add(run, [Outcome(segment, cases=cases, error="none" if position == 28 else None)])
        labels = []
        for n, row in enumerate(api.worst(place, [1, 2, 3], 1000)):
            outputs = outputs_of(row) if n % 4 else "{}"
            if n % 3:
                labels.append(Label(row["case"], "ada", ("error", "correct", "bad test")[n % 5 % 3], outputs))
            if n % 7 == 0:
                labels.append(Label(row["case"], "bob", "error", outputs_of(row)))
        for label in labels:
            Labels(store).save([label])
    return place


def every(path, wanted, limit=1000):
    pages, after = [], ""
    while after or not pages:
        page = api.cases(path, wanted, after=after, limit=limit)
        pages.append(page)
        after = page.next
    return [row for page in pages for row in page.rows]


def has_words(row, question):
    texts = [
        row["text"],
        *(row[role]["words"] for role in ("source", "follow_up", "source_output", "follow_up_output")),
    ]
    words = " ".join(texts).lower().split()
    *whole, last = question.split()
    begun = any(word.startswith(last) for word in words) if len(last) > 2 else last in words
    return all(word in words for word in whole) and begun


def has_label(row, label, annotator):
    said = [each for each in row["labels"] if each.outputs == outputs_of(row)]
    speakers = {each.annotator for each in said}
    mine = [each for each in said if annotator in ("", each.annotator)]
    stale = [
        each for each in row["other_labels"] if each.annotator not in speakers and annotator in ("", each.annotator)
    ]
    return {
        "any": bool(mine),
        "none": not mine,
        "stale": bool(stale),
        "disputed": bool(mine) and len({each.verdict for each in said}) > 1,
    }.get(label, label in {each.verdict for each in mine})


def passes(row, wanted):
    """What a filter means, said a second time."""
    chosen = {"relation": wanted.relations, "system": wanted.systems, "source_lang": wanted.sources}
    chosen |= {"target_lang": wanted.targets, "domain": wanted.domains}
    return (
        all(not values or row[name] in values for name, values in chosen.items())
        and (not wanted.text or has_words(row, wanted.text))
        and (wanted.least is None or row["suspicion"] >= wanted.least)
        and (wanted.most is None or row["suspicion"] <= wanted.most)
        and (not wanted.labelled or has_label(row, wanted.labelled, wanted.annotator))
        and (wanted.flagged is not False or not row["flagged"])
    )


def subsets(*values):
    return st.lists(st.sampled_from(values), max_size=2).map(tuple)


WANTED = st.builds(
    Filter,
    relations=subsets("rtt", "pivot", "none"),
    systems=subsets("one", "two"),
    targets=subsets("es", "de"),
    domains=subsets(*DOMAINS),
    text=st.sampled_from(["", "", "river", "riv", "tree riv", "salida 1", "sentence 7", "nowhere"]),
    least=st.none() | st.sampled_from([0.0, 0.4, 0.5]),
    most=st.none() | st.sampled_from([0.5, 0.9]),
    label=st.sampled_from(["", "", *LABELS]),
    annotator=st.sampled_from(["", "", "ada", "bob", "eve"]),
    flagged=st.sampled_from([True, False, None]),
    sort=st.sampled_from(SORTS),
    reverse=st.booleans(),
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=WANTED, limit=st.sampled_from([9, 40]))
def test_findings_are_those_that_pass_every_filter_in_the_order_asked_for(path, wanted, limit):
    everything = every(path, Filter(flagged=True if wanted.flagged else None))
    expected = {row["case"] for row in everything if passes(row, wanted)}
    rows = every(path, wanted, limit)
    assert len(rows) == len(expected)
    assert {row["case"] for row in rows} == expected
    if wanted.sort != "newest label":
        keys = {
            "rank": lambda row: (row["rank"], row["run"]),
            "suspicion": lambda row: (-row["suspicion"], row["run"], row["rank"]),
            "position": lambda row: (row["position"], row["run"], row["rank"]),
        }
        assert rows == sorted(rows, key=keys[wanted.sort], reverse=wanted.reverse)
    facets = api.facets(path, wanted)
    assert facets.total == len(rows)


def walked(ask, path, wanted, limit):
    """What the pages of a list have, one after the other, and back again."""
    pages, after = [], ""
    while after or not pages:
        pages.append(ask(path, wanted, after=after, limit=limit))
        after = pages[-1].next
    back = [pages[-1]]
    while back[-1].previous:
        back.append(ask(path, wanted, after=back[-1].previous, limit=limit))
    assert [page.before for page in reversed(back)] == [page.before for page in pages]
    listed = [entry for page in pages for entry in (*page.findings, *page.problems)]
    assert {page.total for page in pages} == {len(listed)}
    return listed


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=WANTED, limit=st.sampled_from([5, 20]))
def test_every_flagged_case_that_passes_the_filters_is_of_one_finding(path, wanted, limit):
    flagged = dataclasses.replace(wanted, flagged=True)
    rows = {(row["run"], row["case"]): row for row in every(path, flagged)}
    findings = walked(api.findings, path, wanted, limit)
    members = [(row["run"], row["case"]) for finding in findings for row in finding.rows]
    assert sorted(members) == sorted(rows)
    assert sum(finding.cases for finding in findings) == len(rows)
    for finding in findings:
        assert sum(finding.relations.values()) == finding.cases == len(finding.rows)
        ranks = [(row["rank"], row["run"]) for row in finding.rows]
        assert ranks == sorted(ranks)
        assert all(row["labels"] == rows[row["run"], row["case"]]["labels"] for row in finding.rows)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=WANTED)
def test_a_choice_gives_as_many_findings_as_it_says(path, wanted):
    choices = api.facets(path, wanted).choices
    filters = ("relations", "systems", "sources", "targets", "domains")
    for name in filters:
        for value, count in choices[name].items():
            changed = dataclasses.replace(wanted, **{name: (value,)})
            assert api.cases(path, changed).total == count, (name, value)
    for label, count in choices["labels"].items():
        assert api.cases(path, dataclasses.replace(wanted, label=label)).total == count, label


def test_the_newest_label_comes_first(path):
    rows = every(path, Filter(sort="newest label", flagged=None), limit=7)
    newest = [max(label.created for label in row["labels"]) for row in rows]
    assert len(newest) > 20
    assert newest == sorted(newest, reverse=True)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"label": "eror"}, "Did you mean 'error'"),
        ({"sort": "size"}, "there is no order 'size'"),
        ({"least": float("nan")}, "nan is none"),
        ({"least": 0.9, "most": 0.1}, "swap the two"),
    ],
)
def test_a_filter_that_means_nothing_is_said_plainly(wanted, said):
    with pytest.raises(UserError, match=said):
        Filter(**wanted)


def cursor(path, **wanted):
    return api.cases(path, Filter(**wanted), limit=1).next


@pytest.mark.parametrize(
    "after", ["x", "====", "é", "\x00", "A" * 10_000, "_" * 34, "' OR 1", "////////////////////////////////"]
)
def test_a_cursor_that_is_none_is_refused(path, after):
    with pytest.raises(UserError, match="not the address of a page"):
        api.cases(path, after=after)


def test_a_cursor_of_another_order_is_refused(path):
    with pytest.raises(UserError, match="not the address of a page"):
        api.cases(path, Filter(sort="suspicion"), after=cursor(path))
    with pytest.raises(UserError, match="not the address of a page"):
        api.cases(path, Filter(reverse=True), after=cursor(path))


def test_a_cursor_beyond_the_end_gives_an_empty_page(path):
    last = api.cases(path, limit=1000)
    from concord.store.index.pages import Cursor

    beyond = api.cases(path, after=str(Cursor("rank", False, False, 1e300, 99, 99)))
    assert (beyond.rows, beyond.next, beyond.before, beyond.total) == ([], "", last.total, last.total)


@pytest.mark.parametrize("limit", [0, -1, 10**6])
def test_a_page_is_bounded(path, limit):
    with pytest.raises(UserError, match="between 1 and 1,000"):
        api.cases(path, limit=limit)


def test_a_finding_has_its_row_its_labels_and_its_neighbours(path):
    rows = [row for row in every(path, Filter(flagged=None)) if row["run"] == 2]
    for before, row, after in zip(rows, rows[1:], rows[2:], strict=False):
        found = api.case(path, row["case"])
        assert {**found.row, "labels": list(found.labels)} == row
        assert (found.previous.case, found.next.case) == (before["case"], after["case"])
        assert (found.previous.rank, found.next.rank) == (row["rank"] - 1, row["rank"] + 1)
    assert api.case(path, rows[0]["case"]).previous is None
    assert api.case(path, rows[-1]["case"]).next is None


def test_a_case_occurs_in_runs_and_repetitions_and_the_latest_is_shown(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as store:
        for suspicion in (0.9, 0.1):
            run = store.begin({**FACTS, "relation": "rtt", "system": "one", "target": "es"})
            for repetition in range(2):
                segment = Segment("s", Text("a", "en"), 0)
                store.add(run, [Outcome(segment, repetition, [case("a", suspicion + repetition / 100, "b")])])
        key = api.worst(store.path, [1], 1)[0]["case"]
    found = api.case(tmp_path / "w.sqlite", key)
    assert [(each.run, each.repetition, each.flagged) for each in found.occurrences] == [
        (2, 0, False), (2, 1, False), (1, 0, True), (1, 1, True),
    ]  # fmt: skip
    assert (found.row["run"], found.row["repetition"], found.record.id) == (2, 0, 2)
    found = api.case(tmp_path / "w.sqlite", key, run=1, repetition=1)
    assert (found.row["run"], found.row["repetition"]) == (1, 1)
    with pytest.raises(UserError, match=r"in run 7. Runs that have it: 2, 1"):
        api.case(tmp_path / "w.sqlite", key, run=7)


@pytest.mark.parametrize("key", ["", "zz", "00", "é", "ab" * 10_000, "\x00"])
def test_a_case_that_there_is_not_is_said_plainly(path, key):
    with pytest.raises(UserError, match="there is no case"):
        api.case(path, key)


def test_an_overview_has_counts_cells_and_trends(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as store:
        for corpus, suspicions in (("a", [0.9, 0.1]), ("b", [0.9]), ("a", [0.1, 0.1])):
            run = store.begin({**FACTS, "relation": "rtt", "system": "one", "target": "es", "corpus": corpus})
            for position, suspicion in enumerate(suspicions):
                segment = Segment("s", Text("a", "en"), position)
                store.add(run, [Outcome(segment, cases=[case(f"a{position}", suspicion, "b")])])
        store.finish(run)
        tallies = [store.tally(number) for number in (1, 2, 3)]
        store.claim()
        found = api.overview(tmp_path / "w.sqlite")
    assert [each.counts for each in found.runs] == tallies
    whole, begun = found.cells
    assert (whole.corpus, whole.finished, whole.runs, whole.cases, whole.flagged) == ("a", True, [3], 2, 0)
    assert (begun.corpus, begun.finished, begun.runs, begun.cases, begun.flagged) == ("b", False, [2], 1, 1)
    assert whole.interval[0] == whole.share == 0 < whole.interval[1]
    assert [[each.run.id for each in trend] for trend in found.trends] == [[1, 3], [2]]
    assert (found.unfinished, found.writing, found.labels) == ([1, 2], True, 0)
    assert api.overview(tmp_path / "w.sqlite").writing is False


def test_looking_whether_somebody_writes_keeps_nobody_from_writing(tmp_path):
    with Workspace(tmp_path / "w.sqlite") as one, Workspace(tmp_path / "w.sqlite") as other:
        assert not one.claimed()
        other.claim()
        assert one.claimed()


def test_a_workspace_without_a_run_has_an_overview_and_no_findings(tmp_path):
    Workspace(tmp_path / "w.sqlite").close()
    assert api.overview(tmp_path / "w.sqlite").runs == []
    assert api.cases(tmp_path / "w.sqlite").rows == []
    assert api.findings(tmp_path / "w.sqlite").findings == []
    assert api.problems(tmp_path / "w.sqlite").problems == []
    assert api.facets(tmp_path / "w.sqlite").total == 0
    assert api.counts(tmp_path / "w.sqlite") == {}


def test_the_command_line_has_the_same_filters(concord, path):
    shown = json.loads(
        concord(
            "show", "-w", str(path), "--relation", "rtt", "--system", "one", "--to", "es", "--domain", "news",
            "--text", "river", "--suspicion", "0.1:", "--limit", "100", "--by", "case", "--json",
        )[1]
    )  # fmt: skip
    wanted = Filter(
        relations=("rtt",), systems=("one",), targets=("es",), domains=("news",), text="river", least=0.1, flagged=None
    )
    rows = every(path, wanted)
    assert rows
    assert [row["case"] for row in shown["rows"]] == [row["case"] for row in rows]
    assert shown["total"] == len(rows)
    assert [run["run"] for run in shown["runs"]] == ["1"]


def test_the_command_line_filters_findings_by_label(concord, path):
    shown = json.loads(concord("show", "-w", str(path), "--label", "bad test", "--json")[1])
    verdicts = [[label["verdict"] for label in row["labels"]] for each in shown["findings"] for row in each["rows"]]
    assert verdicts
    assert all("bad test" in each for each in verdicts)
    code, out, _ = concord("show", "1", "-w", str(path), "--suspicion", ":0.9", "--limit", "1")
    assert code == 0
    assert "1 of " in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--suspicion", "high"), "--suspicion is a range such as 0.4:0.9"),
        (("--label", "maybe"), "there is no label 'maybe'"),
        (("--text", "x", "--errors"), "--errors takes no filter"),
        (("--text", "x", "--by", "word"), "there is no way to list cases 'word'"),
    ],
)
def test_the_command_line_says_what_is_wrong_with_a_filter(concord, path, words, said):
    code, _, err = concord("show", "-w", str(path), *words)
    assert code == 2
    assert said in err
