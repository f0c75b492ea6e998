"""Fields of forms and addresses: read within bounds, or told by name; no value whatever is an error of the server."""

from __future__ import annotations

import html
import math
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.datastructures import FormData, QueryParams, UploadFile

from concord.errors import UserError
from concord.web.forms import LARGEST, SEVERAL, SHOWN, Fields

HOSTILE = ["NaN", "nan", "inf", "-inf", "Infinity", "1e999", str(10**400), "١٢", "१", "²", "1e9", "1_000", "0x10"]
HOSTILE += ["\0", "1\0", "\ud800", "1\udfff", "--1", "+-1", "1.5.5", "1,5", "<b>", "'", "x" * 2**20, "9" * 2**20]
ANY = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=())), st.from_regex(r"[-+]?\d+"))
CHOICES = ("yes", "no", "all")


def of(*values: object, name: str = "field") -> Fields:
    return Fields(FormData([(name, value) for value in values]))


def outcome(read, *values: object) -> tuple[object, str]:
    """What is read of the values, or what is said of them."""
    try:
        return read(of(*values)), ""
    except UserError as error:
        return None, str(error)


def told(read, *values: object) -> str:
    return outcome(read, *values)[1]


@given(ANY)
def test_a_whole_number_is_one_within_its_bounds_or_is_told(value):
    found, said = outcome(lambda read: read.whole("field", least=1, most=20_000), value)

    if said:
        assert said.startswith("field")
        assert said.endswith("a whole number from 1 to 20,000")
        assert not re.fullmatch(r"\s*([1-9][0-9]{0,3}|1[0-9]{4}|20000)\s*", value, re.ASCII)
    else:
        assert found in range(1, 20_001)
        assert value.strip().isascii()
        assert found == int(value)


@given(ANY)
def test_a_number_is_finite_and_within_its_bounds_or_is_told(value):
    found, said = outcome(lambda read: read.number("field", least=0, most=LARGEST), value)

    if said:
        assert said.startswith("field")
        assert said.endswith("a number from 0 to 9,007,199,254,740,992")
    else:
        assert math.isfinite(found)
        assert 0 <= found <= LARGEST
        assert found == float(value)
        assert value.strip().isascii()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_is_read_as_it_was_written(value):
    assert of(repr(value)).number("field") == value


@given(st.integers(0, LARGEST))
def test_every_whole_number_is_read_as_it_was_written(value):
    assert of(str(value)).whole("field") == value
    assert of(f"{value} 7", "", " 8").wholes("field") == [value, 7, 8]


@given(ANY)
def test_a_choice_is_one_of_those_or_is_told(value):
    found, said = outcome(lambda read: read.choice("field", CHOICES, "yes"), value)

    if said:
        assert said == f"field: '{value[:SHOWN] + '…' * (len(value) > SHOWN)}' is not one of: yes, no, all"
    else:
        assert found == (value or "yes")
        assert found in CHOICES


@given(ANY)
def test_a_flag_is_on_or_off_or_is_told(value):
    assert bool(told(lambda read: read.flag("field"), value)) == (value not in ("", "0", "1"))


@given(ANY)
@example(" a\r\nb ")
def test_a_text_can_be_written_and_is_no_longer_than_it_may_be(value):
    found, said = outcome(lambda read: read.text("field", longest=100), value)

    if said:
        assert said.startswith("field: '")
        assert len(said) < 200
        assert len(value) > 100 or "\0" in value or re.search("[\ud800-\udfff]", value)
    else:
        assert len(found) <= 100
        assert "\0" not in found
        assert found.encode().decode() == found
        assert found == value.replace("\r\n", "\n").strip()
        assert of(value).text("field", longest=2**20, exact=True) == value.replace("\r\n", "\n")


@given(st.lists(ANY, max_size=4))
def test_several_values_are_each_held_to_the_same(values):
    wrong = any(told(lambda read: read.text("field", exact=True), each) for each in values)
    assert bool(told(lambda read: read.texts("field"), *values)) == wrong
    if not wrong:
        assert of(*values).texts("field") == [each.replace("\r\n", "\n") for each in values if each]


def test_endless_lists_are_told():
    for read in (lambda read: read.texts("field"), lambda read: read.wholes("field")):
        assert told(read, *["1"] * SEVERAL) == ""
        assert told(read, *["1"] * (SEVERAL + 1)) == "field: 301 values are too many. At most 300 can be given"


def test_what_is_missing_is_told_with_what_it_is():
    assert told(lambda read: read.whole("size", most=9)) == "size is missing. It is a whole number from 0 to 9"
    assert told(lambda read: read.number("at")) == "threshold is missing. It is a number, such as 0.4"
    assert of().whole_or("size", None) is None
    assert of("").number_or("field", 2.5) == 2.5


def test_many_choices_are_not_all_listed():
    said = told(lambda read: read.choice("field", [f"c{number}" for number in range(60)]), "x")
    assert said.endswith("c48, c49, and 10 more")


def test_a_file_is_no_text_and_a_text_no_file():
    sent = of(UploadFile(None, filename="a.txt"))
    assert sent.file("field").filename == "a.txt"
    assert (sent.text("field"), sent.texts("field"), sent.whole_or("field", 7), sent.flag("field")) == (
        "",
        [],
        7,
        False,
    )
    assert of("text").file("field") is None
    assert of(UploadFile(None, filename="")).file("field") is None


def test_what_else_was_said_is_kept_for_an_address():
    said = Fields(QueryParams("run=1&run=2&text=a+b&after=x&label="))
    assert said.rest(("after",)) == [("run", "1"), ("run", "2"), ("text", "a b")]


# -- the pages themselves ----------------------------------------------------------------------------

READ = """
/ runs
/findings run relation system source to domain text least most label annotator flagged sort reverse group after
/export run least flagged
/export/findings/csv run least label
/compare before after list start
/evaluate run of at was queue said
/evaluate/points run of
/label said
/label/queue/q place after evidence said
/case/{case} run repetition
/case/{case}/structure run repetition
/label/case/{case} run repetition evidence said
"""
SENT = """
/run corpus limit source to system relation seed repetitions max_characters max_cost fresh text name
/run/again request
/run/forget corpus
/try sentence system source to relation
/evaluate/keep run at runs
/label/who annotator next
/label/draw run name size seed flagged_share
/label/enlarge name size
/label/forget name
/label/save case judged verdict wrong severity correction comment categories kinds since queue place run repetition
/label/undo queue
/label/redo queue
"""
# A field that is given, but wrong, must not let anything begin that takes a process of its own.
COMPLETE = {"/run": {"corpus": "demo", "source": "en", "to": "es", "system": "none", "relation": "rtt"}}
SHORT = st.one_of(st.sampled_from([each for each in HOSTILE if len(each) < 1000]), st.text(max_size=40))
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def known(page, workspace):
    """A browser of somebody with a name, and a case to put into addresses."""
    from concord import api

    api.draw_queue(workspace, name="q", size=16)
    page.submit("/label/who", {"annotator": "ana", "next": "/label"})
    return page, api.cases(workspace).rows[0]["case"], page.proof()


def pairs(told: str) -> st.SearchStrategy[tuple[str, str]]:
    """An address and one of its fields."""
    lines = [line.split() for line in told.strip().splitlines()]
    return st.sampled_from([(address, name) for address, *names in lines for name in names])


@SLOW
@given(where=pairs(READ), value=SHORT)
def test_no_address_is_an_error_of_the_server(known, where, value):
    page, case, _ = known
    sent = value.encode("utf-8", "surrogatepass")
    answer = page.get(where[0].format(case=case), params={where[1]: sent})

    assert answer.status_code in (200, 400, 404), (where, value)
    assert "\0" not in answer.text


@SLOW
@given(where=pairs(SENT), value=SHORT)
def test_no_form_is_an_error_of_the_server(known, where, value):
    page, _, proof = known
    told = {**COMPLETE.get(where[0], {}), "csrf": proof, where[1]: value.encode("utf-8", "surrogatepass")}
    answer = page.post(where[0], data=told, follow_redirects=False)

    assert answer.status_code in (303, 400), (where, value)


@pytest.mark.parametrize("where", [("/run", "seed"), ("/label/draw", "size"), ("/label/save", "comment")])
@pytest.mark.parametrize("value", ["9" * 2**20, "x" * 2**20])
def test_a_megabyte_is_refused_and_not_shown(known, where, value):
    page, _, proof = known
    named = {"system": "apertium", "corpus": "demo", "to": "es", "source": "en", "relation": "rtt", "verdict": "error"}
    answer = page.post(where[0], data={**named, "csrf": proof, where[1]: value})

    assert answer.status_code == 400
    assert f"{where[1]}: &#39;{value[:SHOWN]}…&#39; is not" in answer.text
    assert len(answer.text) < 5_000


@pytest.mark.parametrize("encoded", [rb"\ud800", rb"a\x00b"])
def test_half_a_character_comes_in_by_no_encoding(known, encoded):
    page, _, proof = known
    kind = "multipart/form-data; boundary=x; charset=unicode_escape"
    parts = [(b"csrf", proof.encode()), (b"annotator", encoded)]
    body = b"".join(b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % part for part in parts)
    answer = page.post("/label/who", content=body + b"--x--\r\n", headers={"content-type": kind})

    assert answer.status_code == 400
    assert "annotator: &#39;" in answer.text


def test_a_wrong_value_is_shown_as_text(page):
    answer = page.get("/findings", params={"sort": "<b>\u202e'x"})

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "sort: '<b>" in html.unescape(answer.text)
    assert "<b>" not in answer.text
    assert "\u202e" not in answer.text
    assert "rank, suspicion, position, newest label" in answer.text
