from __future__ import annotations

import hmac
import json
import sys
from hashlib import sha256
from typing import Any

import pytest

from concord.errors import (
    BadAnswer,
    Exhausted,
    Missing,
    Refused,
    ServiceError,
    Throttled,
    Unauthorised,
    Unavailable,
    UserError,
)
from concord.testing import check_translator
from concord.translators.amazon import Translator

ACCESS, SECRET, TOKEN = "AKIDCANARY0123456789", "secret/canary+abcdefghij", "token-canary-9876543210"
ENVIRON = {"AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET + "\n", "AWS_REGION": "eu-west-1"}
NOW = 1_440_938_160
TARGET = "AWSShineFrontendService_20170701."
LISTED = [
    "auto",
    "en",
    "es",
    "zh",
    "zh-TW",
    "no",
    "he",
    "id",
    "pt",
    "pt-PT",
    "tl",
    "fa",
    "fa-AF",
    "fr-CA",
    "not a code",
]


def made(service, **more):
    return Translator(url=service.url, environ={**ENVIRON, **more}, clock=lambda: NOW + 0.9)


def signature(secret, scope, moment, headers, request):
    """Signature Version 4, step by step as its documentation has it, for a request to the path /."""
    method, query, body = request
    names = sorted(headers)
    lines = "".join(f"{name}:{headers[name]}\n" for name in names)
    canonical = "\n".join((method, "/", query, lines, ";".join(names), sha256(body).hexdigest()))
    text = "\n".join(("AWS4-HMAC-SHA256", moment, scope, sha256(canonical.encode()).hexdigest()))
    key = ("AWS4" + secret).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), sha256).digest()
    return hmac.new(key, text.encode(), sha256).hexdigest()


def test_the_steps_of_these_tests_give_the_signature_of_the_documented_example():
    moment = "20150830T123600Z"
    headers = {
        "content-type": "application/x-www-form-urlencoded; charset=utf-8",
        "host": "iam.amazonaws.com",
        "x-amz-date": moment,
    }
    secret, scope = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "20150830/us-east-1/iam/aws4_request"
    expected = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
    assert signature(secret, scope, moment, headers, ("GET", "Action=ListUsers&Version=2010-05-08", b"")) == expected


def behaving(service):
    """Amazon as documented: it checks the signature, then lists its languages or translates one text."""

    def answer(request):
        assert (request.method, request.path, request.query) == ("POST", "/", {})
        assert request.headers["content-type"] == "application/x-amz-json-1.1"
        algorithm, told = request.headers["authorization"].split(" ", 1)
        parts = dict(part.split("=", 1) for part in told.split(", "))
        access, scope = parts["Credential"].split("/", 1)
        names = parts["SignedHeaders"].split(";")
        assert {"content-type", "host", "x-amz-date", "x-amz-target"} <= set(names)
        assert ("x-amz-security-token" in request.headers) == ("x-amz-security-token" in names)
        headers = {name: request.headers[name] for name in names}
        expected = signature(SECRET, scope, headers["x-amz-date"], headers, ("POST", "", request.body))
        if access != ACCESS:
            return service.reply({"__type": "UnrecognizedClientException"}, 400)
        if (algorithm, parts["Signature"]) != ("AWS4-HMAC-SHA256", expected):
            return service.reply({"__type": "InvalidSignatureException"}, 400)
        if request.headers["x-amz-target"] == TARGET + "ListLanguages":
            return service.reply(page(request.json))
        assert request.headers["x-amz-target"] == TARGET + "TranslateText"
        return service.reply({"TranslatedText": request.json["Text"].upper(), "SourceLanguageCode": "en"})

    return answer


def page(asked):
    start = int(asked.get("NextToken", 0))
    rows = [{"LanguageCode": code, "LanguageName": code} for code in LISTED[start : start + 10]]
    return {"Languages": rows} | ({"NextToken": str(start + 10)} if start + 10 < len(LISTED) else {})


def test_each_text_is_a_signed_request(service, translated):
    service.answer = behaving(service)
    texts = ["Hello & bye", "50 % of 你好 😀"]
    assert translated(made(service), texts) == [text.upper() for text in texts]
    assert [request.json["Text"] for request in service.requests] == texts
    first = service.requests[0]
    assert first.json == {"Text": texts[0], "SourceLanguageCode": "en", "TargetLanguageCode": "es"}
    assert first.headers["x-amz-date"] == "20150830T123600Z"
    assert f"Credential={ACCESS}/20150830/eu-west-1/translate/aws4_request" in first.headers["authorization"]
    assert not any(SECRET in f"{request.headers} {request.body}" for request in service.requests)


def test_the_token_of_temporary_keys_is_sent_and_signed(service, translated):
    service.answer = behaving(service)
    assert translated(made(service, AWS_SESSION_TOKEN=TOKEN), ["hello"]) == ["HELLO"]
    assert service.requests[0].headers["x-amz-security-token"] == TOKEN


def test_it_conforms(service):
    service.answer = behaving(service)
    check_translator(lambda: made(service))


def test_blank_text_is_not_sent_and_what_cannot_be_sent_is_refused_alone(service, translated):
    service.answer = behaving(service)
    blank, half, long, good = translated(made(service), [" ", "a \ud800", "é" * 5_001, "é" * 5_000])
    assert (blank, good) == (" ", "É" * 5_000)
    assert isinstance(half, Refused)
    assert isinstance(long, Refused)
    assert "10,002 bytes" in str(long)
    assert len(service.requests) == 1


@pytest.mark.parametrize("words", ["", "&amp;", "<b>&lt;</b>"])
def test_an_answer_is_passed_on_as_it_is(service, translated, words):
    service.answers({"TranslatedText": words})
    assert translated(made(service), ["hello"]) == [words]


def failed(code):
    return {"__type": code, "message": f"{ACCESS} {SECRET} {TOKEN}"}


FAILURES: list[tuple[Any, int, type[ServiceError]]] = [
    (failed("UnrecognizedClientException"), 400, Unauthorised),
    (failed("InvalidSignatureException"), 400, Unauthorised),
    (failed("AccessDeniedException"), 400, Unauthorised),
    (failed("ExpiredTokenException"), 400, Unauthorised),
    (failed("com.amazon.coral.service#MissingAuthenticationTokenException"), 400, Unauthorised),
    (failed("LimitExceededException"), 400, Exhausted),
    (failed("ThrottlingException"), 400, Throttled),
    (failed("TooManyRequestsException"), 400, Throttled),
    (failed("ServiceUnavailableException"), 400, Unavailable),
    (failed("InternalServerException"), 500, Unavailable),
    ({"TranslatedText": None}, 200, BadAnswer),
    ({"TranslatedText": ["x"]}, 200, BadAnswer),
]


@pytest.mark.parametrize(("answer", "status", "kind"), FAILURES)
def test_a_failing_service_fails_the_request_and_never_tells_a_key(service, failure, answer, status, kind):
    service.answers(answer, status)
    assert type(failure(made(service, AWS_SESSION_TOKEN=TOKEN), ACCESS, SECRET, TOKEN)) is kind


@pytest.mark.parametrize(
    "code", ["UnsupportedLanguagePairException", "TextSizeLimitExceededException", "InvalidRequestException"]
)
def test_a_refusal_stands_in_the_place_of_its_text(service, translated, everything_told, code):
    good = behaving(service)
    service.answer = lambda r: service.reply(failed(code), 400) if r.json["Text"] == "bad" else good(r)
    bad, fine = translated(made(service, AWS_SESSION_TOKEN=TOKEN), ["bad", "fine"])
    assert fine == "FINE"
    assert isinstance(bad, Refused)
    assert code in str(bad)
    assert not any(canary in everything_told(bad) for canary in (ACCESS, SECRET, TOKEN))


def test_the_type_of_an_error_may_stand_in_a_header(service, time_to_wait):
    service.answer = lambda _: (400, {"x-amzn-ErrorType": "ThrottlingException:http://x/", "retry-after": "7"}, b"{}")
    assert time_to_wait(made(service), SECRET) == 7


@pytest.mark.parametrize("wrong", [{"AWS_ACCESS_KEY_ID": "AKIDOTHER"}, {"AWS_SECRET_ACCESS_KEY": "another-secret"}])
def test_a_wrong_key_is_told_with_both_variables(service, denial, wrong):
    service.answer = behaving(service)
    assert "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in denial(made(service, **wrong), "another-secret")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("zh", "zh"),
        ("zh-Hans", "zh"),
        ("zh-Hant", "zh-TW"),
        ("nb", "no"),
        ("he", "he"),
        ("id", "id"),
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("pt-PT", "pt-PT"),
        ("fil", "tl"),
        ("prs", "fa-AF"),
        ("fr-CA", "fr-CA"),
        ("en-GB", "en"),
    ],
)
def test_codes_are_spelled_as_amazon_does(service, there_and_back, listed, ours, theirs):
    service.answer = behaving(service)
    sent = [request.json for request in there_and_back(made(service), ours, "es")]
    assert [(row["SourceLanguageCode"], row["TargetLanguageCode"]) for row in sent] == [(theirs, "es"), ("es", theirs)]
    assert {(ours, "es"), ("es", ours)} <= listed(made(service))


def test_directions_join_the_listed_languages_of_all_pages(service, listed):
    service.answer = behaving(service)
    known = listed(made(service))
    assert {("en", "fr-CA"), ("zh-Hant", "zh-Hans"), ("pt-PT", "pt-BR")} <= known
    assert not {("zh", "zh-Hans"), ("en-GB", "en-US"), ("en", "de"), ("no", "en"), ("en", "auto")} & known
    assert [request.json for request in service.requests] == [
        {"MaxResults": 500},
        {"MaxResults": 500, "NextToken": "10"},
    ]


def test_a_list_of_languages_without_end_is_a_bad_answer(service, listed):
    service.answers({"Languages": [], "NextToken": "again"})
    with pytest.raises(BadAnswer):
        listed(made(service))
    assert len(service.requests) == 20


@pytest.mark.parametrize(
    ("option", "environ", "region"),
    [
        ("us-east-1", {"AWS_REGION": "eu-west-1"}, "us-east-1"),
        ("", {"AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-2"}, "eu-west-1"),
        ("", {"AWS_REGION": " ", "AWS_DEFAULT_REGION": "eu-west-2"}, "eu-west-2"),
    ],
)
def test_the_region_comes_from_the_option_or_the_environment(service, translated, option, environ, region):
    service.answer = behaving(service)
    keys = {"AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET}
    system = Translator(region=option, url=service.url, environ=keys | environ)
    assert translated(system, ["hello"]) == ["HELLO"]
    assert f"/{region}/translate/" in service.requests[0].headers["authorization"]


@pytest.mark.parametrize("region", ["", "Ireland", "eu-west-1.evil.example/", "eu west"])
def test_what_is_no_region_is_the_users_to_cure(region):
    with pytest.raises(UserError, match="AWS_REGION or AWS_DEFAULT_REGION"):
        Translator(region=region, environ={**ENVIRON, "AWS_REGION": ""})


def test_without_botocore_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "botocore.auth", None)
    with pytest.raises(Missing, match=r"pip install 'concord-mt\[amazon\]'"):
        Translator(environ=ENVIRON)


def test_the_body_that_is_signed_is_plain_json_in_utf8(service, translated):
    service.answer = behaving(service)
    translated(made(service), ["ñ"])
    assert "ñ" in service.requests[0].body.decode("utf-8")
    assert json.loads(service.requests[0].body)["Text"] == "ñ"
