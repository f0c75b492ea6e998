from __future__ import annotations

import doctest
from hashlib import sha256
from typing import Any

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable
from concord.testing import check_translator
from concord.translators import youdao
from concord.translators.youdao import CODES, Translator

APP, SECRET = "app-canary-0123456789", "secret-canary-abcdefghij"
ENVIRON = {"YOUDAO_APP_KEY": APP, "YOUDAO_APP_SECRET": SECRET + "\n"}
NOW = 1_700_000_000


def made(service):
    return Translator(url=service.url, environ=ENVIRON, clock=lambda: NOW + 0.9, salt=lambda: "pinch")


def behaving(service):
    """Youdao as documented: it checks the signature, then translates."""

    def answer(request):
        assert (request.method, request.path, request.query) == ("POST", "/api", {})
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        form = request.form
        q = form["q"]
        signed = q if len(q) <= 20 else q[:10] + str(len(q)) + q[-10:]
        expected = sha256((APP + signed + form["salt"] + form["curtime"] + SECRET).encode()).hexdigest()
        if form["appKey"] != APP:
            return service.reply({"errorCode": "108"})
        if form["signType"] != "v3" or form["sign"] != expected:
            return service.reply({"errorCode": "202"})
        told = {"errorCode": "0", "query": q, "translation": [q.upper()], "l": f"{form['from']}2{form['to']}"}
        return service.reply(told)

    return answer


def test_each_text_is_a_signed_form(service, translated):
    service.answer = behaving(service)
    texts = ["Hello & bye", "exactly twenty chars", "now it is 21 long, so", "A much longer sentence, with 你好 in it."]
    assert translated(made(service), texts, "en", "zh-Hans") == [text.upper() for text in texts]
    form = service.requests[0].form
    assert (form["from"], form["to"]) == ("en", "zh-CHS")
    assert (form["salt"], form["curtime"]) == ("pinch", str(NOW))
    assert [request.form["q"] for request in service.requests] == texts
    assert not any(SECRET.encode() in request.body for request in service.requests)


def test_every_request_has_a_salt_of_its_own(service, translated):
    service.answer = behaving(service)
    translated(Translator(url=service.url, environ=ENVIRON), ["one", "two"])
    assert len({request.form["salt"] for request in service.requests}) == 2


def test_it_conforms(service):
    service.answer = behaving(service)
    check_translator(lambda: made(service))


def test_blank_text_is_not_sent_and_half_a_surrogate_pair_is_refused(service, translated):
    service.answer = behaving(service)
    blank, half, good = translated(made(service), [" ", "a \ud800", "fine"])
    assert (blank, good) == (" ", "FINE")
    assert isinstance(half, Refused)
    assert len(service.requests) == 1


def test_an_empty_answer_is_passed_on(service, translated):
    service.answers({"errorCode": "0", "translation": [""]})
    assert translated(made(service), ["hello"]) == [""]


FAILURES: list[tuple[Any, int, type[ServiceError]]] = [
    *(({"errorCode": code}, 200, Unauthorised) for code in ("108", "110", "111", "202", "203", "205", "206")),
    ({"errorCode": "401"}, 200, Exhausted),
    ({"errorCode": "411"}, 200, Throttled),
    ({"errorCode": "412"}, 200, Throttled),
    *(({"errorCode": code}, 200, Unavailable) for code in ("207", "302", "303")),
    ({"errorCode": 411}, 200, Throttled),
    ({"translation": ["x"]}, 200, BadAnswer),
    ({"errorCode": "0"}, 200, BadAnswer),
    ({"errorCode": "0", "translation": []}, 200, BadAnswer),
    ({"errorCode": "0", "translation": ["a", "b"]}, 200, BadAnswer),
    ({"errorCode": "0", "translation": [None]}, 200, BadAnswer),
    ({"errorCode": "0", "translation": "x"}, 200, BadAnswer),
]


@pytest.mark.parametrize(("answer", "status", "kind"), FAILURES)
def test_a_failing_service_fails_the_batch_and_never_tells_a_key(service, failure, answer, status, kind):
    service.answers(answer, status)
    assert type(failure(made(service), APP, SECRET, texts=["hello"])) is kind


def test_a_wrong_secret_is_told_with_both_variables(service, denial):
    service.answer = behaving(service)
    system = Translator(url=service.url, environ={**ENVIRON, "YOUDAO_APP_SECRET": "another-secret"})
    assert "YOUDAO_APP_KEY and YOUDAO_APP_SECRET" in denial(system, "another-secret")


@pytest.mark.parametrize("code", ["101", "102", "103", "113", f"{APP} {SECRET}"])
def test_a_refusal_stands_in_the_place_of_its_text(service, translated, everything_told, code):
    good = behaving(service)
    service.answer = lambda r: service.reply({"errorCode": code}) if r.form["q"] == "bad" else good(r)
    bad, fine = translated(made(service), ["bad", "fine"])
    assert fine == "FINE"
    assert isinstance(bad, Refused)
    assert (code if code.isdecimal() else "unknown") in str(bad)
    assert "canary" not in everything_told(bad)


def test_one_emoji_does_not_end_the_run(service, translated):
    service.answers({"errorCode": "202"})
    (answer,) = translated(made(service), ["A sentence that ends with a smile 😀"])
    assert isinstance(answer, Refused)
    with pytest.raises(Unauthorised):
        translated(made(service), ["Short 😀"])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("zh", "zh-CHS"),
        ("zh-Hans", "zh-CHS"),
        ("zh-Hant", "zh-CHT"),
        ("nb", "no"),
        ("he", "he"),
        ("id", "id"),
        ("jv", "jw"),
        ("sr", "sr-Cyrl"),
        ("sr-Latn", "sr-Latn"),
        ("pt-BR", "pt"),
        ("en-GB", "en"),
        ("yue", "yue"),
    ],
)
def test_codes_are_spelled_as_youdao_does(service, there_and_back, ours, theirs):
    service.answer = behaving(service)
    sent = [request.form for request in there_and_back(made(service), ours, "fr")]
    assert [(form["from"], form["to"]) for form in sent] == [(theirs, "fr"), ("fr", theirs)]


def test_directions_join_all_languages_but_two_codes_of_one(listed):
    known = set(listed(Translator(environ=ENVIRON)))
    assert {("en", "zh-Hans"), ("zh-Hant", "zh-Hans"), ("nb", "he")} <= known
    assert not {("zh", "zh-Hans"), ("en-GB", "en-US"), ("en", "en")} & known
    assert "no" not in CODES


def test_the_examples_in_the_documentation_hold():
    assert doctest.testmod(youdao) == doctest.TestResults(failed=0, attempted=1)
