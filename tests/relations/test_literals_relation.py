"""Numbers, placeholders, markup, addresses and fixed terms survive, or the case says which did not."""

from __future__ import annotations

import os

import pytest

from concord import plugins
from concord.errors import UserError
from concord.language.literals.terms import LARGEST
from concord.model import Text
from concord.relations.literals import check, compare, plan
from concord.testing import Table, check_relation, now

SENTENCE = "Pay {sum} by 5 p.m. for 1,000 units of Acme Glue."


def checked(answer: str, **options):
    (case,) = now(check(Text(SENTENCE, "en"), Table({SENTENCE: answer}), to="es", **options))
    return case


def listed(tmp_path, text: str) -> str:
    file = tmp_path / "terms.txt"
    file.write_text(text, "utf-8")
    return str(file)


def test_a_translation_that_keeps_everything_is_not_suspected():
    case = checked("Pague {sum} antes de las 17:00 por 1.000 unidades de pegamento Acme.")
    assert (case.suspicion, case.flagged) == (0, False)
    assert case.factors == {"literals": "none"}


def test_suspicion_counts_what_is_missing_added_and_changed():
    case = checked("Pague {suma} antes de las 17:00 por unidades de pegamento a 99 km/h.")
    assert case.suspicion == 2
    assert case.flagged
    assert case.evidence["changed"] == ["placeholder {sum} → {suma}", "number 1,000 → 99"]
    assert case.factors == {"literals": "number and placeholder"}


def test_the_marks_stand_on_both_sides():
    case = checked("Pague {suma} antes de las 17:00 por 1.000 unidades y 99 más.")
    told = {role: [getattr(case, role).words[a:b] for a, b in spans] for role, spans in case.evidence["marked"].items()}
    assert told["source"] == told["follow_up"] == ["{sum}"]
    assert told["source_output"] == told["follow_up_output"] == ["{suma}", "99"]


def test_what_lies_within_a_lost_tag_is_marked_with_it():
    pair = Text('a <a href="http://x.org">b', "en"), Text("a b", "es")
    case = compare(pair[0], pair[0], pair[1], pair[1])
    assert case.evidence["missing"] == ['tag <a href="http://x.org">', "url http://x.org"]
    assert case.evidence["marked"]["source"] == [[2, 25]]


def test_doubts_are_half_a_point_together_and_flagged_only_on_request():
    pair = Text("1 cat and the 2nd dog", "en"), Text("un gato y el perro", "es")
    case = compare(pair[0], pair[0], pair[1], pair[1])
    assert (case.suspicion, case.flagged) == (0.5, False)
    assert case.evidence["perhaps"] == ["missing: number 2"]
    assert compare(pair[0], pair[0], pair[1], pair[1], threshold=0).flagged


def test_terms_are_not_to_be_translated(tmp_path):
    terms = listed(tmp_path, "# brands\nAcme Glue\nAcme\n")
    kept = "Pague {sum} antes de las 17:00 por 1.000 unidades de Acme Glue."
    assert not checked(kept, terms=terms).flagged
    case = checked(kept.replace("Acme Glue", "pegamento Acme"), terms=terms)
    assert case.evidence["missing"] == ["term Acme Glue"]
    assert case.flagged
    assert checked(kept.replace("Acme Glue", "Acme Glue-ren"), terms=terms).suspicion == 0


def test_a_term_that_is_there_once_of_twice_is_a_doubt(tmp_path):
    terms = listed(tmp_path, "Acme\n")
    pair = Text("Acme sells Acme.", "en"), Text("Acme lo vende.", "es")
    assert compare(pair[0], pair[0], pair[1], pair[1], terms=terms).suspicion == 0.5


def test_terms_that_were_written_again_are_read_again(tmp_path):
    terms = listed(tmp_path, "Acme\n")
    pair = Text("Glue", "en"), Text("Cola", "es")
    assert compare(pair[0], pair[0], pair[1], pair[1], terms=terms).suspicion == 0
    listed(tmp_path, "Glue\n")
    os.utime(terms, (1, 1))
    assert compare(pair[0], pair[0], pair[1], pair[1], terms=terms).suspicion == 1


def test_the_plan_names_the_file_of_terms(tmp_path):
    terms = listed(tmp_path, "Acme\n")
    assert plan("en", to="es", terms=terms).files == [terms]
    assert plan("en", to="es", terms="").files == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"terms": "nowhere.txt"}, "terms nowhere.txt cannot be read"),
        ({"to": "en"}, "changes nothing"),
    ],
)
def test_what_cannot_work_is_said_beforehand(options, message):
    with pytest.raises(UserError, match=message):
        plan("en", **{"to": "es", "terms": "", **options})


def test_a_file_without_terms_or_of_another_encoding_is_refused(tmp_path):
    empty = listed(tmp_path, "# nothing\n\n")
    with pytest.raises(UserError, match="holds no term"):
        plan("en", to="es", terms=empty)
    other = tmp_path / "latin.txt"
    other.write_bytes("señal\n".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        plan("en", to="es", terms=str(other))


def test_a_file_of_terms_without_end_or_too_large_is_refused(tmp_path):
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(LARGEST + 1)
    for path in (str(large), "/dev/zero"):
        with pytest.raises(UserError, match=f"{path} is larger than 5 MB; name a file of terms"):
            plan("en", to="es", terms=path)


@pytest.mark.parametrize("text", [SENTENCE, "Profit rose by 8% to 1.2 billion euros on 3/4/2026.", "No literal here."])
def test_a_perfect_translator_is_never_suspected(text):
    check_relation("literals", text, threshold=0)


def test_the_command_line_finds_it_with_its_options():
    found = plugins.settings("relations", plugins.parse("relations", "literals,threshold=0,terms=t.txt"))
    assert found == {"threshold": 0, "terms": "t.txt"}
