from __future__ import annotations

from hashlib import md5
from typing import Any

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable
from concord.testing import check_translator
from concord.translators.baidu import CODES, Translator

APP, SECRET = "2015063000000001", "secret-canary-abcdefghij"
ENVIRON = {"BAIDU_APP_ID": APP, "BAIDU_APP_SECRET": SECRET + "\n"}


def made(service):
    return Translator(url=service.url, environ=ENVIRON, salt=lambda: "1435660288")


def rows(*pairs):
    return {"from": "en", "to": "zh", "trans_result": [{"src": src, "dst": dst} for src, dst in pairs]}


def behaving(service, turned=False):
    """Baidu as documented: it checks the signature, then gives a row for each line that is not blank."""

    def answer(request):
        assert (request.method, request.path, request.query) == ("POST", "/api/trans/vip/translate", {})
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        form = request.form
        expected = md5((APP + form["q"] + form["salt"] + SECRET).encode(), usedforsecurity=False).hexdigest()
        if form["appid"] != APP or form["sign"] != expected:
            return service.reply({"error_code": "54001", "error_msg": "Invalid Sign"})
        told = [(line.strip(), line.strip().upper()) for line in form["q"].split("\n") if line.strip()]
        return service.reply(rows(*(told[::-1] if turned else told)))

    return answer


def test_several_texts_are_the_lines_of_one_signed_form(service, translated):
    service.answer = behaving(service)
    texts = ["One & two", "three", "你好 abc"]
    assert translated(made(service), texts, "en", "zh-Hans") == ["ONE & TWO", "THREE", "你好 ABC"]
    (request,) = service.requests
    assert request.form["q"] == "One & two\nthree\n你好 abc"
    assert (request.form["from"], request.form["to"], request.form["salt"]) == ("en", "zh", "1435660288")
    assert SECRET.encode() not in request.body


def test_the_signature_is_that_of_the_documented_example(service, translated):
    service.answers(rows(("apple", "苹果")))
    system = Translator(
        url=service.url,
        environ={"BAIDU_APP_ID": "2015063000000001", "BAIDU_APP_SECRET": "12345678"},
        salt=lambda: "1435660288",
    )
    assert translated(system, ["apple"]) == ["苹果"]
    assert service.requests[0].form["sign"] == "f89f9594663708c1605f3d736d01d2d4"


def test_the_standard_edition_takes_one_request_a_second(service):
    limits = made(service).limits
    assert (limits.per_second, limits.in_flight) == (1, 1)


def test_texts_of_several_lines_come_back_whole_among_others(service, translated):
    service.answer = behaving(service)
    texts = ["a\n\nb\r\n", "c", "", "d\re", " \n "]
    assert translated(made(service), texts) == ["A\n\nB\r\n", "C", "", "D\rE", " \n "]


def test_answers_are_matched_by_the_line_they_belong_to(service, translated):
    service.answer = behaving(service, turned=True)
    assert translated(made(service), ["one", "two", "three", "two"]) == ["ONE", "TWO", "THREE", "TWO"]


def test_a_line_alone_may_come_back_with_another_spelling_of_it(service, translated):
    service.answers(rows(("don't", "不")))
    assert translated(made(service), ["don’t"]) == ["不"]


def test_every_request_has_a_salt_of_its_own(service, translated):
    service.answer = behaving(service)
    for _ in range(2):
        translated(Translator(url=service.url, environ=ENVIRON), ["one"])
    assert len({request.form["salt"] for request in service.requests}) == 2


def test_it_conforms(service):
    service.answer = behaving(service)
    check_translator(lambda: made(service))


def test_blank_text_is_not_sent_and_half_a_surrogate_pair_is_refused(service, translated):
    service.answer = behaving(service)
    assert translated(made(service), ["", " "]) == ["", " "]
    assert service.requests == []
    good, half, also_good = translated(made(service), ["fine", "a \ud800", "too"])
    assert (good, also_good) == ("FINE", "TOO")
    assert isinstance(half, Refused)


def test_an_empty_answer_is_passed_on(service, translated):
    service.answers(rows(("hello", "")))
    assert translated(made(service), ["hello"]) == [""]


def failed(code):
    return {"error_code": code, "error_msg": f"{APP} {SECRET}"}


FAILURES: list[tuple[Any, int, type[ServiceError]]] = [
    *((failed(code), 200, Unauthorised) for code in ("52003", "54001", "58000", "58002", "58003", "90107")),
    (failed("54004"), 200, Exhausted),
    (failed("54003"), 200, Throttled),
    (failed(54003), 200, Throttled),
    (failed("52001"), 200, Unavailable),
    (failed("52002"), 200, Unavailable),
    *((failed(code), 200, Refused) for code in ("54000", "58001", "20003", SECRET)),
    (f"bad {APP} {SECRET}", 400, Refused),
    (rows(), 200, BadAnswer),
    (rows(("one", "1")), 200, BadAnswer),
    (rows(("one", "1"), ("two", "2"), ("three", "3")), 200, BadAnswer),
    (rows(("one", "1"), ("other", "2")), 200, BadAnswer),
    (rows(("one", "1"), ("two", None)), 200, BadAnswer),
    (rows((None, "1"), ("two", "2")), 200, BadAnswer),
]


@pytest.mark.parametrize(("answer", "status", "kind"), FAILURES)
def test_a_failing_service_fails_the_batch_and_never_tells_a_key(service, failure, answer, status, kind):
    service.answers(answer, status)
    assert type(failure(made(service), APP, SECRET)) is kind


def test_a_success_code_is_no_error(service, translated):
    service.answers({"error_code": "52000", **rows(("one", "1"))})
    assert translated(made(service), ["one"]) == ["1"]


@pytest.mark.parametrize(("code", "seconds"), [("54003", 1), ("54005", 3)])
def test_the_documented_time_to_wait_is_told(service, time_to_wait, code, seconds):
    service.answers(failed(code))
    assert time_to_wait(made(service)) == seconds


def test_a_wrong_secret_is_told_with_both_variables(service, denial):
    service.answer = behaving(service)
    system = Translator(url=service.url, environ={**ENVIRON, "BAIDU_APP_SECRET": "another-secret"})
    assert "BAIDU_APP_ID and BAIDU_APP_SECRET" in denial(system, "another-secret")


def test_a_full_request_stays_within_what_the_smallest_edition_takes():
    limits = Translator.limits
    assert limits.characters + limits.texts - 1 <= 1_000
    assert 4 * limits.characters + limits.texts - 1 <= 6_000


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("zh", "zh"),
        ("zh-Hans", "zh"),
        ("zh-Hant", "cht"),
        ("lzh", "wyw"),
        ("ja", "jp"),
        ("ko", "kor"),
        ("fr", "fra"),
        ("es", "spa"),
        ("ar", "ara"),
        ("vi", "vie"),
        ("sl", "slo"),
        ("pt-BR", "pt"),
        ("en-US", "en"),
    ],
)
def test_codes_are_spelled_as_baidu_does(service, there_and_back, ours, theirs):
    service.answer = behaving(service)
    sent = [request.form for request in there_and_back(made(service), ours, "de")]
    assert [(form["from"], form["to"]) for form in sent] == [(theirs, "de"), ("de", theirs)]


def test_directions_join_all_languages_but_two_codes_of_one(listed):
    known = set(listed(Translator(environ=ENVIRON)))
    assert {("en", "zh-Hans"), ("zh-Hant", "zh-Hans"), ("ja", "ko")} <= known
    assert not {("zh", "zh-Hans"), ("en-GB", "en-US"), ("en", "en")} & known
    assert len(set(CODES.values())) == 28
