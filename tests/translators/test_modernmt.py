from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable, UserError
from concord.testing import check_translator
from concord.translators.modernmt import Translator

KEY = "01234567-canary-2345-6789-012345678901"
LISTED = ["en", "es", "es-419", "fr", "he", "id", "nb", "nn", "pes", "pt", "pt-BR", "sr-Cyrl", "sr-Latn", "tl"]
LISTED += ["zh-CN", "zh-TW", "no such code"]


def made(service: Any) -> Translator:
    return Translator(url=service.url, environ={"MODERNMT_API_KEY": KEY})


def wrapped(data: Any, status: Any = 200) -> dict[str, Any]:
    return {"status": status, "data": data}


def behaving(service: Any, translate: Callable[[Any], Any] | None = None, listed: Any = LISTED) -> Callable[[Any], Any]:
    """ModernMT as documented."""

    def answer(request: Any) -> Any:
        if request.headers.get("mmt-apikey") != KEY:
            return service.reply({"status": 401, "error": {"type": "AuthException", "message": "no"}}, 401)
        assert request.query == {}
        assert request.headers["x-http-method-override"] == "GET"
        if request.path == "/translate/languages":
            assert request.method == "GET"
            return service.reply(wrapped(listed))
        assert (request.method, request.path) == ("POST", "/translate")
        if translate is not None:
            return translate(request)
        rows = [{"translation": text.upper(), "characters": len(text), "billed": True} for text in request.json["q"]]
        return service.reply(wrapped(rows))

    return answer


def asked(service: Any) -> list[dict[str, Any]]:
    return [request.json for request in service.requests if request.path == "/translate"]


def test_all_texts_travel_in_one_request_as_plain_text(service: Any, translated: Callable[..., list[Any]]) -> None:
    service.answer = behaving(service)
    assert translated(made(service), ["one <b> & two", "three &amp;", ""]) == ["ONE <B> & TWO", "THREE &AMP;", ""]
    assert asked(service) == [
        {"source": "en", "target": "es", "q": ["one <b> & two", "three &amp;", ""], "format": "text/plain"}
    ]


def test_one_text_may_come_back_without_a_list(service: Any, translated: Callable[..., list[Any]]) -> None:
    service.answer = behaving(service, lambda _: service.reply(wrapped({"translation": "hola"})))
    assert translated(made(service), ["hello"]) == ["hola"]


def test_it_conforms(service: Any) -> None:
    service.answer = behaving(service)
    check_translator(lambda: made(service))


def test_the_languages_are_asked_for_once_until_close(service: Any) -> None:
    service.answer = behaving(service)

    async def ask() -> None:
        system = made(service)
        await system.translate(["one"], "en", "es")
        await system.translate(["two"], "en", "es")
        assert [r.path for r in service.requests] == ["/translate/languages", "/translate", "/translate"]
        await system.close()
        await system.translate(["three"], "en", "es")
        await system.close()
        assert [r.path for r in service.requests[3:]] == ["/translate/languages", "/translate"]

    asyncio.run(ask())


FAILURES: list[tuple[Any, int, type[ServiceError]]] = [
    ({"status": 401, "error": {"type": "AuthException", "message": KEY}}, 401, Unauthorised),
    ("no", 403, Unauthorised),
    ({"status": 403, "error": {"message": KEY}}, 200, Unauthorised),
    ("pay", 402, Exhausted),
    ("busy", 429, Throttled),
    ("down", 503, Unavailable),
    (wrapped(None, 500), 200, Unavailable),
    ({"status": 400, "error": {"message": f"bad {KEY}"}}, 400, Refused),
    ({"status": 400, "error": {"message": f"bad {KEY}"}}, 200, Refused),
    ("large", 413, Refused),
    ("", 0, Unavailable),
    ("{", 200, BadAnswer),
    ([], 200, BadAnswer),
    ({"data": []}, 200, BadAnswer),
    (wrapped([{"translation": "x"}] * 2, 302), 200, BadAnswer),
    (wrapped(None), 200, BadAnswer),
    (wrapped([]), 200, BadAnswer),
    (wrapped([{"translation": "x"}]), 200, BadAnswer),
    (wrapped([{"translation": "x"}] * 3), 200, BadAnswer),
    (wrapped({"translation": "x"}), 200, BadAnswer),
    (wrapped([{"translation": "x"}, {"translation": None}]), 200, BadAnswer),
    (wrapped(["x", "y"]), 200, BadAnswer),
]


@pytest.mark.parametrize(("answer", "status", "kind"), FAILURES)
def test_a_failing_service_fails_the_batch_and_never_tells_the_key(
    service: Any, failure: Callable[..., ServiceError], answer: Any, status: int, kind: type[ServiceError]
) -> None:
    service.answer = behaving(service, lambda _: service.reply(answer, status))
    assert type(failure(made(service), KEY)) is kind


@pytest.mark.parametrize("status", [429, 503])
def test_the_time_to_wait_is_told(service: Any, time_to_wait: Callable[..., float | None], status: int) -> None:
    service.answer = behaving(service, lambda _: service.reply("busy", status, retry_after="7"))
    assert time_to_wait(made(service)) == 7


def test_a_denied_key_is_told_with_its_variable(service: Any, denial: Callable[..., str]) -> None:
    service.answer = behaving(service)
    system = Translator(url=service.url, environ={"MODERNMT_API_KEY": "another-key"})
    assert "MODERNMT_API_KEY" in denial(system, "another-key")


@pytest.mark.parametrize("environ", [{}, {"MODERNMT_API_KEY": " \n"}])
def test_a_missing_key_is_told_by_the_name_of_its_variable(environ: dict[str, str]) -> None:
    with pytest.raises(UserError, match="MODERNMT_API_KEY"):
        Translator(environ=environ)


def test_the_key_shows_nowhere_on_the_system(service: Any) -> None:
    system = made(service)
    assert KEY not in f"{system!r} {system.id} {system.version('en', 'es')} {vars(system)!r}"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("zh", "zh-CN"),
        ("zh-Hans", "zh-CN"),
        ("zh-Hant", "zh-TW"),
        ("pt", "pt"),
        ("pt-PT", "pt"),
        ("pt-BR", "pt-BR"),
        ("es-419", "es-419"),
        ("es-ES", "es"),
        ("en-GB", "en"),
        ("nb", "nb"),
        ("nn", "nn"),
        ("he", "he"),
        ("fa", "pes"),
        ("sr", "sr-Cyrl"),
        ("sr-Latn", "sr-Latn"),
        ("fil", "tl"),
    ],
)
def test_codes_are_spelled_as_the_service_lists_them(
    service: Any, there_and_back: Callable[..., list[Any]], ours: str, theirs: str
) -> None:
    service.answer = behaving(service)
    there_and_back(made(service), "fr", ours)
    assert [(body["source"], body["target"]) for body in asked(service)] == [("fr", theirs), (theirs, "fr")]


@pytest.mark.parametrize(
    ("listed", "ours", "theirs"),
    [
        (["fr", "zh", "zh-TW"], "zh-Hans", "zh"),
        (["fr", "pt-BR"], "pt", "pt-BR"),
        (["fr", "pt-BR", "pt-PT"], "pt", "pt-PT"),
        (["fr", "en-GB"], "en", "en-GB"),
        (["fr", "sr-Cyr"], "sr", "sr-Cyr"),
        (["fr", "iw"], "he", "iw"),
        (["fr", "no"], "nb", "no"),
    ],
)
def test_another_list_is_followed_too(
    service: Any, translated: Callable[..., list[Any]], listed: list[str], ours: str, theirs: str
) -> None:
    service.answer = behaving(service, listed=listed)
    translated(made(service), ["x"], "fr", ours)
    assert asked(service)[0]["target"] == theirs


def test_directions_join_all_listed_languages_but_two_codes_of_one(service: Any, listed: Callable[..., Any]) -> None:
    service.answer = behaving(service)
    known = set(listed(made(service)))
    assert {("en", "zh-Hans"), ("zh-Hant", "zh-Hans"), ("pt-BR", "pt"), ("fa", "nb")} <= known
    assert not {("zh", "zh-Hans"), ("en-GB", "en-US"), ("en", "en"), ("pt", "pt-PT")} & known
    assert not any(code in ("zh-CN", "pes", "no such code") for pair in known for code in pair)


@pytest.mark.parametrize("codes", [{"en": ["es"]}, [1], "en", None])
def test_a_list_of_another_shape_is_a_bad_answer(service: Any, listed: Callable[..., Any], codes: Any) -> None:
    service.answer = behaving(service, listed=codes)
    with pytest.raises(BadAnswer):
        listed(made(service))


def test_a_language_that_is_not_listed_is_refused(service: Any, translated: Callable[..., list[Any]]) -> None:
    service.answer = behaving(service)
    (answer,) = translated(made(service), ["x"], "en", "eo")
    assert isinstance(answer, Refused)
    assert "en-eo" in str(answer)
    assert asked(service) == []
