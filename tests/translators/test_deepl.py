from __future__ import annotations

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, Throttled, Unauthorised, Unavailable
from concord.testing import check_translator
from concord.translators.deepl import FREE, PRO, Translator, as_source, as_target

KEY = "canary-0123-4567-89ab:fx"
SOURCES = ("DE", "EN", "ES", "NB", "PT", "ZH")
TARGETS = ("DE", "EN-GB", "EN-US", "ES", "ES-419", "NB", "PT-BR", "PT-PT", "ZH", "ZH-HANS", "ZH-HANT", "?")


def made(service, **options):
    return Translator(url=service.url, environ={"DEEPL_AUTH_KEY": KEY}, **options)


def deepl(service):
    """Answers as DeepL does, with the text in capitals as the translation."""

    def answer(request):
        if request.headers.get("authorization") != f"DeepL-Auth-Key {KEY}":
            return service.reply({"message": "Invalid auth key."}, 403)
        if (request.method, request.path) == ("GET", "/v2/languages"):
            codes = SOURCES if request.query == {"type": "source"} else TARGETS
            return service.reply([{"language": code, "name": code} for code in codes])
        assert (request.method, request.path, request.query) == ("POST", "/v2/translate", {})
        source = request.json["source_lang"]
        rows = [{"detected_source_language": source, "text": text.upper()} for text in request.json["text"]]
        return service.reply({"translations": rows})

    return answer


def test_it_is_a_translator(service):
    service.answer = deepl(service)
    check_translator(lambda: made(service))


def test_a_batch_is_one_request_in_the_documented_shape(service, translated):
    service.answer = deepl(service)
    assert translated(made(service), ["one &amp; two", ""], "en-GB", "pt") == ["ONE &AMP; TWO", ""]
    (request,) = service.requests
    assert request.json == {"text": ["one &amp; two", ""], "source_lang": "EN", "target_lang": "PT-BR"}
    assert request.headers["content-type"] == "application/json"


def test_entities_in_an_answer_are_left_as_they_are(service, translated):
    service.answers({"translations": [{"text": "a &amp; b &#39;c&#39;"}]})
    assert translated(made(service), ["x"]) == ["a &amp; b &#39;c&#39;"]


def test_the_model_is_sent_and_stands_in_the_id(service, translated):
    service.answer = deepl(service)
    system = made(service, model="latency_optimized")
    translated(system, ["one"])
    assert service.requests[0].json["model_type"] == "latency_optimized"
    assert system.id == f"deepl,model=latency_optimized,url={service.url}"


def test_a_free_key_goes_to_the_free_host():
    free = Translator(environ={"DEEPL_AUTH_KEY": f" {KEY}\n"})
    pro = Translator(environ={"DEEPL_AUTH_KEY": KEY.removesuffix(":fx")})
    assert (free._http._url, pro._http._url) == (FREE, PRO)
    assert free.id == pro.id == "deepl"
    assert free.version("en", "es") is None


def test_the_host_can_be_chosen_without_becoming_part_of_the_id():
    assert Translator(url=PRO + "/", environ={"DEEPL_AUTH_KEY": KEY}).id == "deepl"


def test_directions_know_the_variants(service, listed):
    service.answer = deepl(service)
    known = listed(made(service))
    assert {("en", "de"), ("de", "en"), ("de", "en-GB"), ("en-GB", "de"), ("zh-Hant", "nb"), ("de", "es-419")} <= known
    assert {("de", "pt"), ("de", "pt-PT"), ("de", "zh"), ("de", "zh-Hans"), ("de", "zh-Hant")} <= known
    assert not {("en", "en-GB"), ("zh-Hans", "zh-Hant"), ("de", "de"), ("en", "fr")} & known


@pytest.mark.parametrize(
    ("ours", "source", "target"),
    [
        ("en", "EN", "EN-US"),
        ("en-US", "EN", "EN-US"),
        ("en-GB", "EN", "EN-GB"),
        ("pt", "PT", "PT-BR"),
        ("pt-PT", "PT", "PT-PT"),
        ("zh", "ZH", "ZH-HANS"),
        ("zh-Hans", "ZH", "ZH-HANS"),
        ("zh-Hant", "ZH", "ZH-HANT"),
        ("es-419", "ES", "ES-419"),
        ("nb", "NB", "NB"),
        ("he", "HE", "HE"),
        ("id", "ID", "ID"),
        ("ku", "KMR", "KMR"),
        ("ckb", "CKB", "CKB"),
    ],
)
def test_languages_are_spelled_as_deepl_does(ours, source, target):
    assert (as_source(ours), as_target(ours)) == (source, target)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (403, {"message": KEY}, Unauthorised),
        (456, {"message": "Quota Exceeded"}, Exhausted),
        (400, {"message": f"Value for 'target_lang' not supported. {KEY}"}, Refused),
        (413, "", Refused),
        (529, "", Throttled),
        (500, "", Unavailable),
        (504, "", Unavailable),
        (200, {"translations": None}, BadAnswer),
        (200, {"translations": []}, BadAnswer),
        (200, {"translations": [{"text": "uno"}]}, BadAnswer),
        (200, {"translations": [{"text": "uno"}, {"text": "dos"}, {"text": "tres"}]}, BadAnswer),
        (200, {"translations": [{"text": "uno"}, {"text": None}]}, BadAnswer),
        (200, {"translations": ["uno", "dos"]}, BadAnswer),
    ],
)
def test_what_goes_wrong(service, failure, status, body, kind):
    service.answers(body, status)
    assert type(failure(made(service), KEY)) is kind


def test_it_waits_as_long_as_it_is_told(service, time_to_wait):
    service.answers("busy", 529, retry_after="7")
    assert time_to_wait(made(service), KEY) == 7


def test_the_free_plan_has_its_month():
    free = Translator(environ={"DEEPL_AUTH_KEY": "abc:fx"})
    assert free.limits.per_month == 500_000
    assert Translator(environ={"DEEPL_AUTH_KEY": "abc"}).limits.per_month is None
