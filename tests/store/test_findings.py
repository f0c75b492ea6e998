"""Flagged cases that share one blamed translation are one finding, and findings that share a wrong word one problem."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sqlite3
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concord import api
from concord.api import Filter
from concord.errors import UserError
from concord.model import ROLES, Case, Outcome, Segment, Text
from concord.store import Workspace
from concord.store.findings import (
    OUTPUTS,
    WrongWord,
    contradiction_number,
    finding_number,
    problem_number,
    problems_of,
    suspects,
    translations,
)

OTHER = {"source_output": "follow_up_output", "follow_up_output": "source_output"}


def blame(word="jaços", role="source_output", *, of="beds", instead="encasta", why="mistranslation"):
    made = {"word": word, "role": role, "start": 0, "end": len(word), "why": why, "suspicion": 0.5}
    made |= {"of": of, "of_place": {"role": OUTPUTS[role], "start": 0, "end": len(of)}} if of else {}
    place = {"role": OTHER[role], "start": 0, "end": len(instead)}
    return made | ({"instead": instead, "instead_place": place} if instead else {})


def case(text="two beds", variant="beds", *blamed, outputs=("dos jaços", "encasta"), suspicion=0.9, **evidence):
    texts = Text(text, "en"), Text(variant, "en"), *(Text(words, "ca") for words in outputs)
    told = evidence | ({"blamed": list(blamed)} if blamed else {})
    return Case(*texts, compared=texts[2:], suspicion=suspicion, threshold=0.5, evidence=told)


@pytest.fixture
def stored(tmp_path, facts):
    """The path of a workspace with a run for each list, which has the cases of each sentence, or the only one."""

    def made(*runs, **more):
        path = tmp_path / "w.sqlite"
        with Workspace(path) as store:
            for number, sentences in enumerate(runs):
                relation = ("rti", "sit", "cat")[number % 3]
                run = store.begin(facts(relation, settings={}, signature=f"{number}", **more))
                for position, cases in enumerate(sentences):
                    segment = Segment(f"s{position}", Text(f"sentence {position}", "en"), position)
                    store.add(run, [Outcome(segment, cases=[cases] if isinstance(cases, Case) else cases)])
        return path

    return made


def row(*blamed, **more):
    made = case("two beds", "beds", *blamed, **more)
    texts = {role: asdict(getattr(made, role)) for role in ROLES}
    details = {"evidence": made.evidence, "factors": made.factors}
    return {**texts, **details, "system": "mt", "source_lang": "en", "target_lang": "ca"}


def roles(*blamed, **more):
    return [suspect.role for suspect in suspects(row(*blamed, **more))]


def test_a_word_with_a_counterpart_leaves_both_translations_suspect_the_more_suspicious_first():
    assert roles(blame()) == ["source_output", "follow_up_output"]
    assert roles(blame("encasta", "follow_up_output", instead="jaços")) == ["follow_up_output", "source_output"]


def test_a_word_without_a_counterpart_tells_whose_translation_is_wrong():
    assert roles(blame(instead="", why="addition")) == ["source_output"]
    assert roles(blame(instead="", why="untranslated")) == ["source_output"]


def test_what_one_translation_omits_is_the_fault_of_that_one():
    assert roles(blame(instead="", why="omission")) == ["follow_up_output"]


def test_without_a_blame_both_are_suspect_and_a_translation_that_stands_on_both_sides_is_one():
    assert roles() == ["source_output", "follow_up_output"]
    twice = row(outputs=("dos jaços", "dos jaços"))
    assert len(suspects(twice | {"follow_up": twice["source"]})) == 1


def test_of_a_round_trip_either_way_may_be_wrong():
    trip = row(blame("encasta", "follow_up_output", instead=""))
    assert len(suspects(trip | {"follow_up": trip["source_output"]})) == 2


@pytest.mark.parametrize(
    "junk", [None, 7, "x", [], [7], [{}], [{"role": []}], {"role": "source"}, [{"role": "text", "start": 0, "end": 9}]]
)
def test_no_evidence_of_a_stranger_breaks_it(junk):
    for name in ("blamed", "places", "reason"):
        strange = row() | {"evidence": {name: junk}}
        assert {suspect.translation for suspect in suspects(strange)} == set(translations(strange).values())
        problems_of(strange)


def test_each_suspect_has_its_own_wrong_word_and_both_together_a_third():
    one, other = suspects(row(blame()))
    assert (*one.wrong,) == ("beds", "jaços", "mistranslation")
    assert (*other.wrong,) == ("beds", "encasta", "mistranslation")
    assert [wrong.wrong_word for wrong in problems_of(row(blame())).values()] == ["jaços", "encasta", "jaços / encasta"]


def test_a_relation_without_blames_names_the_wrong_words_by_their_places():
    places = [
        {"role": "source", "start": 0, "end": 3, "kind": "changed"},
        {"role": "source_output", "start": 0, "end": 3, "kind": "changed"},
    ]
    assert (*suspects(row(places=places))[0].wrong,) == ("two", "dos", "changed")
    assert (*suspects(row(reason="copy", places=places))[0].wrong,) == ("", "", "copy")
    answer = row(reason="The answer has 8 characters.") | {"factors": {"failure": "length"}}
    assert (*suspects(answer)[0].wrong,) == ("", "", "length")
    assert suspects(row(places=[places[0] | {"kind": "phrase"}]))[0].wrong is None


def test_a_problem_is_the_same_whatever_the_case_of_its_words_and_another_in_another_system():
    small, large = (row(blame(of=of)) for of in ("beds", "Beds"))
    numbers = [problem_number(each, suspects(each)[0].wrong) for each in (small, large, large | {"system": "b"})]
    assert numbers[0] == numbers[1] != numbers[2]


def test_numbers_that_went_wrong_in_the_same_way_are_one_problem():
    kept, other, changed = (
        problem_number(row(), WrongWord(of, word, "changed"))
        for of, word in (
            ("1,500 million", "1,500 millones"),
            ("30,982 million", "30,982 millones"),
            ("2 million", "3 millones"),
        )
    )
    assert kept == other
    assert changed != problem_number(row(), WrongWord("4 million", "5 millones", "changed"))


# -- from the index -----------------------------------------------------------------------------


def listed(path, **wanted):
    return api.findings(path, Filter(**wanted)).findings


def test_cases_of_several_relations_that_share_a_translation_are_one_finding(stored):
    path = stored(
        [case("two beds", "beds", blame(), suspicion=0.6)],
        [case("two beds", "two cats", blame(), outputs=("dos jaços", "dos gats"), suspicion=0.9)],
        [case("two dogs", "dogs", blame(), outputs=("dos gossos", "gos"), suspicion=0.8)],
    )
    first, second = listed(path)
    assert (first.cases, dict(first.relations), first.sentences) == (2, {"rti": 1, "sit": 1}, 1)
    assert [each.output for each in first.translations] == ["dos jaços"]
    assert first.rows[0]["relation"] == "rti"  # both are the first of their run
    assert (second.cases, [each.output for each in second.translations]) == (1, ["dos gossos", "gos"])


def test_the_translation_in_more_cases_is_blamed_and_its_word_is_the_wrong_one(stored):
    path = stored(
        [
            case("two beds", "beds", blame()),
            case("three beds", "beds", blame(), outputs=("tres jaços", "encasta")),
        ]
    )
    (finding,) = listed(path)
    assert [each.output for each in finding.translations] == ["encasta"]
    assert finding.wrong.wrong_word == "encasta"
    assert finding.sentences == 2
    (problem,) = api.problems(path).problems
    assert (*problem.wrong,) == ("beds", "encasta", "mistranslation")
    assert (problem.sentences, problem.findings, problem.cases) == (2, 1, 2)


WATER = blame("agua", "follow_up_output", of="water", instead="abrevar")
LONGER = {
    "water from the well": "abrevar del pozo",
    "tests on the water from the well": "pruebas en abrevar del pozo",
    "They made tests on the water from the well.": "Hicieron pruebas en abrevar del pozo.",
}


def within(text, part="water", *blamed, outputs=()):
    return case(text, part, *(blamed or [WATER]), outputs=outputs or (LONGER[text], "agua"))


def test_longer_phrases_that_contain_each_other_contradict_a_phrase_once(stored):
    (finding,) = listed(stored([[within(text) for text in LONGER]]))
    assert (finding.cases, finding.sentences, finding.wrong.wrong_word) == (3, 1, "abrevar / agua")
    assert [each.output for each in finding.translations] == ["agua", "abrevar del pozo"]


def test_a_sentence_that_is_wrong_in_another_word_is_not_wrong_in_this_one(stored):
    well = blame("pozo", of="well", instead="bien")
    *_, text = LONGER
    path = stored([[within(text, "the well", well, outputs=(LONGER[text], "el bien")), *map(within, LONGER)]])
    assert {(finding.cases, finding.wrong.wrong_word) for finding in listed(path)} == {
        (1, "pozo / bien"), (3, "abrevar / agua"),
    }  # fmt: skip


def test_where_either_may_be_wrong_the_translation_in_most_cases_stands_for_both(stored):
    well = blame("bien", "follow_up_output", of="well", instead="pozo")
    *_, text = LONGER
    (finding,) = listed(stored([[within(text), within(text, "the well", well, outputs=(LONGER[text], "el bien"))]]))
    assert (finding.cases, len(finding.translations)) == (2, 2)
    assert finding.translations[0].output == LONGER[text]


def test_a_phrase_is_contradicted_by_every_sentence_in_which_it_stands(stored):
    (finding,) = listed(stored([[within(text)] for text in LONGER]))
    assert (finding.sentences, finding.wrong.wrong_word) == (3, "agua")


def variant(output):
    told = blame(output, "follow_up_output", instead="jaços")
    return case("two beds", f"beds: {output}", told, outputs=("dos jaços", output))


def test_each_variant_contradicts_a_translation(stored):
    (finding,) = listed(stored([[variant("llits"), variant("encasta")]]))
    assert (finding.cases, finding.wrong.wrong_word) == (2, "jaços")


def test_what_names_no_word_counts_against_every_word(stored):
    told = blame("encasta", "follow_up_output", instead="jaços")
    phrase = case("two beds", "beds", told, outputs=("dos jaços", "encasta"))
    detour = case("two beds", "zwei Betten", outputs=("dos jaços", "dos llits"))
    (finding,) = listed(stored([phrase], [detour]))
    assert (finding.cases, finding.wrong.wrong_word, len(finding.translations)) == (2, "jaços", 1)


def test_relations_that_ask_the_same_contradict_a_translation_once(stored):
    told = blame("encasta", "follow_up_output", instead="jaços")
    phrases = [
        case(text, "beds", told, outputs=(output, "encasta"))
        for text, output in (("two beds", "dos jaços"), ("three beds", "tres jaços"))
    ]
    path = stored(phrases, [variant("llits")], [variant("llits")])
    found = {each.wrong.wrong_word: each.cases for each in api.problems(path).problems}
    assert found == {"jaços": 2, "jaços / encasta": 1, "encasta": 1}


def test_problems_come_by_how_many_sentences_they_touch(stored):
    once = blame("dos", of="two", instead="dues")
    path = stored(
        [
            case("two x", "two", once, outputs=("dos x", "dues"), suspicion=1.0),
            *(case(f"beds {n}", f"{n} beds", blame(), outputs=(f"jaços {n}", f"{n} encasta")) for n in range(3)),
            case("no word", "is blamed", outputs=("cap", "paraula"), suspicion=0.8),
        ]
    )
    found = api.problems(path)
    assert [(each.wrong.source_word, each.sentences, each.findings) for each in found.problems] == [
        ("beds", 3, 3),
        ("two", 1, 1),
    ]
    assert found.problems[0].wrong.wrong_word == "jaços / encasta"
    assert [row["text"] for row in found.problems[0].rows] == ["sentence 1", "sentence 2", "sentence 3"]
    assert found.total == 2
    assert api.problems(path, after="1", limit=1).problems == found.problems[1:]


@pytest.mark.parametrize("after", ["x", "-1", "9" * 5000, "1.0"])
def test_an_address_that_is_no_page_of_problems_is_refused(stored, after):
    with pytest.raises(UserError, match="begin with the first page"):
        api.problems(stored([case()]), after=after)


def test_other_systems_and_directions_have_findings_of_their_own(tmp_path, facts):
    path = tmp_path / "w.sqlite"
    with Workspace(path) as store:
        for system, target in (("a", "ca"), ("b", "ca"), ("a", "es")):
            run = store.begin(facts("rti", settings={}, signature=system + target, system=system, target=target))
            store.add(run, [Outcome(Segment("s", Text("two beds", "en"), 0), cases=[case()])])
    assert len(listed(path)) == 3


def test_a_damaged_row_is_one_row_with_an_error_and_no_finding(stored):
    path = stored([case("two beds", "beds"), case("three", "x", outputs=("a", "b"))])
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE cases SET body = '{}' WHERE position = 0")
    assert [finding.rows[0]["source"]["words"] for finding in listed(path)] == ["three"]
    assert api.show(path, errors=True).total == 1


def slowly(rows):
    """The findings of flagged cases, said a second time: by number, the cases of each with what is wrong."""
    cases = Counter(finding_number(row, suspect.translation) for row in rows for suspect in suspects(row))
    contradictions = {
        (word_number(row, suspect), contradiction_number(row, suspect)) for row in rows for suspect in suspects(row)
    }
    votes = Counter(word for word, _ in contradictions)
    found: dict[int, list] = {}
    for row in rows:
        of = {}
        for suspect in suspects(row):
            number, problem = word_number(row, suspect)
            of[number] = votes[number, problem] + (votes[number, 0] if problem else 0), suspect.wrong
        most = max(vote for vote, _ in of.values())
        equal = {number: wrong for number, (vote, wrong) in of.items() if vote == most}
        blamed = max(equal, key=cases.__getitem__)  # of equals the first
        found.setdefault(blamed, []).append((row, list(equal.values())))
    return found


def word_number(row, suspect):
    return finding_number(row, suspect.translation), problem_number(row, suspect.wrong)


TEXTS = st.sampled_from(["beds", "a bed", "two beds"])
CASES = st.builds(
    lambda text, variant, one, two, role, instead, of, suspicion: case(
        text,
        variant,
        *([] if of is None else [blame(one, role, of=of, instead=instead)]),
        outputs=(one, two),
        suspicion=suspicion,
    ),
    TEXTS,
    TEXTS,
    st.sampled_from(["llit", "jaç"]),
    st.sampled_from(["llit", "encasta"]),
    st.sampled_from(list(OUTPUTS)),
    st.sampled_from(["", "x", "y"]),
    st.sampled_from(["beds", "", None]),
    st.sampled_from([0.3, 0.6, 0.9, 0.9]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    runs=st.lists(st.lists(CASES, max_size=6), min_size=1, max_size=3),
    relations=st.sampled_from([(), ("rti",), ("sit", "cat")]),
    sort=st.sampled_from(["rank", "suspicion", "position"]),
    reverse=st.booleans(),
)
def test_the_index_groups_as_the_definition_does(tmp_path, stored, runs, relations, sort, reverse):
    Path(tmp_path / "w.sqlite").unlink(missing_ok=True)
    path = stored(*runs)
    every = api.cases(path, Filter(), limit=1000).rows
    wanted = Filter(relations=relations, sort=sort, reverse=reverse)
    passing = [(row["run"], row["case"]) for row in api.cases(path, wanted, limit=1000).rows]
    expected = [{(row["run"], row["case"]) for row, _ in rows} & set(passing) for rows in slowly(every).values()]
    found = api.findings(path, wanted, limit=1000).findings
    made = [{(row["run"], row["case"]) for row in finding.rows} for finding in found]
    assert sorted(map(sorted, made)) == sorted(map(sorted, filter(None, expected)))
    firsts = [min(map(passing.index, members)) for members in made]
    assert firsts == sorted(firsts)  # findings come in the order of their first case


def words_of(wrongs):
    """Two words of which either may be wrong are one problem in whatever order they stand."""
    words = [word for wrong in wrongs for word in wrong.wrong_word.split(" / ")]
    return wrongs[0].source_word, *sorted(set(words)), wrongs[0].kind


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs=st.lists(st.lists(CASES, max_size=6), min_size=1, max_size=3))
def test_a_problem_has_the_findings_with_a_case_of_these_words(tmp_path, stored, runs):
    Path(tmp_path / "w.sqlite").unlink(missing_ok=True)
    path = stored(*runs)
    expected: dict[tuple[str, ...], list] = {}
    for number, cases in slowly(api.cases(path, limit=1000).rows).items():
        for row, wrongs in cases:
            if None not in wrongs:
                expected.setdefault(words_of(wrongs), []).append((number, row["text"]))
    found = {words_of([problem.wrong]): problem for problem in api.problems(path, limit=1000).problems}
    assert found.keys() == expected.keys()
    for key, problem in found.items():
        findings, sentences = (len(set(column)) for column in zip(*expected[key], strict=True))
        assert (problem.sentences, problem.findings, problem.cases) == (sentences, findings, len(expected[key]))
    sizes = [problem.sentences for problem in found.values()]
    assert sizes == sorted(sizes, reverse=True)


# -- exported -------------------------------------------------------------------------------------


@pytest.fixture
def shared(stored):
    """A workspace with two findings of which the first has cases of two relations, and two problems."""
    return stored(
        [case("two beds", "beds", blame(), suspicion=0.6)],
        [case("two beds", "two cats", blame(), outputs=("dos jaços", "dos gats"), suspicion=0.9)],
        [case("two dogs", "dogs", blame(of="dogs"), outputs=("dos gossos", "gos"), suspicion=0.8)],
    )


def exported(path, kind, format, **wanted):
    file = path.with_name(f"{kind}.{format}")
    count = api.export(path, (), file, kind=kind, filters=Filter(**wanted))
    read = {
        "jsonl": lambda: list(map(json.loads, file.read_text().splitlines())),
        "csv": lambda: list(csv.DictReader(io.StringIO(file.read_text()))),
        "parquet": lambda: parquet.read_table(file).to_pylist(),
    }
    rows = read[format]()
    assert len(rows) == count
    return rows


@pytest.mark.parametrize("kind", ["finding", "problem"])
def test_findings_and_problems_are_exported_as_show_prints_them(shared, kind):
    shown = api.show(shared, Filter(), by=kind).plain()[f"{kind}s"]
    if kind == "finding":
        shown = [each | {"rows": each["rows"][:1]} for each in shown]
    assert exported(shared, f"{kind}s", "jsonl") == json.loads(json.dumps(shown))


def test_a_finding_is_one_line_of_a_table(shared):
    first, second = exported(shared, "findings", "csv")
    assert (first["relation"], first["cases"], first["sentences"], first["relations"]) == (
        "rti", "2", "1", '{"rti": 1, "sit": 1}',
    )  # fmt: skip
    assert (first["segment"], first["text"], first["either"]) == ("s0", "sentence 0", "False")
    assert (first["blamed_text"], first["blamed_translation"]) == ("two beds", "dos jaços")
    assert (first["other_text"], first["other_translation"]) == ("beds", "encasta")
    assert (first["source_word"], first["wrong_word"], first["kind"]) == ("beds", "jaços", "mistranslation")
    assert first["reason"].startswith("“beds” is “jaços” in the")
    assert (second["either"], second["blamed_translation"], second["other_translation"]) == (
        "True",
        "dos gossos",
        "gos",
    )


def test_a_translation_without_another_beside_it_is_a_line_as_well(stored):
    copy = case("two beds", "two beds", outputs=("two beds", "two beds"), reason="The answer is a copy.")
    (line,) = exported(stored([copy]), "findings", "csv")
    assert (line["blamed_translation"], line["other_translation"], line["either"]) == ("two beds", "", "False")


def test_a_problem_is_one_line_of_a_table(shared):
    lines = exported(shared, "problems", "csv")
    assert [(line["source_word"], line["sentences"], line["findings"], line["cases"]) for line in lines] == [
        ("beds", "1", "1", "2"), ("dogs", "1", "1", "1"),
    ]  # fmt: skip
    assert lines[0]["reason"].startswith("“beds” is “jaços”")


@pytest.mark.parametrize("kind", ["cases", "findings", "problems"])
def test_a_parquet_file_has_the_lines_of_the_table(shared, kind):
    table = exported(shared, kind, "csv")
    assert [
        {name: "" if cell is None else str(cell) for name, cell in line.items()}
        for line in exported(shared, kind, "parquet")
    ] == table


def test_filters_choose_the_cases_by_which_findings_are_exported(shared):
    (line,) = exported(shared, "findings", "csv", relations=("sit",))
    assert (line["relation"], line["cases"]) == ("sit", "1")
    (line,) = exported(shared, "problems", "csv", text="gossos")
    assert line["source_word"] == "dogs"


def test_what_was_flagged_by_nothing_exports_a_table_without_lines(stored):
    path = stored([case(suspicion=0.1)])
    assert exported(path, "findings", "csv") == exported(path, "problems", "jsonl") == []
