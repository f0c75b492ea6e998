from __future__ import annotations

import hmac
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable, UserError
from concord.testing import check_translator
from concord.translators.tencent import CODES, INTO, Translator, authorisation

IDENTITY, SECRET = "AKIDcanary0123456789", "secret-canary-abcdefghij"
ENVIRON = {"TENCENTCLOUD_SECRET_ID": IDENTITY, "TENCENTCLOUD_SECRET_KEY": SECRET + "\n"}
NOW = 1_551_113_065


def made(service, **more):
    return Translator(url=service.url, environ={**ENVIRON, **more}, clock=lambda: NOW + 0.9)


def test_the_signature_is_that_of_the_documented_example():
    headers = {
        "content-type": "application/json; charset=utf-8",
        "host": "cvm.tencentcloudapi.com",
        "x-tc-action": "DescribeInstances",
    }
    body = rb'{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}'
    stars = "*" * 32
    assert authorisation((f"AKID{stars}", stars), "cvm", NOW, headers, body) == (
        f"TC3-HMAC-SHA256 Credential=AKID{stars}/2019-02-25/cvm/tc3_request, "
        "SignedHeaders=content-type;host;x-tc-action, "
        "Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f"
    )


def expected(request, secret):
    """The signature of a request that arrived, step by step as the documentation has it."""

    def mac(key, text):
        return hmac.new(key, text.encode(), sha256).digest()

    names = request.headers["authorization"].split("SignedHeaders=")[1].split(",")[0]
    lines = [f"{name}:{request.headers[name].lower()}" for name in names.split(";")]
    digest = sha256(request.body).hexdigest()
    canonical = "\n".join(["POST", "/", "", *lines, "", names, digest])
    moment = request.headers["x-tc-timestamp"]
    day = datetime.fromtimestamp(int(moment), UTC).date().isoformat()
    digest = sha256(canonical.encode()).hexdigest()
    text = f"TC3-HMAC-SHA256\n{moment}\n{day}/tmt/tc3_request\n{digest}"
    key = mac(mac(mac(b"TC3" + secret.encode(), day), "tmt"), "tc3_request")
    return hmac.new(key, text.encode(), sha256).hexdigest()


def answered(*texts):
    return {"Response": {"Source": "en", "Target": "zh", "TargetTextList": list(texts), "RequestId": "1"}}


def failed(code):
    return {"Response": {"Error": {"Code": code, "Message": f"{IDENTITY} {SECRET}"}, "RequestId": "1"}}


def behaving(service):
    """Tencent as documented: it checks the signature, then translates."""

    def answer(request):
        assert (request.method, request.path, request.query) == ("POST", "/", {})
        assert request.headers["content-type"].startswith("application/json")
        assert request.headers["x-tc-action"] == "TextTranslateBatch"
        assert request.headers["x-tc-version"] == "2018-03-21"
        told = request.headers["authorization"]
        assert told.startswith("TC3-HMAC-SHA256 Credential=")
        if f"Credential={IDENTITY}/" not in told:
            return service.reply(failed("AuthFailure.SecretIdNotFound"))
        if told.rpartition("Signature=")[2] != expected(request, SECRET):
            return service.reply(failed("AuthFailure.SignatureFailure"))
        assert request.json["ProjectId"] == 0
        return service.reply(answered(*(text.upper() for text in request.json["SourceTextList"])))

    return answer


def test_texts_travel_in_one_signed_request(service, translated):
    service.answer = behaving(service)
    texts = ["Hello & bye", "50 % of 你好 😀", "line\nbreak"]
    assert translated(made(service), texts, "en", "zh-Hans") == [text.upper() for text in texts]
    (request,) = service.requests
    assert request.json == {"Source": "en", "Target": "zh", "ProjectId": 0, "SourceTextList": texts}
    assert request.headers["x-tc-timestamp"] == str(NOW)
    assert request.headers["x-tc-region"] == "ap-guangzhou"
    assert SECRET not in f"{request.headers} {request.body}"


def test_it_conforms(service):
    service.answer = behaving(service)
    check_translator(lambda: made(service))


def test_the_region_can_be_another_but_not_anything(service, translated):
    service.answer = behaving(service)
    translated(Translator(region="ap-singapore", url=service.url, environ=ENVIRON), ["hello"])
    assert service.requests[0].headers["x-tc-region"] == "ap-singapore"
    with pytest.raises(UserError, match="region=ap-guangzhou"):
        Translator(region="Singapore\n", environ=ENVIRON)


def test_blank_text_is_not_sent(service, translated):
    service.answer = behaving(service)
    assert translated(made(service), ["", "one", " ", "two"]) == ["", "ONE", " ", "TWO"]
    assert translated(made(service), ["", " "]) == ["", " "]
    assert [request.json["SourceTextList"] for request in service.requests] == [["one", "two"]]


def test_half_a_surrogate_pair_is_refused(service, failure):
    assert isinstance(failure(made(service), SECRET, texts=["a \ud800"]), Refused)
    assert service.requests == []


@pytest.mark.parametrize("words", ["", "&amp;", "<b>&lt;</b>"])
def test_an_answer_is_passed_on_as_it_is(service, translated, words):
    service.answers(answered(words))
    assert translated(made(service), ["hello"]) == [words]


FAILURES: list[tuple[Any, int, type[ServiceError]]] = [
    (failed("AuthFailure.SignatureFailure"), 200, Unauthorised),
    (failed("AuthFailure.SignatureExpire"), 200, Unauthorised),
    (failed("AuthFailure.SecretIdNotFound"), 200, Unauthorised),
    (failed("UnauthorizedOperation"), 200, Unauthorised),
    (failed("FailedOperation.UserNotRegistered"), 200, Unauthorised),
    (failed("FailedOperation.NoFreeAmount"), 200, Exhausted),
    (failed("FailedOperation.UserHasNoFreeAmount"), 200, Exhausted),
    (failed("FailedOperation.ServiceIsolate"), 200, Exhausted),
    (failed("FailedOperation.StopUsing"), 200, Exhausted),
    (failed("LimitExceeded"), 200, Exhausted),
    (failed("LimitExceeded.LimitedAccessFrequency"), 200, Throttled),
    (failed("RequestLimitExceeded"), 200, Throttled),
    (failed("RequestLimitExceeded.UinLimitExceeded"), 200, Throttled),
    (failed("InternalError"), 200, Unavailable),
    (failed("InternalError.BackendTimeout"), 200, Unavailable),
    (failed("FailedOperation.RequestAiLabErr"), 200, Unavailable),
    (failed("UnsupportedOperation.TextTooLong"), 200, Refused),
    (failed("UnsupportedOperation.UnsupportedLanguage"), 200, Refused),
    (failed("InvalidParameter"), 200, Refused),
    (failed(SECRET), 200, Refused),
    (failed(None), 200, BadAnswer),
    ({"Response": {"Error": "no"}}, 200, BadAnswer),
    (f"bad {IDENTITY} {SECRET}", 400, Refused),
    (answered(), 200, BadAnswer),
    (answered("one"), 200, BadAnswer),
    (answered("one", "two", "three"), 200, BadAnswer),
    (answered("one", None), 200, BadAnswer),
    ({"Response": {"TargetTextList": "ab"}}, 200, BadAnswer),
]


@pytest.mark.parametrize(("answer", "status", "kind"), FAILURES)
def test_a_failing_service_fails_the_batch_and_never_tells_a_key(service, failure, answer, status, kind):
    service.answers(answer, status)
    assert type(failure(made(service), IDENTITY, SECRET)) is kind


@pytest.mark.parametrize(
    "wrong", [{"TENCENTCLOUD_SECRET_ID": "AKIDanother"}, {"TENCENTCLOUD_SECRET_KEY": "another-secret"}]
)
def test_a_wrong_key_is_told_with_both_variables(service, denial, wrong):
    service.answer = behaving(service)
    assert "TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY" in denial(made(service, **wrong), "another-secret")


def test_a_full_request_stays_below_what_tencent_takes():
    assert Translator.limits.characters < 6_000


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("zh", "zh"), ("zh-Hans", "zh"), ("zh-Hant", "zh-TW"), ("pt-BR", "pt"), ("pt-PT", "pt"), ("id", "id")],
)
def test_codes_are_spelled_as_tencent_does(service, translated, ours, theirs):
    service.answer = behaving(service)
    translated(made(service), ["x"], ours, "en-US")
    translated(made(service), ["x"], "en-GB", ours)
    first, second = (request.json for request in service.requests)
    assert (first["Source"], first["Target"]) == (theirs, "en")
    assert (second["Source"], second["Target"]) == ("en", theirs)


def test_directions_are_those_that_are_documented(service, listed):
    known = listed(made(service))
    assert {("en", "hi"), ("hi", "en"), ("fr", "pt-BR"), ("zh-Hant", "ar"), ("ja", "ko"), ("vi", "zh")} <= known
    assert not {("zh", "hi"), ("ja", "fr"), ("zh", "zh-Hans"), ("fr", "fr"), ("vi", "th"), ("en-GB", "en-US")} & known
    assert not {("zh", "zh-Hant"), ("zh-Hant", "zh")} & known
    assert "zh-TW" not in CODES
    assert set(CODES.values()) == set(INTO)
    assert service.requests == []
