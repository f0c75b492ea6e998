"""What becomes of answers, statuses, keys and signatures of a service, without a network."""

from __future__ import annotations

import asyncio
import doctest
from email.utils import formatdate
from hashlib import sha256

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.errors import BadAnswer, Exhausted, Refused, ServiceError, Throttled, Unauthorised, Unavailable, UserError
from concord.translators import _http
from concord.translators._http import Http, pick, retry_after

KEY = "sk-very-secret-0123456789"


def response(status, body=b"{}", headers=None):
    """An answer whose body is yet to be read, as from a network."""
    content = body.encode() if isinstance(body, str) else body
    return httpx2.Response(status, stream=httpx2.ByteStream(content), headers=headers)


def answering(status, body=b"{}", replied=None, **options):
    """A service that gives one answer to everything, without a network."""
    transport = httpx2.MockTransport(lambda _: response(status, body, replied))
    return Http("https://mt.example/v1", name="Example", transport=transport, **options)


def asked(http):
    async def ask():
        try:
            return await http.post_json("/translate", json={"text": ["hello"]})
        finally:
            await http.close()

    return asyncio.run(ask())


def failing(http):
    with pytest.raises(ServiceError) as caught:
        asked(http)
    return caught.value


def test_an_answer_is_decoded():
    assert asked(answering(200, '{"translations": [{"text": "olé"}]}')) == {"translations": [{"text": "olé"}]}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Refused),
        (401, Unauthorised),
        (402, Exhausted),
        (403, Unauthorised),
        (404, Refused),
        (408, Unavailable),
        (413, Refused),
        (429, Throttled),
        (456, Exhausted),
        (500, Unavailable),
        (502, Unavailable),
        (503, Unavailable),
        (504, Unavailable),
    ],
)
def test_a_status_becomes_the_error_that_says_what_to_do(status, kind):
    error = failing(answering(status))
    assert type(error) is kind
    assert str(status) in str(error)
    assert "Example" in str(error)


def test_denied_access_names_the_variable_to_set():
    assert "EXAMPLE_API_KEY" in str(failing(answering(403, key="EXAMPLE_API_KEY")))


def test_a_redirect_is_not_followed_but_named():
    error = failing(answering(301, replied={"location": "https://elsewhere.example/v2?key=1"}))
    assert isinstance(error, Refused)
    assert str(error) == "Example has moved (status 301) to https://elsewhere.example/v2. Use that address"


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [({"a": 1}, str, "an object as body, not a string"), ([1], dict, "a list as body, not an object")],
)
def test_a_value_of_another_kind_is_called_what_json_calls_it(answer, kind, said):
    with pytest.raises(BadAnswer, match=f"the answer has {said}"):
        pick(answer, kind)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500, 503])
def test_no_message_holds_the_key_even_if_the_service_echoes_it(status):
    body = f"bad request: authorization=Bearer {KEY}, body api_key=in-the-body-42"
    headers = {"Authorization": f"Bearer {KEY}"}
    error = failing(answering(status, body, key="EXAMPLE_API_KEY", headers=headers, secrets=["in-the-body-42"]))
    for text in (str(error), repr(error), repr(error.__cause__), repr(error.__context__)):
        assert KEY not in text
        assert "in-the-body-42" not in text


def test_a_refusal_quotes_the_body_shortly_and_without_control_characters():
    error = failing(answering(400, "unsupported\n\x1b[31m language\x00 " + "x" * 10_000))
    assert "unsupported [31m language x" in str(error)
    assert len(str(error)) < 300
    assert str(error).isprintable()


def test_a_wait_in_seconds_is_passed_on():
    error = failing(answering(429, replied={"Retry-After": "17"}))
    assert isinstance(error, Throttled)
    assert error.retry_after == 17


def test_a_wait_until_a_date_is_passed_on():
    http = answering(503, replied={"Retry-After": formatdate(1_000_090, usegmt=True)}, clock=lambda: 1_000_000.0)
    error = failing(http)
    assert isinstance(error, Throttled)
    assert error.retry_after == 90


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 2.5 ", 2.5),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("-5", None),
        ("1e9", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_or_nothing(value, seconds):
    assert retry_after(value, now=2_000_000_000.0) == seconds


@settings(deadline=None)
@given(st.text())
def test_no_retry_after_header_is_too_strange(value):
    wait = retry_after(value, now=0.0)
    assert wait is None or 0 <= wait < float("inf")


@pytest.mark.parametrize(
    "body", [b"", b"<html>hello</html>", b'{"half": ', b"\xff\xfe", b"[" * 200_000], ids=lambda body: repr(body[:12])
)
def test_what_is_not_json_is_a_bad_answer(body):
    assert isinstance(failing(answering(200, body)), BadAnswer)


def test_a_text_that_utf8_cannot_carry_is_refused():
    async def ask(**content):
        await answering(200).post_json("/", **content)

    for content in ({"json": {"q": "\ud800"}}, {"data": {"q": "\ud800"}}):
        with pytest.raises(Refused):
            asyncio.run(ask(**content))


def test_a_form_arrives_as_a_form():
    seen: list[bytes] = []

    def handler(request):
        seen.append(request.content)
        return response(200)

    async def ask():
        http = Http("http://mt.example", name="Example", transport=httpx2.MockTransport(handler))
        await http.post_json("/", data={"q": "a&b=ñ"})

    asyncio.run(ask())
    assert seen == [b"q=a%26b%3D%C3%B1"]


def signing(seen, status=200, body="{}"):
    """A service whose requests are signed with their own body, and that keeps what it gets."""

    def handler(request):
        seen.append(request)
        return response(status, body)

    def sign(request):
        told = f"{request.headers['host']} {request.headers['x-action']} {request.content.decode()}"
        return {"Authorization": f"{KEY}:{sha256(told.encode()).hexdigest()}"}

    transport = httpx2.MockTransport(handler)
    return Http("https://mt.example", name="Example", transport=transport, sign=sign, secrets=[KEY])


@pytest.mark.parametrize("content", [{"json": {"q": "ñ"}}, {"data": {"q": "a&b=ñ"}}])
def test_a_request_is_signed_as_it_is_sent(content):
    seen: list[httpx2.Request] = []

    async def ask():
        http = signing(seen)
        for action in ("Translate", "List"):
            await http.post_json("/", **content, headers={"X-Action": action})

    asyncio.run(ask())
    assert [request.headers["x-action"] for request in seen] == ["Translate", "List"]
    for request in seen:
        told = f"mt.example {request.headers['x-action']} ".encode() + request.content
        assert request.headers["authorization"] == f"{KEY}:{sha256(told).hexdigest()}"


def test_a_header_of_one_request_replaces_the_usual_one_for_that_request_only():
    seen: list[httpx2.Request] = []

    async def ask():
        http = signing(seen)
        await http.post_json("/", json={}, headers={"Content-Type": "application/x-amz-json-1.1", "X-Action": "1"})
        await http.post_json("/", json={}, headers={"X-Action": "2"})

    asyncio.run(ask())
    assert [request.headers["content-type"] for request in seen] == ["application/x-amz-json-1.1", "application/json"]


@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_a_signature_shows_in_no_error(status):
    async def ask():
        await signing([], status, f"<{KEY}>").post_json("/", json={}, headers={"X-Action": "Translate"})

    with pytest.raises(ServiceError) as caught:
        asyncio.run(ask())
    error = caught.value
    assert KEY not in " ".join(map(repr, (str(error), error, error.__cause__, error.__context__)))


def test_a_path_is_added_to_the_path_of_the_address():
    seen: list[str] = []

    def handler(request):
        seen.append(request.url.path)
        return response(200)

    asked(Http("https://mt.example/v1/", name="Example", transport=httpx2.MockTransport(handler)))
    assert seen == ["/v1/translate"]


def test_it_works_again_in_another_event_loop():
    http = answering(200, '{"n": 1}')

    async def ask():
        return await http.get_json("/")

    assert asyncio.run(ask()) == asyncio.run(ask()) == {"n": 1}
    asyncio.run(http.close())
    assert asyncio.run(ask()) == {"n": 1}


@pytest.mark.parametrize(
    "address",
    ["", "mt.example", "ftp://mt.example", "http://", "http://[::1", "http://u:hunter2@h", "http://h/?k=hunter2"],
)
def test_what_is_no_address_is_told_without_giving_a_password_away(address):
    with pytest.raises(UserError, match="not the address of a server") as caught:
        Http(address, name="Example")
    assert "hunter2" not in str(caught.value)


def test_a_key_pasted_with_its_line_break_works():
    seen: list[str] = []

    def handler(request):
        seen.append(request.headers["authorization"])
        return response(200)

    transport = httpx2.MockTransport(handler)
    http = Http("https://mt.example", name="Example", headers={"Authorization": f"Bearer {KEY}\n"}, transport=transport)
    asked(http)
    assert seen == [f"Bearer {KEY}"]


def test_a_key_with_impossible_characters_is_the_users_to_cure():
    with pytest.raises(UserError, match="EXAMPLE_API_KEY") as caught:
        Http("https://mt.example", name="Example", key="EXAMPLE_API_KEY", headers={"X-Key": "sé\ncret-value"})
    assert "cret-value" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({}, ("data",)),
        ([], ("data",)),
        ("data", ("data",)),
        (None, ("data",)),
        ({"data": []}, ("data", 0)),
        ({"data": [1]}, ("data", 0)),
        ({"data": "text"}, ("data", 0)),
        ({"data": {"0": "x"}}, ("data", 0)),
        ({"data": None}, ("data",)),
    ],
)
def test_an_answer_of_another_shape_is_a_bad_answer(answer, path):
    with pytest.raises(BadAnswer):
        pick(answer, str, *path)


def test_the_examples_in_the_documentation_hold():
    assert doctest.testmod(_http) == doctest.TestResults(failed=0, attempted=1)
