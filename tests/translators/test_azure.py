from __future__ import annotations

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, Throttled, Unauthorised, Unavailable
from concord.testing import check_translator
from concord.translators.azure import SPELLING, Translator

KEY = "canary0123456789abcdef"
ENVIRON = {"AZURE_TRANSLATOR_KEY": KEY, "AZURE_TRANSLATOR_REGION": "westeurope"}
LANGUAGES = ("en", "es", "pt", "pt-pt", "nb", "he", "ku", "kmr", "sr-Cyrl", "sr-Latn", "zh-Hans", "zh-Hant", "x")


def made(service, **options):
    return Translator(**{"url": service.url, "environ": ENVIRON, **options})


def azure(service):
    """Answers as Microsoft Translator does, with the text in capitals as the translation."""

    def answer(request):
        assert request.query["api-version"] == "3.0"
        if (request.method, request.path) == ("GET", "/languages"):
            assert request.query["scope"] == "translation"
            return service.reply({"translation": {code: {"name": code, "dir": "ltr"} for code in LANGUAGES}})
        sent = request.headers.get("ocp-apim-subscription-key"), request.headers.get("ocp-apim-subscription-region")
        if sent != (KEY, "westeurope"):
            return service.reply({"error": {"code": 401000, "message": "not authorized"}}, 401)
        assert (request.method, request.path) == ("POST", "/translate")
        to = request.query["to"]
        return service.reply([{"translations": [{"text": row["Text"].upper(), "to": to}]} for row in request.json])

    return answer


def test_it_is_a_translator(service):
    service.answer = azure(service)
    check_translator(lambda: made(service))


def test_a_batch_is_one_request_in_the_documented_shape(service, translated):
    service.answer = azure(service)
    assert translated(made(service), ["one &amp; two", ""], "zh", "pt-BR") == ["ONE &AMP; TWO", ""]
    (request,) = service.requests
    assert request.query == {"api-version": "3.0", "from": "zh-Hans", "to": "pt", "textType": "plain"}
    assert request.json == [{"Text": "one &amp; two"}, {"Text": ""}]
    assert request.headers["content-type"] == "application/json"


def test_a_custom_model_is_asked_for_and_stands_in_the_id(service, translated):
    service.answer = azure(service)
    system = made(service, category="a/b & c")
    translated(system, ["one"])
    assert service.requests[0].query["category"] == "a/b & c"
    assert system.id == f"azure,category=a/b & c,url={service.url}"


def test_a_resource_can_have_a_path_of_its_own(service, translated):
    service.answers([{"translations": [{"text": "uno", "to": "es"}]}])
    assert translated(made(service, url=f"{service.url}/translator/text/v3.0/"), ["one"]) == ["uno"]
    assert service.requests[0].path == "/translator/text/v3.0/translate"


def test_a_global_resource_needs_no_region(service, translated):
    service.answers([{"translations": [{"text": "uno", "to": "es"}]}])
    translated(made(service, environ={"AZURE_TRANSLATOR_KEY": KEY}), ["one"])
    assert "ocp-apim-subscription-region" not in service.requests[0].headers


def test_directions_are_all_pairs_in_our_codes(service, listed):
    service.answer = azure(service)
    known = listed(made(service))
    assert {("en", "es"), ("es", "en"), ("en", "pt"), ("en", "pt-BR"), ("en", "pt-PT"), ("pt-BR", "pt-PT")} <= known
    assert {("en", "zh"), ("en", "zh-Hans"), ("zh-Hans", "zh-Hant"), ("en", "ku"), ("en", "ckb"), ("en", "sr")} <= known
    assert not {("en", "en"), ("zh", "zh-Hans"), ("pt", "pt-BR"), ("en", "fr"), ("en", "x")} & known


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("pt-PT", "pt-pt"),
        ("zh", "zh-Hans"),
        ("zh-Hans", "zh-Hans"),
        ("zh-Hant", "zh-Hant"),
        ("nb", "nb"),
        ("he", "he"),
        ("id", "id"),
        ("fr-CA", "fr-ca"),
        ("sr", "sr-Cyrl"),
        ("sr-Latn", "sr-Latn"),
        ("mn", "mn-Cyrl"),
        ("ku", "kmr"),
        ("ckb", "ku"),
        ("rn", "run"),
        ("lg", "lug"),
        ("ny", "nya"),
    ],
)
def test_languages_are_spelled_as_microsoft_does_and_read_back(ours, theirs):
    assert SPELLING.theirs(ours) == theirs
    assert ours in SPELLING.ours(theirs)


def said(code, message="no"):
    return {"error": {"code": code, "message": message}}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, said(401000, KEY), Unauthorised),
        (403, said(403000), Unauthorised),
        (403, "<html>", Unauthorised),
        (403, said(403001), Exhausted),
        (400, said(400036, f"The target language is not valid. {KEY}"), Refused),
        (400, said(400077), Refused),
        (408, said(408001), Unavailable),
        (429, said(429000), Throttled),
        (500, said(500000), Unavailable),
        (200, [{"translations": [{"text": "uno"}]}], BadAnswer),
        (200, [{"translations": [{"text": "uno"}]}] * 3, BadAnswer),
        (200, [{"translations": [{"text": "uno"}]}, {"translations": []}], BadAnswer),
        (200, [{"translations": [{"text": "uno"}]}, {"translations": [{"text": 2}]}], BadAnswer),
    ],
)
def test_what_goes_wrong(service, failure, status, body, kind):
    service.answers(body, status)
    assert type(failure(made(service), KEY)) is kind


def test_a_denial_names_both_variables(service, failure):
    service.answer = azure(service)
    message = str(failure(made(service, environ={"AZURE_TRANSLATOR_KEY": KEY}), KEY))
    assert "AZURE_TRANSLATOR_KEY" in message
    assert "AZURE_TRANSLATOR_REGION" in message
