from __future__ import annotations

import asyncio
import hmac
import json
from hashlib import sha256
from typing import Any

import pytest

from concord.engine.translate import Translating
from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable
from concord.testing import check_translator
from concord.translators.alibaba import CODES, Translator, authorisation

IDENTITY, SECRET = "LTAIcanary0123456789", "secret-canary-abcdefghij"
ENVIRON = {"ALIBABA_CLOUD_ACCESS_KEY_ID": IDENTITY, "ALIBABA_CLOUD_ACCESS_KEY_SECRET": SECRET + "\n"}
NOW = 1_698_315_752


def made(service, **more):
    return Translator(url=service.url, environ={**ENVIRON, **more}, clock=lambda: NOW + 0.9, nonce=lambda: "once")


def test_the_signature_is_that_of_the_documented_example():
    headers = {
        "host": "ecs.cn-shanghai.aliyuncs.com",
        "x-acs-action": "RunInstances",
        "x-acs-content-sha256": sha256(b"").hexdigest(),
        "x-acs-date": "2023-10-26T10:22:32Z",
        "x-acs-signature-nonce": "3156853299f313e23d1673dc12e1703d",
        "x-acs-version": "2014-05-26",
    }
    query = "ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai"
    assert authorisation(("YourAccessKeyId", "YourAccessKeySecret"), headers, query) == (
        "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;"
        "x-acs-date;x-acs-signature-nonce;x-acs-version,"
        "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
    )


def expected(request, names):
    """The signature of a request that arrived, step by step as the documentation has it."""
    lines = [f"{name}:{request.headers[name]}" for name in names.split(";")]
    canonical = "\n".join(["POST", "/", "", *lines, "", names, sha256(request.body).hexdigest()])
    text = "ACS3-HMAC-SHA256\n" + sha256(canonical.encode()).hexdigest()
    return hmac.new(SECRET.encode(), text.encode(), sha256).hexdigest()


def row(index, words, code="200"):
    return {"code": code, "wordCount": "1", "detectedLanguage": "en", "index": index, "translated": words}


def batch(*rows, code=200):
    return {"Code": code, "Message": "success", "RequestId": "1", "TranslatedList": list(rows)}


def failed(code):
    return {"Code": code, "Message": f"{IDENTITY} {SECRET}", "RequestId": "1"}


def behaving(service):
    """Alibaba as documented: it checks the signature, then translates; a batch comes back in any order."""

    def answer(request):
        assert (request.method, request.path, request.query) == ("POST", "/", {})
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        assert request.headers["x-acs-version"] == "2018-10-12"
        algorithm, told = request.headers["authorization"].split(" ")
        parts = dict(part.split("=", 1) for part in told.split(","))
        names = parts["SignedHeaders"]
        needed = {name for name in request.headers if name.startswith("x-acs-")} | {"host", "content-type"}
        assert (algorithm, set(names.split(";"))) == ("ACS3-HMAC-SHA256", needed)
        if parts["Credential"] != IDENTITY:
            return service.reply(failed("InvalidAccessKeyId.NotFound"), 404)
        if parts["Signature"] != expected(request, names):
            return service.reply(failed("SignatureDoesNotMatch"), 400)
        form = request.form
        assert (form["FormatType"], form["Scene"]) == ("text", "general")
        if request.headers["x-acs-action"] == "TranslateGeneral":
            return service.reply({"Code": "200", "Data": {"Translated": form["SourceText"].upper(), "WordCount": "1"}})
        assert (request.headers["x-acs-action"], form["ApiType"]) == ("GetBatchTranslate", "translate_standard")
        texts = json.loads(form["SourceText"])
        assert len(texts) <= 50
        assert max(map(len, texts.values())) <= 1_000
        return service.reply(batch(*(row(index, text.upper()) for index, text in reversed(texts.items()))))

    return answer


def test_texts_travel_in_one_signed_form_and_are_matched_by_their_index(service, translated):
    service.answer = behaving(service)
    texts = ["Hello & bye = 1 + 1", "50 % of 你好 😀", 'a "quoted"\nline', "Hello & bye = 1 + 1"]
    assert translated(made(service), texts, "en", "zh-Hans") == [text.upper() for text in texts]
    (request,) = service.requests
    assert (request.form["SourceLanguage"], request.form["TargetLanguage"]) == ("en", "zh")
    assert request.headers["x-acs-date"] == "2023-10-26T10:22:32Z"
    assert request.headers["x-acs-signature-nonce"] == "once"
    assert SECRET not in f"{request.headers} {request.body}"


def test_every_request_has_a_nonce_of_its_own(service, translated):
    service.answer = behaving(service)
    translated(Translator(url=service.url, environ=ENVIRON), ["one", "x" * 1_001])
    assert len({request.headers["x-acs-signature-nonce"] for request in service.requests}) == 2


def test_it_conforms(service):
    service.answer = behaving(service)
    check_translator(lambda: made(service))


def test_a_long_text_travels_alone(service, translated):
    service.answer = behaving(service)
    texts = ["one", "l" * 1_001, "", "s" * 1_000, "m" * 5_000]
    assert translated(made(service), texts) == [text.upper() for text in texts]
    asked = [request.headers["x-acs-action"] for request in service.requests]
    assert asked == ["GetBatchTranslate", "TranslateGeneral", "TranslateGeneral"]


def test_blank_text_is_not_sent(service, translated):
    assert translated(made(service), ["", " \n"]) == ["", " \n"]
    assert service.requests == []


def test_half_a_surrogate_pair_is_refused(service, failure):
    assert isinstance(failure(made(service), SECRET, texts=["a \ud800"]), Refused)
    assert service.requests == []


@pytest.mark.parametrize("words", ["", "&amp;", "<b>&lt;</b>"])
def test_an_answer_is_passed_on_as_it_is(service, translated, words):
    service.answers({**batch(row("0", words)), "Data": {"Translated": words}})
    assert translated(made(service), ["hello"]) == [words]
    assert translated(made(service), ["hello " * 200]) == [words]


GOOD = row("0", "one")
FAILURES: list[tuple[Any, int, type[ServiceError]]] = [
    (failed("InvalidAccessKeyId.NotFound"), 404, Unauthorised),
    (failed("InvalidAccessKeyId.Inactive"), 400, Unauthorised),
    (failed("SignatureDoesNotMatch"), 400, Unauthorised),
    (failed("InvalidTimeStamp.Expired"), 400, Unauthorised),
    (failed("Forbidden.RAM"), 403, Unauthorised),
    (failed("10010"), 200, Unauthorised),
    (failed("InsufficientBalance"), 400, Exhausted),
    (failed(10013), 200, Exhausted),
    (failed("Throttling"), 400, Throttled),
    (failed("Throttling.User"), 400, Throttled),
    (failed("SignatureNonceUsed"), 400, Unavailable),
    (failed("ServiceUnavailable"), 503, Unavailable),
    (failed("10001"), 200, Unavailable),
    (failed(10002), 200, Unavailable),
    (failed("10005"), 200, Refused),
    (failed(10008), 200, Refused),
    (failed("InvalidParameter"), 400, Refused),
    (failed(SECRET), 200, Refused),
    (failed(SECRET), 400, Refused),
    (failed("Unheard.Of"), 500, Unavailable),
    (f"bad {IDENTITY} {SECRET}", 400, Refused),
    (batch(), 200, BadAnswer),
    (batch(GOOD), 200, BadAnswer),
    (batch(GOOD, GOOD), 200, BadAnswer),
    (batch(GOOD, row("2", "two")), 200, BadAnswer),
    (batch(GOOD, row("1", "two"), row("2", "three")), 200, BadAnswer),
    (batch(GOOD, row("1", None)), 200, BadAnswer),
    (batch(GOOD, {"index": "1", "translated": "two"}), 200, BadAnswer),
    (batch(GOOD, "two"), 200, BadAnswer),
]


@pytest.mark.parametrize(("answer", "status", "kind"), FAILURES)
def test_a_failing_service_fails_the_batch_and_never_tells_a_key(service, failure, answer, status, kind):
    service.answers(answer, status)
    assert type(failure(made(service), IDENTITY, SECRET)) is kind


def test_the_time_to_wait_is_told(service, time_to_wait):
    service.answers(failed("Throttling.Api"), 400, retry_after="7")
    assert time_to_wait(made(service), SECRET) == 7


def test_a_refusal_stands_in_the_place_of_its_text(service, translated):
    service.answers(batch(row(1, "", 10007), row(0, "UNO", 200), code="200"))
    fine, bad = translated(made(service), ["one", "two"])
    assert fine == "UNO"
    assert isinstance(bad, Refused)
    assert "10007" in str(bad)
    service.answers(failed("10008"))
    (alone,) = translated(made(service), ["long " * 300])
    assert isinstance(alone, Refused)


def test_what_fails_for_one_text_leaves_the_others_their_answers(service, translated):
    service.answers(batch(row("0", "UNO"), row("1", "", "10002")))
    fine, failed_for_now = translated(made(service), ["one", "two"])
    assert fine == "UNO"
    assert type(failed_for_now) is Unavailable


def test_a_throttled_long_text_is_asked_again_but_no_short_one(service):
    """Asked as a run asks: each text is paid for once."""
    good, busy = behaving(service), [service.reply(failed("Throttling.User"), 400, retry_after="0")]
    service.answer = lambda request: (
        busy.pop() if busy and request.headers["x-acs-action"] == "TranslateGeneral" else good(request)
    )
    texts = ["one", "l" * 1_001, "two", "m" * 1_001]
    system = made(service)

    async def ask():
        batched = Translating(system, None).batched
        try:
            return await batched.ask_now(("en", "fr"), texts)
        finally:
            await system.close()

    assert asyncio.run(ask()) == [text.upper() for text in texts]
    asked = [request.headers["x-acs-action"] for request in service.requests]
    assert asked == ["GetBatchTranslate", *["TranslateGeneral"] * 3]


@pytest.mark.parametrize(
    "wrong", [{"ALIBABA_CLOUD_ACCESS_KEY_ID": "LTAIother"}, {"ALIBABA_CLOUD_ACCESS_KEY_SECRET": "another-secret"}]
)
def test_a_wrong_key_is_told_with_both_variables(service, denial, wrong):
    service.answer = behaving(service)
    assert "ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET" in denial(
        made(service, **wrong), "another-secret"
    )


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("zh", "zh"),
        ("zh-Hans", "zh"),
        ("nb", "no"),
        ("he", "he"),
        ("id", "id"),
        ("hr", "hbs"),
        ("fil", "fil"),
        ("pt-BR", "pt"),
        ("en-GB", "en"),
    ],
)
def test_codes_are_spelled_as_alibaba_does(service, there_and_back, ours, theirs):
    service.answer = behaving(service)
    sent = [request.form for request in there_and_back(made(service), ours, "fr")]
    assert [(form["SourceLanguage"], form["TargetLanguage"]) for form in sent] == [(theirs, "fr"), ("fr", theirs)]


def test_directions_join_all_languages_but_three_only_with_chinese(service, listed):
    known = listed(made(service))
    assert {("en", "zh-Hans"), ("zh-Hant", "zh-Hans"), ("zh", "yue"), ("mn", "zh"), ("nb", "he")} <= known
    assert not {("en", "zh-Hant"), ("yue", "en"), ("mn", "ru"), ("zh-Hant", "yue"), ("zh", "zh-Hans")} & known
    assert len(set(CODES.values())) == 214
    assert service.requests == []
