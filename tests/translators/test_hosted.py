"""What holds for every hosted translator: keys are asked for by name and never shown, addresses stand in the id."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest

from concord import plugins
from concord.errors import BadAnswer, Refused, Throttled, Unauthorised, Unavailable, UserError
from concord.language.codes import normalise
from concord.translators._provider import SERVICES

NEEDED = {
    "alibaba": ("ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"),
    "amazon": ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    "azure": ("AZURE_TRANSLATOR_KEY",),
    "baidu": ("BAIDU_APP_ID", "BAIDU_APP_SECRET"),
    "deepl": ("DEEPL_AUTH_KEY",),
    "google": ("GOOGLE_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "tencent": ("TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY"),
    "youdao": ("YOUDAO_APP_KEY", "YOUDAO_APP_SECRET"),
}
BESIDES = {"amazon": {"AWS_REGION": "eu-west-1", "AWS_SESSION_TOKEN": "canary-AWS_SESSION_TOKEN"}}
OPTIONS = {"openai": {"model": "tiny"}}
IDS = {"openai": "openai,model=tiny"}
EACH = [(name, variable) for name, variables in NEEDED.items() for variable in variables]


def made(name, environ=None, **options):
    given = {**keys(name), **(environ or {})}
    return plugins.entry("translators", name)(environ=given, **OPTIONS.get(name, {}), **options)


def keys(name):
    return {**{variable: f"canary-{variable}" for variable in NEEDED[name]}, **BESIDES.get(name, {})}


@pytest.mark.parametrize(("name", "variable"), EACH)
@pytest.mark.parametrize("value", ["", " \n", "clé-canary", "canary\nkey"])
def test_a_key_that_is_missing_or_impossible_is_told_by_its_variable(everything_told, name, variable, value):
    with pytest.raises(UserError, match=variable) as caught:
        made(name, {variable: value})
    assert "canary" not in everything_told(caught.value)


@pytest.mark.parametrize("name", NEEDED)
def test_the_environment_is_read_when_none_is_given(name, monkeypatch):
    for variable in plugins.entry("translators", name).keys:
        monkeypatch.delenv(variable, raising=False)
    for variable, value in keys(name).items():
        monkeypatch.setenv(variable, value)
    assert plugins.entry("translators", name)(**OPTIONS.get(name, {})).id == IDS.get(name, name)


@pytest.mark.parametrize("name", NEEDED)
def test_no_key_shows_on_the_system(name):
    system = made(name)
    assert "canary" not in f"{system!r} {system.id} {system.version('en', 'zh')} {vars(system)!r}"


@pytest.mark.parametrize("name", NEEDED)
def test_the_address_stands_in_the_id_only_when_it_is_another(name):
    own = IDS.get(name, name)
    assert made(name).id == own
    assert made(name, url="https://mt.example/").id == f"{own},url=https://mt.example"


@pytest.mark.parametrize("name", NEEDED)
def test_its_variables_are_listed(name):
    assert set(NEEDED[name]) <= set(plugins.entry("translators", name).keys)


@pytest.mark.parametrize(
    ("name", "source", "target"),
    [
        ("alibaba", "en", "zh-Hant"),
        ("alibaba", "en", "qqq"),
        ("alibaba", "qqq", "en"),
        ("alibaba", "en", "en-US"),
        ("baidu", "en", "he"),
        ("tencent", "en", "he"),
        ("tencent", "he", "en"),
        ("tencent", "ja", "fr"),
        ("tencent", "zh", "zh-Hans"),
        ("youdao", "en", "ast"),
    ],
)
def test_a_direction_that_it_is_known_to_lack_is_refused_without_a_request(service, translated, name, source, target):
    (answer,) = translated(made(name, url=service.url), ["x"], source, target)
    assert isinstance(answer, Refused)
    assert f"{source}-{target}" in str(answer)
    assert service.requests == []


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize(
    ("content", "status", "kind"),
    [
        ("no canary", 401, Unauthorised),
        ("no canary", 403, Unauthorised),
        ("busy", 429, Throttled),
        ("down", 503, Unavailable),
        ("", 0, Unavailable),
        ("{", 200, BadAnswer),
        ("<html>", 200, BadAnswer),
        ([], 200, BadAnswer),
        ({}, 200, BadAnswer),
    ],
)
def test_what_goes_wrong_with_any_service(service, failure, name, content, status, kind):
    service.answers(content, status)
    error = failure(made(name, url=service.url), "canary")
    assert type(error) is kind
    assert kind is not Unauthorised or all(variable in str(error) for variable in NEEDED[name])


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("status", [429, 503])
def test_the_time_to_wait_is_told(service, time_to_wait, name, status):
    service.answers("busy", status, retry_after="7")
    assert time_to_wait(made(name, url=service.url), "canary") == 7


@pytest.fixture
def hanging_up():
    """The address of a server that takes every connection and drops it without a word."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def drop():
            with contextlib.suppress(OSError):
                while True:
                    door.accept()[0].close()

        threading.Thread(target=drop, daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        door.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("name", NEEDED)
def test_a_dropped_connection_is_unavailable(name, hanging_up, translated):
    system = made(name, url=hanging_up)
    try:
        (told,) = translated(system, ["one"])
    except Unavailable as error:
        told = error
    assert isinstance(told, Unavailable)
    assert "canary" not in f"{told} {told!r}"


@pytest.mark.parametrize("name", SERVICES)
def test_the_languages_of_a_service_are_listed_by_normalised_codes(name):
    """Translators look the languages of a run up as they are, and those are normalised."""
    assert [code for code in SERVICES[name]["languages"] if normalise(code) != code] == []
