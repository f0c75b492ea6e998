"""Notes on runs: one line of each kind, whatever the number of runs, and the answers that are no translations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from concord.model import Case, Outcome, Text
from concord.runs.summary import Summary, summary
from concord.store import RunRecord, Workspace
from concord.views.notes import LONGEST, MOST, failed_answers, merged, notes

FREEDICT = "no dictionary of FreeDict's for {}. If Debian has it: apt-get install {}"
OWN = "Apertium's own dictionaries do not explain what Apertium says; --dictionaries all uses them"
RELATIONS = ("sane", "literals", "sit", "cat", "rti", "rtt", "mgmt", "patinv", "semmt", "transrepair")


def run(number: int, relation: str = "sit", **facts: Any) -> Summary:
    named = {"system": "fake", "source": "en", "target": "es", "corpus": "demo#x", "seed": 1, "settings": {}}
    usual = {"notes": [], "fresh": False, "started": "", "finished": "2025-11-15", "asked": 0, "sent": 0, "cached": 0}
    counts = {
        "checks": 40,
        "bare": 0,
        "cases": 40,
        "flagged": 0,
        "not_judged": 0,
        "errors": 0,
        "failures": {},
        "untested": {},
    }
    own = {name: facts.pop(name) for name in [*counts] if name in facts}
    record = RunRecord(
        **{"id": number, "signature": "", "relation": relation, "seconds": 0.0, **named, **usual, **facts}
    )
    return Summary(record, **(counts | own))


def test_a_note_that_runs_share_is_one_line_with_their_relations_and_their_number() -> None:
    said = notes([run(1, "sane"), run(2, "sit", notes=[OWN]), run(3, "rti", notes=[OWN]), run(4, "rti", notes=[OWN])])
    assert said == [f"sit and rti, runs 2-4: {OWN}"]


def test_a_note_of_all_runs_names_none() -> None:
    assert notes([run(1, notes=[OWN])]) == notes([run(1, notes=[OWN]), run(2, notes=[OWN])]) == [OWN]


def test_the_note_of_a_single_run_says_which() -> None:
    assert notes([run(6, "pivot", notes=["there is only one pivot: ca"]), run(7, "rtt")]) == [
        "pivot, run 6: there is only one pivot: ca"
    ]


def test_notes_that_differ_in_few_words_list_them_and_their_command_can_be_copied() -> None:
    pairs = [("en→es", "dict-freedict-eng-spa"), ("en→ca", "dict-freedict-eng-cat"), ("en→eo", "dict-freedict-eng-epo")]
    assert notes([run(number, notes=[FREEDICT.format(*pair)]) for number, pair in enumerate(pairs, 1)]) == [
        "no dictionary of FreeDict's for en→es, en→ca and en→eo. If Debian has it:"
        " apt-get install dict-freedict-eng-spa dict-freedict-eng-cat dict-freedict-eng-epo"
    ]


def test_numbers_that_belong_together_are_not_torn_apart() -> None:
    said = ["3 of 40 texts were too long for rti", "5 of 60 texts were too long for rti"]
    assert [note for note, _ in merged((note, None) for note in said)] == said


def test_a_note_says_how_many_checks_are_not_judged() -> None:
    assert notes([run(1, not_judged=3), run(2, not_judged=1)]) == [
        "not judged: 4 checks whose answer is no translation or whose text is too long (show --errors)"
    ]


def test_notes_that_differ_in_more_words_stay_apart() -> None:
    assert [note for note, _ in merged([("one two three", 1), ("one six seven", 2), ("one two three four", 3)])] == [
        "one two three",
        "one six seven",
        "one two three four",
    ]


def test_checks_without_a_case_are_one_line_with_the_numbers_of_each_relation() -> None:
    runs = [
        run(1, bare=18),
        run(2, "cat", bare=7),
        run(3, "cat", bare=9),
        run(4, "rtt"),
        run(5, "mgmt", bare=12, checks=200),
    ]
    assert notes(runs) == [
        "checks without a case, because there was nothing to test: sit 18 of 40, cat 7–9 and mgmt 12 of 200"
    ]


def test_a_relation_says_why_it_has_nothing_to_test_the_most_frequent_reason_first():
    runs = [
        run(1, bare=18, untested={"no noun": 4, "no word with a substitute": 12, "": 2}),
        run(2, bare=9, untested={"no noun": 9}),
        run(3, "cat", bare=7, untested={"": 7}),
    ]
    assert notes(runs) == [
        "checks without a case, because there was nothing to test: sit 9–18 of 40"
        " (0–12 no word with a substitute, 4–9 no noun) and cat 7"
    ]


def test_a_reason_that_is_the_only_one_is_told_without_its_count() -> None:
    runs = [run(1, bare=7, untested={"no noun": 7}), run(2, "cat", bare=5, untested={"no noun": 3, "": 2})]
    assert notes(runs) == [
        "checks without a case, because there was nothing to test: sit 7 of 40 (no noun) and cat 5 (3 no noun)"
    ]


def test_runs_that_are_not_finished_are_named_by_their_numbers() -> None:
    open_runs = [run(number, finished=None, bare=3) for number in (1, 2, 3, 6)]
    assert notes(open_runs) == ["not finished: run 1-3,6; run the same command again to continue"]


def test_ten_relations_on_two_systems_and_two_directions_have_less_than_ten_lines() -> None:
    runs = []
    for system, own in (("apertium", [OWN]), ("command:cat", [])):
        for to, package, digest in (("es", "eng-spa", "#2a20108c"), ("ca", "eng-cat", "#d6f52caf")):
            for number, relation in enumerate(RELATIONS):
                used = (
                    [f"differences are also explained by apertium-{package}{digest}"] if system != "apertium" else own
                )
                without = [f"without 'depend' for '{to}': the paper's distance is by the trees' phrases"]
                all_notes = [*without * (relation == "sit"), FREEDICT.format(f"en→{to}", f"dict-{package}"), *used]
                counts = {"bare": number, "not_judged": number}
                runs.append(run(len(runs) + 1, relation, system=system, target=to, notes=all_notes, **counts))
    apart = [
        f"{relation} en→{to}: command:cat is not compared with apertium, as no segment was judged in both"
        for relation in RELATIONS
        for to in ("es", "ca")
    ]
    assert sum(len(summary.notes) for summary in runs) + len(apart) == 104
    said = notes(runs, apart)
    assert len(said) == 7
    assert all(len(line) < 250 for line in said)


def test_the_notes_of_a_strangers_workspace_are_bounded_in_number_and_length() -> None:
    foreign = [" ".join(f"{number}x{place}" for place in range(200)) for number in range(MOST + 30)]
    said = notes([run(1, notes=foreign), run(2)])
    assert len(said) == MOST + 1
    assert said[-1] == "sit, run 1: further notes, which --json lists"
    assert max(map(len, said)) < LONGEST + 30
    many = notes([run(number, f"relation{number}", notes=[f"the note n{number} is said"]) for number in range(500)])
    assert many == ["the note n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10 and 489 more is said"]


@pytest.mark.parametrize(
    ("flagged", "failures", "line"),
    [
        (
            287,
            {"copy": 286, "loop": 1},
            "fake en→es: 287 of 288 answers are no translations (286 copied and 1 loop). Other relations do not judge"
            " them.",
        ),
        (1, {"empty": 1}, "fake en→es: 1 of 288 answers is no translation (1 empty). Other relations do not judge it."),
        (
            14,
            {"copy": 9, "x": 1},
            "fake en→es: 14 of 288 answers are no translations (9 copied and 1 x). Other relations do not judge them.",
        ),
    ],
)
def test_answers_that_are_no_translations_are_counted_by_kind(
    flagged: int, failures: dict[str, int], line: str
) -> None:
    checked = run(1, "sane", checks=288, cases=288, flagged=flagged, failures=failures)
    assert failed_answers([checked, run(2, "sit", flagged=3)]) == [line]


def test_the_kinds_of_failures_are_read_from_the_flagged_rows_of_sane(
    workspace: Workspace, begin: Callable[..., RunRecord], outcome: Callable[..., Outcome]
) -> None:
    sane = begin(relation="sane")
    kinds = ["copy", "none", "empty", "copy", "\x1b[31m" * 100]
    text = Text("A cat", "en")
    cases = [
        Case(text, text, text, text, (text, text), float(kind != "none"), 0.5, factors={"failure": kind})
        for kind in kinds
    ]
    workspace.add(sane, [outcome(case, position=position) for position, case in enumerate(cases)])
    with workspace.writing() as db:
        db.execute("UPDATE cases SET body = 'damaged' WHERE position = 3")
    assert [*summary(workspace, sane.id).failures.items()][:2] == [("copy", 1), ("empty", 1)]
    assert max(map(len, summary(workspace, sane.id).failures)) == 100
    other = begin(relation="rtt")
    workspace.add(other, [outcome(cases[0])])
    assert summary(workspace, other.id).failures == {}
