from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from concord import api
from concord.model import Case, Outcome, Text
from concord.runs.summary import summary
from concord.store import RunRecord, Spent, Workspace
from concord.views import terminal
from concord.views.terminal import print_cases, print_notes, print_runs, print_summary, print_table
from concord.views.wording import number

HOSTILE = "[red]x[/red] :smile: \x1b[31mred\x1b]0;title\x07 \u202egnp.exe \x00 \x9b2J \r\n#1  fake [/]"
ESCAPES = re.compile(r"\x1b\[[\d;]*m")

Begin = Callable[..., RunRecord]
MakeCase = Callable[..., Case]
MakeOutcome = Callable[..., Outcome]


def piped() -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=80)


def screen(width: int = 100, **more: Any) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=width, **({"color_system": "standard"} | more))


def text(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def squeezed(line: str) -> str:
    return " ".join(line.split())


def shown(rows: list[dict[str, Any]], console: Console) -> str:
    print_cases(rows, console)
    return text(console)


@pytest.fixture
def worst(workspace: Workspace, begin: Begin, outcome: MakeOutcome) -> Callable[..., list[dict[str, Any]]]:
    def made(*cases: Case, **facts: Any) -> list[dict[str, Any]]:
        run = begin()
        workspace.add(run, [outcome(*cases, **facts)])
        return api.worst(workspace.path, [run.id], 10)

    return made


def test_the_summary_has_a_row_for_each_run_and_says_of_texts_only_if_verbose(
    workspace: Workspace, begin: Begin, case: MakeCase, outcome: MakeOutcome
) -> None:
    first = begin(notes=["there is only one pivot: ca"])
    second = begin(target="ca", system="apertium")
    rows = [outcome(case(), position=0), outcome(case(suspicion=0.1), position=1), outcome(position=2, error="no")]
    workspace.add(first, rows, spent=Spent(first.id, asked=9, sent=7, cached=2, seconds=1.26))
    workspace.finish(first)
    console = piped()
    print_summary([summary(workspace, run.id) for run in (first, second)], console)
    head, *body = text(console).splitlines()
    assert squeezed(head) == "run system from→to relation cases flagged not judged errors seconds"
    assert squeezed(body[0]) == "1 fake en→es pivot 2 1 (50.0%) 0 1 1.3"
    assert squeezed(body[1]) == "2 apertium en→ca pivot 0 – 0 0 0.0"
    assert body[2:] == [""]
    console = piped()
    print_summary([summary(workspace, first.id)], console, verbose=True)
    head, row, *_ = text(console).splitlines()
    assert squeezed(head).endswith("errors seconds asked sent cached")
    assert squeezed(row).endswith(" 1.3 9 7 2")
    console = piped()
    print_notes([summary(workspace, run.id) for run in (first, second)], [], console)
    assert text(console).splitlines() == [
        "Notes:",
        "  -  not finished: run 2; run the same command again to continue",
        "  -  pivot, run 1: there is only one pivot: ca",
    ]


def test_without_a_note_nothing_is_said_of_notes(workspace: Workspace, begin: Begin) -> None:
    run = begin()
    workspace.finish(run)
    console = piped()
    print_notes([summary(workspace, run.id)], [], console)
    assert text(console) == ""


def test_a_system_that_translates_nothing_is_named_below_the_table(
    workspace: Workspace, begin: Begin, case: MakeCase, outcome: MakeOutcome
) -> None:
    run = begin(relation="sane", system="command:\x1b[31mcat")
    workspace.add(run, [outcome(case(factors={"failure": "copy"}))])
    console = piped()
    print_summary([summary(workspace, run.id)], console)
    line = "command:␛[31mcat en→es: 1 of 1 answer is no translation (1 copied). Other relations do not judge it."
    assert line in text(console).splitlines()[2]


def test_shares_below_each_other_are_aligned(
    workspace: Workspace, begin: Begin, case: MakeCase, outcome: MakeOutcome
) -> None:
    runs = [begin() for _ in range(3)]
    for run, suspicions in zip(runs, ([1, 1], [0, 0], [0, 1, 0]), strict=True):
        workspace.add(run, [outcome(case(suspicion=s), position=place) for place, s in enumerate(suspicions)])
    console = piped()
    print_summary([summary(workspace, run.id) for run in runs], console)
    assert [line[line.index("pivot") + 15 : line.index("%)") + 2] for line in text(console).splitlines()[1:4]] == [
        "  2  (100%)",
        "  0  (0.0%)",
        "  1 (33.3%)",
    ]


def test_a_heading_of_two_words_is_broken_where_the_table_is_too_wide() -> None:
    for width, lines in ((13, 3), (21, 2)):
        console = screen(width)
        print_table(("cases", "not judged"), [("1", "2")], console)
        head, *rest = [line.rstrip() for line in ESCAPES.sub("", text(console)).splitlines()]
        assert len([head, *rest]) == lines + 1, width
        assert rest[-1].split() == ["1", "2"]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_a_table_loses_nothing_at_any_width(width: int) -> None:
    rows = [("alpha", "a rather long purpose " * 5, 12345), ("b" * 50, "short", 1)]
    console = screen(width)
    print_table(("name", "what it is", "count"), rows, console)
    plain = ESCAPES.sub("", text(console))
    for word in ("alpha", "12345", "short"):
        assert word in plain
    assert plain.count("b") == 50
    assert plain.count("purpose") == 5
    assert "…" not in plain
    assert max(map(len, plain.splitlines())) <= width


def test_a_piped_table_has_one_line_per_row_however_long() -> None:
    console = piped()
    print_table(("name", "value"), [("a", "long " * 100), ("b", "x\ny")], console)
    assert [len(line.split()) for line in text(console).splitlines()] == [2, 101, 3]


def test_a_table_without_rows_is_its_heading() -> None:
    console = piped()
    print_table(("name", "value"), [], console)
    assert text(console).split() == ["name", "value"]


def test_runs_are_listed_with_state_and_signature(workspace: Workspace, begin: Begin) -> None:
    workspace.finish(begin())
    begin(signature="rtt|other")
    console = piped()
    print_runs(workspace.runs(), console)
    _, first, second = text(console).splitlines()
    assert "2025-11-15 20:30  finished " in first
    assert first.endswith("pivot|threshold:0.5|en-es|mt:fake@1|corpus:demo#x|seed:1|v:0.1.0")
    assert second.split()[-2:] == ["unfinished", "rtt|other"]


def test_a_case_tells_rank_verdict_place_texts_and_scores(worst: Any, case: MakeCase) -> None:
    lines = shown(worst(case(evidence={"missing": ["viejo"]})), piped()).splitlines()
    assert lines[1] == "#1  pivot  fake  en→es  suspicion 0.59 > threshold 0.5: flagged  news-0 (news)"
    assert [squeezed(line) for line in lines[2:10]] == [
        "The translation has “viejo”; the translation of the variant has “antiguo”.",
        "text [en] The old bridge is closed.",
        "≠ translation [es] El puente «viejo» está cerrado.",
        "variant, pivot [ca] El pont vell està tancat.",
        "≠ translation of the variant [es] El puente «antiguo» está cerrado.",
        "scores chrf 0.41 (0…1, higher is better)",
        "factors pivot: ca",
        "evidence missing: viejo",
    ]


def test_a_case_below_its_threshold_says_so(worst: Any, case: MakeCase) -> None:
    assert "suspicion 0.1 ≤ threshold 0.5: not flagged" in shown(worst(case(suspicion=0.1)), piped())


def test_no_text_is_shown_twice(worst: Any, case: MakeCase) -> None:
    said = shown(worst(case()), piped())
    assert said.count("El pont vell") == 1
    assert said.count("The old bridge") == 1


def test_a_round_trip_shows_the_source_among_the_compared(worst: Any, case: MakeCase) -> None:
    there, back = Text("Hola mundo", "es"), Text("Hello earth", "en")
    source = Text("Hello world", "en")
    made = case(
        source=source, source_output=there, follow_up=there, follow_up_output=back, compared=(source, back), steps={}
    )
    lines = shown(worst(made, text=source), piped()).splitlines()
    assert lines[3].split("  ")[-1] == "Hello «world»"
    assert re.search(r"translation \[es\] +Hola mundo", lines[4])
    assert lines[5].split("  ")[-1] == "Hello «earth»"


def test_equal_texts_that_were_compared_are_shown_once_by_both_names(worst: Any, case: MakeCase) -> None:
    same = Text("Igual.", "es")
    said = shown(worst(case(source_output=same, follow_up_output=same, suspicion=0.0)), piped())
    assert re.search(r"= translation, translation of the variant \[es\] +Igual\.\n", said)


def test_compared_texts_without_a_role_are_shown_as_first_and_second(worst: Any, case: MakeCase) -> None:
    said = shown(worst(case(compared=(Text("puente", "es"), Text("pont", "es")))), piped())
    assert re.search(r"≠ first \[es\] +«puente»", said)
    assert re.search(r"≠ second \[es\] +«pont»", said)


def test_with_colours_the_words_that_differ_are_bold_red_and_underlined(worst: Any, case: MakeCase) -> None:
    said = shown(worst(case()), screen())
    assert "\x1b[1;4;31mviejo\x1b[0m" in said
    assert "«" not in said


@pytest.mark.parametrize("console", [piped(), screen(no_color=True), screen(color_system=None)])
def test_without_colours_the_words_that_differ_stand_in_guillemets(
    worst: Any, case: MakeCase, console: Console
) -> None:
    said = ESCAPES.sub("", shown(worst(case()), console))
    assert "El puente «viejo» está cerrado." in said
    assert "El puente «antiguo» está cerrado." in said


def test_texts_with_guillemets_of_their_own_are_marked_otherwise(worst: Any, case: MakeCase) -> None:
    texts = {"source_output": Text("dijo «sí»", "es"), "follow_up_output": Text("dijo «no»", "es")}
    assert "dijo «⟦sí⟧»" in shown(worst(case(**texts)), piped())


def test_a_blank_that_differs_can_be_seen(worst: Any, case: MakeCase) -> None:
    texts = {"source_output": Text("a b", "es"), "follow_up_output": Text("a  b", "es")}
    assert "a«␣␣»b" in shown(worst(case(**texts)), piped())


@pytest.mark.parametrize("console", [piped(), screen(), screen(50), screen(30)])
def test_no_text_is_taken_for_markup_or_for_a_control_sequence(
    workspace: Workspace, begin: Begin, case: MakeCase, outcome: MakeOutcome, console: Console
) -> None:
    bad = Text(HOSTILE, HOSTILE)
    made = case(
        source=bad, follow_up=Text("f" + HOSTILE, "x"), source_output=Text("a" + HOSTILE, "x"),
        follow_up_output=Text("b" + HOSTILE, "x"), steps={HOSTILE: Text("s" + HOSTILE, HOSTILE)},
        scores={HOSTILE: 0.5}, factors={HOSTILE: HOSTILE}, evidence={HOSTILE: [HOSTILE, {HOSTILE: [HOSTILE]}]},
    )  # fmt: skip
    run = begin(system=HOSTILE, relation=HOSTILE, signature=HOSTILE, target=HOSTILE)
    facts = {"id": HOSTILE, "domain": HOSTILE, "text": bad}
    workspace.add(run, [outcome(made, **facts), outcome(position=1, error=HOSTILE, **facts)])
    print_summary([summary(workspace, run.id)], console)
    print_runs([run], console)
    failed = api.show(workspace.path, errors=True).rows
    print_cases([*api.worst(workspace.path, [run.id], 5), *failed], console)
    said = text(console)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", ESCAPES.sub("", said))
    # The texts' own escape sequences are there to be read; the styles in use are all that is left to obey.
    assert not re.search(r"\x1b\[31mred", said)
    unwrapped = re.sub(r"\s", "", ESCAPES.sub("", said))
    assert unwrapped.count("[red]x[/red]") >= 10
    assert ":smile:" in unwrapped


def test_long_texts_are_cut_with_a_remark(worst: Any, case: MakeCase) -> None:
    said = shown(worst(case(source=Text("word " * 1000, "en"))), piped())
    assert "… (+4,400 characters)" in said


def test_a_difference_far_inside_a_long_text_is_still_shown(worst: Any, case: MakeCase) -> None:
    texts = {"source_output": Text("w " * 2000 + "yes", "es"), "follow_up_output": Text("w " * 2000 + "no", "es")}
    said = shown(worst(case(**texts)), piped())
    assert "characters) …" in said
    assert "«yes»" in said
    assert "«no»" in said


def test_an_error_is_one_line(workspace: Workspace, begin: Begin, outcome: MakeOutcome) -> None:
    run = begin()
    workspace.add(run, [outcome(error="it broke\nbadly " + "x" * 1000)])
    said = shown(list(workspace.rows([run.id])), piped())
    assert said.startswith("error  pivot  fake  en→es  news-0 (news): it broke␊badly xxx")
    assert said.count("\n") == 1
    assert "… (+415 characters)" in said


def test_rows_without_a_rank_and_without_any_row_are_told(worst: Any, case: MakeCase, workspace: Workspace) -> None:
    worst(case())
    assert "\npivot  fake" in shown(list(workspace.rows([1])), piped())
    assert shown([], piped()) == "There is no case to show.\n"


def test_scores_that_are_no_metric_claim_no_scale(worst: Any, case: MakeCase) -> None:
    said = shown(worst(case(scores={"depth": 7.0, "chrf": 0.5, "bleu": float("nan")})), piped())
    assert "depth 7, bleu nan (on the relation's own scale); chrf 0.5 (0…1, higher is better)" in said


@pytest.mark.parametrize(
    ("value", "other", "words"),
    [(0.59, 0.4, "0.59"), (0.40001, 0.4, "0.40001"), (0.4, 0.4, "0.4"), (12345.6, None, "12,346"), (0.0, 0.0, "0")],
)
def test_numbers_are_short_but_not_so_short_that_two_look_alike(value: float, other: float | None, words: str) -> None:
    assert number(value, other) == words


def test_output_that_cannot_hold_a_character_spells_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    print_table(("a",), [("en→es",)], terminal.console())
    sys.stdout.flush()
    assert raw.getvalue().decode().split() == ["a", "en\\u2192es"]
