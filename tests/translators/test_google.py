from __future__ import annotations

from typing import Any

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable, UserError
from concord.testing import check_translator
from concord.translators.google import SPELLING, URL, Translator

KEY = "AIzaCanary0123456789"
TOKEN = "ya29.canary-token"
BASIC = {"GOOGLE_API_KEY": KEY}
ADVANCED = {"GOOGLE_ACCESS_TOKEN": TOKEN, "GOOGLE_PROJECT": "my-project-1"}
LANGUAGES = ("en", "es", "fr", "iw", "he", "no", "pt", "pt-PT", "zh", "zh-CN", "zh-TW", "?")
PARENT = "/v3/projects/my-project-1/locations/global"


def made(service, environ=BASIC, **options):
    return Translator(url=service.url, environ=environ, **options)


def basic(service):
    """Answers as version 2 does, with the text in capitals as the translation."""

    def answer(request):
        assert request.query == {}
        if request.headers.get("x-goog-api-key") != KEY:
            return service.reply(said(400, "API key not valid. Please pass a valid API key.", "badRequest"), 400)
        if (request.method, request.path) == ("GET", "/language/translate/v2/languages"):
            return service.reply({"data": {"languages": [{"language": code} for code in LANGUAGES]}})
        assert (request.method, request.path) == ("POST", "/language/translate/v2")
        return service.reply({"data": {"translations": [{"translatedText": t.upper()} for t in request.json["q"]]}})

    return answer


def advanced(service):
    """Answers as version 3 does; French it only reads."""

    def answer(request):
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return service.reply(said(401, "Request had invalid authentication credentials.", "authError"), 401)
        if (request.method, request.path) == ("GET", f"{PARENT}/supportedLanguages"):
            rows = [{"languageCode": c, "supportSource": True, "supportTarget": c != "fr"} for c in LANGUAGES]
            return service.reply({"languages": rows})
        assert (request.method, request.path) == ("POST", f"{PARENT}:translateText")
        return service.reply({"translations": [{"translatedText": t.upper()} for t in request.json["contents"]]})

    return answer


def said(code, message, reason="", **more):
    errors = [{"message": message, "domain": "global", "reason": reason}]
    return {"error": {"code": code, "message": message, "errors": errors, **more}}


# -- version 2 ----------------------------------------------------------------------------------


def test_the_basic_edition_is_a_translator(service):
    service.answer = basic(service)
    check_translator(lambda: made(service))


def test_a_basic_batch_is_one_request_in_the_documented_shape(service, translated):
    service.answer = basic(service)
    assert translated(made(service), ["one &amp; two", ""], "zh-Hant", "nb") == ["ONE &AMP; TWO", ""]
    (request,) = service.requests
    assert request.json == {"q": ["one &amp; two", ""], "source": "zh-TW", "target": "no", "format": "text"}
    assert KEY not in request.path + str(request.query) + request.body.decode()


def test_plain_text_was_asked_for_so_entities_are_left_as_they_are(service, translated):
    service.answers({"data": {"translations": [{"translatedText": "a &amp; b &#39;c&#39;"}]}})
    assert translated(made(service), ["x"]) == ["a &amp; b &#39;c&#39;"]


def test_the_model_is_sent_and_stands_in_the_id(service, translated):
    service.answer = basic(service)
    system = made(service, model="nmt")
    translated(system, ["one"])
    assert service.requests[0].json["model"] == "nmt"
    assert system.id == f"google,model=nmt,url={service.url}"


def test_basic_directions_are_all_pairs_in_our_codes(service, listed):
    service.answer = basic(service)
    known = listed(made(service))
    assert {("en", "es"), ("en", "he"), ("en", "nb"), ("en", "pt"), ("en", "pt-BR"), ("en", "pt-PT")} <= known
    assert {("en", "zh"), ("en", "zh-Hans"), ("zh-Hans", "zh-Hant"), ("fr", "en"), ("en", "fr")} <= known
    assert not {("en", "en"), ("zh", "zh-Hans"), ("pt", "pt-BR"), ("en", "de"), ("en", "no"), ("en", "iw")} & known


# -- version 3 ----------------------------------------------------------------------------------


def test_the_advanced_edition_is_a_translator(service):
    service.answer = advanced(service)
    check_translator(lambda: made(service, ADVANCED))


def test_an_advanced_batch_is_one_request_in_the_documented_shape(service, translated):
    service.answer = advanced(service)
    assert translated(made(service, ADVANCED), ["one &amp; two", ""], "zh", "pt-BR") == ["ONE &AMP; TWO", ""]
    (request,) = service.requests
    languages = {"sourceLanguageCode": "zh-CN", "targetLanguageCode": "pt"}
    assert request.json == {"contents": ["one &amp; two", ""], "mimeType": "text/plain", **languages}
    assert request.headers["x-goog-user-project"] == "my-project-1"
    assert "x-goog-api-key" not in request.headers


def test_an_advanced_model_is_named_in_full_and_stands_in_the_id(service, translated):
    service.answers({"translations": [{"translatedText": "uno"}]})
    system = made(service, ADVANCED, model="general/translation-llm", location="us-central1")
    translated(system, ["one"])
    parent = "projects/my-project-1/locations/us-central1"
    assert service.requests[0].path == f"/v3/{parent}:translateText"
    assert service.requests[0].json["model"] == f"{parent}/models/general/translation-llm"
    assert system.id == f"google,api=v3,model=general/translation-llm,url={service.url},location=us-central1"


def test_advanced_directions_know_what_can_only_be_read(service, listed):
    service.answer = advanced(service)
    known = listed(made(service, ADVANCED))
    assert {("en", "es"), ("fr", "en"), ("en", "zh-Hant"), ("en", "he")} <= known
    assert not {("en", "fr"), ("en", "en")} & known


# -- both ---------------------------------------------------------------------------------------


def test_what_the_environment_holds_decides_on_the_edition():
    both = BASIC | ADVANCED
    assert Translator(environ=BASIC).id == "google"
    assert Translator(environ=ADVANCED).id == Translator(environ=both).id == "google,api=v3"
    assert Translator(environ=BASIC | {"GOOGLE_ACCESS_TOKEN": TOKEN}).id == "google"
    assert Translator(api="v2", environ=both).id == "google"
    assert Translator(environ=BASIC)._http._url == URL
    assert Translator(environ=both).version("en", "es") is None


def test_version_3_takes_more_at_once():
    basic_limits, advanced_limits = Translator(environ=BASIC).limits, Translator(environ=ADVANCED).limits
    assert (basic_limits.texts, basic_limits.characters) == (128, 16_000)
    assert (advanced_limits.texts, advanced_limits.characters) == (1_024, 30_000)


@pytest.mark.parametrize(
    ("api", "environ", "missing"),
    [
        ("auto", {}, "GOOGLE_API_KEY"),
        ("auto", {"GOOGLE_API_KEY": " "}, "GOOGLE_API_KEY"),
        ("v2", ADVANCED, "GOOGLE_API_KEY"),
        ("v3", BASIC, "GOOGLE_ACCESS_TOKEN and GOOGLE_PROJECT"),
        ("v3", {"GOOGLE_ACCESS_TOKEN": TOKEN}, "needs GOOGLE_PROJECT"),
    ],
)
def test_a_missing_key_is_the_users_to_cure(api, environ, missing):
    with pytest.raises(UserError, match=missing):
        Translator(api=api, environ=environ)


def test_a_project_cannot_lead_elsewhere():
    with pytest.raises(UserError, match="plain words"):
        Translator(environ=ADVANCED | {"GOOGLE_PROJECT": "../x"})


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("zh", "zh-CN"),
        ("zh-Hans", "zh-CN"),
        ("zh-Hant", "zh-TW"),
        ("nb", "no"),
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("pt-PT", "pt-PT"),
        ("he", "he"),
        ("id", "id"),
        ("en", "en"),
    ],
)
def test_languages_are_spelled_as_google_does_and_read_back(ours, theirs):
    assert SPELLING.theirs(ours) == theirs
    assert ours in SPELLING.ours(theirs)


@pytest.mark.parametrize(("theirs", "ours"), [("iw", {"he"}), ("jw", {"jv"}), ("in", {"id"}), ("?", set())])
def test_old_codes_are_understood(theirs, ours):
    assert SPELLING.ours(theirs) == ours


FAILURES: list[tuple[int, Any, type[ServiceError]]] = [
    (400, said(400, f"API key not valid. {KEY} {TOKEN}", "badRequest"), Unauthorised),
    (400, {"error": {"code": 400, "details": [{"reason": "API_KEY_INVALID"}]}}, Unauthorised),
    (401, said(401, "invalid authentication credentials", "authError"), Unauthorised),
    (403, said(403, "The request is missing a valid API key.", "forbidden"), Unauthorised),
    (403, {"error": {"code": 403, "details": [{"reason": "SERVICE_DISABLED"}]}}, Unauthorised),
    (403, said(403, "Daily Limit Exceeded", "dailyLimitExceeded"), Exhausted),
    (403, said(403, "User Rate Limit Exceeded", "userRateLimitExceeded"), Throttled),
    (429, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "per minute per user"}}, Throttled),
    (429, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "characters per day"}}, Exhausted),
    (400, said(400, f"Bad language pair: en|xx {KEY} {TOKEN}", "invalid"), Refused),
    (413, "", Refused),
    (500, said(500, "Internal Error", "backendError"), Unavailable),
    (200, [], BadAnswer),
    (200, {"data": {}}, BadAnswer),
]


@pytest.mark.parametrize(("environ", "canary"), [(BASIC, KEY), (ADVANCED, TOKEN)], ids=["v2", "v3"])
@pytest.mark.parametrize(("status", "body", "kind"), FAILURES)
def test_what_goes_wrong(
    service,
    failure,
    environ,
    canary,
    status,
    body,
    kind,
):
    service.answers(body, status)
    assert type(failure(made(service, environ), canary)) is kind


@pytest.mark.parametrize(("environ", "canary"), [(BASIC, KEY), (ADVANCED, TOKEN)], ids=["v2", "v3"])
@pytest.mark.parametrize("rows", [[], ["uno"], ["uno", None], ["uno", 2], ["uno", "dos", "tres"]])
def test_answers_that_do_not_fit_are_bad(service, failure, environ, canary, rows):
    translations = {"translations": [{"translatedText": row} for row in rows]}
    service.answers({"data": translations, **translations})
    assert type(failure(made(service, environ), canary)) is BadAnswer


@pytest.mark.parametrize(
    ("environ", "variable"), [(BASIC, "GOOGLE_API_KEY"), (ADVANCED, "GOOGLE_ACCESS_TOKEN")], ids=["v2", "v3"]
)
def test_a_denial_names_the_variable(service, failure, environ, variable):
    service.answer = basic(service) if environ is BASIC else advanced(service)
    wrong = environ | {variable: "wrong-canary"}
    assert f"Set {variable}" in str(failure(made(service, wrong), "wrong-canary"))


@pytest.mark.parametrize("rows", [["en"], [{"name": "x", "supportSource": True}], "none"])
@pytest.mark.parametrize("environ", [BASIC, ADVANCED], ids=["v2", "v3"])
def test_a_list_of_languages_of_another_shape_is_a_bad_answer(service, listed, environ, rows):
    service.answers({"data": {"languages": rows}, "languages": rows})
    with pytest.raises(BadAnswer):
        listed(made(service, environ))
