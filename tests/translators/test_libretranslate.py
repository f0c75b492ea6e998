from __future__ import annotations

import socket

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, Throttled, Unauthorised, Unavailable, UserError
from concord.testing import check_translator
from concord.translators.libretranslate import START, Translator

KEY = "canary-0123-4567"
NAME = "LIBRETRANSLATE_API_KEY"
LANGUAGES = [
    {"code": "en", "name": "English", "targets": ["en", "es", "pb", "zh", "zt", "no-such-code"]},
    {"code": "es", "name": "Spanish", "targets": ["en", "es"]},
    {"code": "zh", "name": "Chinese", "targets": ["en", "zh", "zt"]},
]


def made(service, key=KEY):
    return Translator(argument=service.url, environ={NAME: key})


def libre(service, key=KEY, languages=LANGUAGES):
    """Answers as a LibreTranslate server does, with the text in capitals as the translation."""

    def answer(request):
        if (request.method, request.path) == ("GET", "/languages"):
            return service.reply(languages)
        assert (request.method, request.path, request.query) == ("POST", "/translate", {})
        if key and "api_key" not in request.json:
            return service.reply({"error": "Visit https://example.org to get an API key"}, 400)
        if request.json.get("api_key", "") != key:
            return service.reply({"error": "Invalid API key"}, 403)
        return service.reply({"translatedText": [text.upper() for text in request.json["q"]]})

    return answer


def saying(service, body, status=200, **headers):
    """One answer to every translation, after the list of languages."""
    languages = service.reply(LANGUAGES)
    service.answer = lambda r: languages if r.path == "/languages" else service.reply(body, status, **headers)


def test_it_is_a_translator(service):
    service.answer = libre(service)
    check_translator(lambda: made(service))


def test_a_batch_is_one_request_in_the_documented_shape(service, translated):
    service.answer = libre(service)
    assert translated(made(service), ["one &amp; two", ""], "en", "pt-BR") == ["ONE &AMP; TWO", ""]
    _, request = service.requests
    expected = {"q": ["one &amp; two", ""], "source": "en", "target": "pb", "format": "text", "api_key": KEY}
    assert request.json == expected
    assert request.headers["content-type"] == "application/json"


def test_without_a_key_none_is_sent(service, translated):
    service.answer = libre(service, key="")
    assert translated(made(service, key=" "), ["one"]) == ["ONE"]
    assert "api_key" not in service.requests[-1].json


def test_a_pair_that_the_server_lacks_is_refused(service, translated):
    service.answer = libre(service)
    answers = translated(made(service), ["uno", "dos"], "es", "zh")
    assert [type(answer) for answer in answers] == [Refused, Refused]
    assert "es-zh" in str(answers[0])


def test_directions_are_the_pairs_of_the_server_in_our_codes(service, listed):
    service.answer = libre(service)
    into = {"es", "pt-BR", "zh", "zh-Hans", "zh-Hant"}
    back = {("es", "en"), ("zh", "en"), ("zh-Hans", "en"), ("zh", "zh-Hant"), ("zh-Hans", "zh-Hant")}
    assert listed(made(service)) == {("en", code) for code in into} | back


def test_an_old_server_that_lists_no_targets_has_every_pair(service, listed):
    service.answer = libre(service, languages=[{"code": "en", "name": "English"}, {"code": "es", "name": "Spanish"}])
    assert listed(made(service)) == {("en", "es"), ("es", "en")}


def test_after_close_the_languages_are_asked_for_again(service, translated):
    service.answer = libre(service)
    system = made(service)
    translated(system, ["one"])
    translated(system, ["one"])
    assert [request.path for request in service.requests] == ["/languages", "/translate"] * 2


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("zt", ("zh-Hant",)),
        ("zh-Hant", ("zh-Hant",)),
        ("zh", ("zh", "zh-Hans")),
        ("zh-Hans", ("zh-Hans", "zh")),
        ("pb", ("pt-BR",)),
        ("pt-BR", ("pt-BR",)),
        ("pt", ("pt",)),
        ("nb", ("nb",)),
        ("he", ("he",)),
        ("no-such-code", ()),
    ],
)
def test_the_codes_of_servers_old_and_new_are_understood(theirs, ours):
    assert Translator()._meant(theirs) == ours


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error": "Please contact the server operator to get an API key"}, Unauthorised),
        (403, {"error": f"Invalid API key {KEY}"}, Unauthorised),
        (403, {"error": "Too many request limits violations"}, Exhausted),
        (429, {"error": "Slowdown: 1000 per 1 day"}, Exhausted),
        (429, {"error": "Slowdown: 30 per 1 minute"}, Throttled),
        (400, {"error": f"Invalid request: request (9) exceeds text limit (5) {KEY}"}, Refused),
        (500, {"error": "Cannot translate text: out of memory"}, Unavailable),
        (503, "", Unavailable),
        (0, "", Unavailable),
        (200, "{", BadAnswer),
        (200, [], BadAnswer),
        (200, {"error": "none"}, BadAnswer),
        (200, {"translatedText": "uno"}, BadAnswer),
        (200, {"translatedText": ["uno"]}, BadAnswer),
        (200, {"translatedText": ["uno", "dos", "tres"]}, BadAnswer),
        (200, {"translatedText": ["uno", None]}, BadAnswer),
    ],
)
def test_what_goes_wrong(service, failure, status, body, kind):
    saying(service, body, status)
    assert type(failure(made(service), KEY)) is kind


@pytest.mark.parametrize("languages", [{}, ["en"], [{"name": "English"}], [{"code": "en", "targets": [1]}], "{"])
def test_a_list_of_languages_of_another_shape_is_a_bad_answer(service, failure, languages):
    service.answers(languages)
    assert type(failure(made(service), KEY)) is BadAnswer


@pytest.mark.parametrize("status", [429, 503])
def test_it_waits_as_long_as_it_is_told(service, time_to_wait, status):
    saying(service, {"error": "Slowdown"}, status, retry_after="7")
    assert time_to_wait(made(service), KEY) == 7


@pytest.mark.parametrize("key", ["", "another-canary"])
def test_a_denial_names_the_variable(service, denial, key):
    service.answer = libre(service)
    assert NAME in denial(made(service, key), key or KEY)


def test_no_server_is_told_with_how_to_start_one(failure):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        error = failure(Translator(argument=address, environ={}), KEY)
    assert isinstance(error, Unavailable)
    assert START in str(error)


def test_the_address_stands_in_the_id_and_no_version_is_told():
    system = Translator(argument="https://mt.example.org/", environ={})
    assert system.id == "libretranslate:https://mt.example.org"
    assert system.version("en", "es") is None


def test_what_is_no_address_is_the_users_to_cure():
    with pytest.raises(UserError, match="is not the address"):
        Translator(argument="mt.example.org", environ={})


def test_the_environment_is_read_when_none_is_given(service, translated, monkeypatch):
    monkeypatch.setenv(NAME, KEY)
    service.answer = libre(service)
    assert translated(Translator(argument=service.url), ["one"]) == ["ONE"]
