"""What holds for every hosted translator: keys are asked for by name and never shown, addresses stand in the id."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest

from concord import plugins
from concord.errors import Refused, Unavailable, UserError

NEEDED = {
    "alibaba": ("ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"),
    "amazon": ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    "azure": ("AZURE_TRANSLATOR_KEY",),
    "baidu": ("BAIDU_APP_ID", "BAIDU_APP_SECRET"),
    "deepl": ("DEEPL_AUTH_KEY",),
    "google": ("GOOGLE_API_KEY",),
    "tencent": ("TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY"),
    "youdao": ("YOUDAO_APP_KEY", "YOUDAO_APP_SECRET"),
}
BESIDES = {"amazon": {"AWS_REGION": "eu-west-1", "AWS_SESSION_TOKEN": "canary-AWS_SESSION_TOKEN"}}
EACH = [(name, variable) for name, variables in NEEDED.items() for variable in variables]


def made(name, environ=None, **options):
    keys = {variable: f"canary-{variable}" for variable in NEEDED[name]}
    return plugins.entry("translators", name)(environ={**keys, **BESIDES.get(name, {}), **(environ or {})}, **options)


@pytest.mark.parametrize(("name", "variable"), EACH)
@pytest.mark.parametrize("value", ["", " \n", "clé-canary"])
def test_a_key_that_is_missing_or_impossible_is_told_by_its_variable(name, variable, value):
    with pytest.raises(UserError, match=variable) as caught:
        made(name, {variable: value})
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("name", NEEDED)
def test_no_key_shows_on_the_system(name):
    system = made(name)
    assert "canary" not in f"{system!r} {system.id} {system.version('en', 'zh')} {vars(system)!r}"


@pytest.mark.parametrize("name", NEEDED)
def test_the_address_stands_in_the_id_only_when_it_is_another(name):
    assert made(name).id == name
    assert made(name, url="https://mt.example/").id == f"{name},url=https://mt.example"


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
