from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import CorpusError, Refused, UserError
from concord.translators.table import Translator

ROWS = {("good day", "en", "es"): "buenos días", ("yes", "en", "es"): "sí", ("yes", "en", "pt-BR"): "sim"}


def translated(system, texts, source="en", target="es"):
    return list(asyncio.run(system.translate(texts, source, target)))


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def tsv(rows):
    return "".join(f"{a}\t{b}\t{text}\t{answer}\n" for (text, a, b), answer in rows.items())


def jsonl(rows):
    return "".join(
        json.dumps({"source_lang": a, "target_lang": b, "source": text, "target": answer}) + "\n"
        for (text, a, b), answer in rows.items()
    )


def test_rows_answer():
    assert translated(Translator(rows=ROWS), ["yes", "good day"]) == ["sí", "buenos días"]
    assert translated(Translator(rows=ROWS), ["yes"], "en", "pt-BR") == ["sim"]


def test_a_text_that_is_not_in_the_table_is_refused_alone():
    known, unknown, other = translated(Translator(rows=ROWS), ["yes", "no", "Yes"])
    assert known == "sí"
    assert isinstance(unknown, Refused)
    assert "not in the table" in str(unknown)
    assert isinstance(other, Refused)


def test_a_direction_that_is_not_in_the_table_is_refused():
    (answer,) = translated(Translator(rows=ROWS), ["yes"], "es", "en")
    assert isinstance(answer, Refused)


def test_both_kinds_of_file_say_the_same_as_rows(tmp_path):
    systems = [
        Translator(rows=ROWS),
        Translator(argument=written(tmp_path / "a.tsv", tsv(ROWS))),
        Translator(argument=written(tmp_path / "b.jsonl", jsonl(ROWS))),
    ]
    assert [translated(system, ["yes"]) for system in systems] == [["sí"]] * 3
    assert len({system.version("en", "es") for system in systems}) == 1


def test_a_file_may_come_from_windows(tmp_path):
    content = b"\xef\xbb\xbf" + tsv(ROWS).replace("\n", "\r\n").encode() + b"\r\n"
    assert translated(Translator(argument=written(tmp_path / "t", content)), ["yes"]) == ["sí"]


def test_a_text_may_hold_what_other_programs_take_for_the_end_of_a_line(tmp_path):
    path = written(tmp_path / "t", "en\tes\tone\u2028two\x85\tuno\x0bdos\n")
    assert translated(Translator(argument=path), ["one\u2028two\x85"]) == ["uno\x0bdos"]


def test_languages_may_be_spelled_in_any_way(tmp_path):
    system = Translator(argument=written(tmp_path / "t", "eng\tpt_br\tyes\tsim\n"))
    assert translated(system, ["yes"], "en", "pt-BR") == ["sim"]
    assert asyncio.run(system.directions()) == {("en", "pt-BR")}


def test_the_last_of_several_answers_counts(tmp_path):
    path = written(tmp_path / "t", "en\tes\tyes\tno\nen\tes\tyes\tsí\n")
    assert translated(Translator(argument=path), ["yes"]) == ["sí"]


def test_an_empty_translation_is_an_answer(tmp_path):
    assert translated(Translator(argument=written(tmp_path / "t", "en\tes\tyes\t\n")), ["yes"]) == [""]


def test_directions_are_those_of_the_table():
    assert asyncio.run(Translator(rows=ROWS).directions()) == {("en", "es"), ("en", "pt-BR")}


def test_other_contents_are_another_version_and_another_order_is_not():
    def version(rows: dict[tuple[str, str, str], str]) -> str:
        return Translator(rows=rows).version("en", "es")

    turned = dict(reversed(ROWS.items()))
    assert version(turned) == version(ROWS)
    assert version({**ROWS, ("yes", "en", "es"): "sí."}) != version(ROWS)
    assert version({("yes!", "en", "es"): ""}) != version({("yes", "en", "es"): "!"})


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("en\tes\tyes\tsí\nen\tes\tno\n", "line 2: 3 columns instead of 4"),
        ("en\tes\ta\tb\tc\n", "line 1: 5 columns"),
        ("\n\nenglish and so on\tes\ta\tb\n", "line 3: 'english and so on' is not a language code"),
        ('{"source_lang": "en", "target_lang": "es", "source": "x"}\n', "line 1: the keys source_lang"),
        ('{"source_lang": "en", "target_lang": "es", "source": "x", "target": 3}\n', "line 1: the keys source_lang"),
        ('{"source_lang": "en"\n', "line 1: not JSON"),
        (b"en\tes\t\xff\tx\n", "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_understood_is_told_by_line(tmp_path, content, complaint):
    with pytest.raises(CorpusError, match=complaint):
        Translator(argument=written(tmp_path / "table", content))


def test_a_missing_file_is_the_users_to_cure(tmp_path):
    with pytest.raises(UserError, match="there is no file"):
        Translator(argument=str(tmp_path / "none.tsv"))
    with pytest.raises(UserError, match="table:FILE"):
        Translator()


@settings(deadline=None)
@given(st.dictionaries(st.tuples(st.text(), st.just("en"), st.sampled_from(["es", "ja"])), st.text()))
def test_a_table_gives_back_exactly_what_is_in_it(rows):
    system = Translator(rows=rows)
    for (text, source, target), answer in rows.items():
        assert translated(system, [text], source, target) == [answer]
