"""A key never reaches the store, a report, the terminal or JSON, whatever the service says."""

from __future__ import annotations

import contextlib
import json
import sys

import pytest

from concord.cli import main

CANARY = "canary-7c1f0e9a2b"
SECRET = "canary-of-the-secret-55d1"


def deepl(r):
    return {"translations": [{"text": f"{text}!"} for text in r.json["text"]]}


def amazon(r):
    return {"TranslatedText": r.json["Text"] + "!"}


def tencent(r):
    return {"Response": {"TargetTextList": [f"{text}!" for text in r.json["SourceTextList"]]}}


def alibaba(r):
    texts = json.loads(r.form["SourceText"])
    return {"Code": 200, "TranslatedList": [{"code": 200, "index": i, "translated": f"{t}!"} for i, t in texts.items()]}


# By its variables, its languages if it is asked for them, and its translations. A secret that signs is never sent.
SYSTEMS = {
    "deepl": ({"DEEPL_AUTH_KEY": CANARY}, [{"language": "EN"}, {"language": "ES"}], deepl),
    "amazon": (
        {"AWS_ACCESS_KEY_ID": CANARY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "eu-west-1"},
        {"Languages": [{"LanguageCode": "en"}, {"LanguageCode": "es"}]},
        amazon,
    ),
    "tencent": ({"TENCENTCLOUD_SECRET_ID": CANARY, "TENCENTCLOUD_SECRET_KEY": SECRET}, None, tencent),
    "alibaba": ({"ALIBABA_CLOUD_ACCESS_KEY_ID": CANARY, "ALIBABA_CLOUD_ACCESS_KEY_SECRET": SECRET}, None, alibaba),
}


def asks_for_languages(r):
    return "languages" in r.path or "ListLanguages" in r.headers.get("x-amz-target", "")


def good(service, name):
    _, languages, translations = SYSTEMS[name]
    return lambda r: service.reply(languages if asks_for_languages(r) else translations(r))


def saying(content, status=200, **headers):
    """The languages as they should be, and this to every translation; it may say the key back."""

    def made(service, name):
        languages = SYSTEMS[name][1]
        return lambda r: (
            service.reply(languages) if asks_for_languages(r) else service.reply(content, status, **headers)
        )

    return made


SCENES = {
    "all is well": good,
    "denied": saying(f"wrong key {CANARY}", 403),
    "quota": saying(f"{CANARY} is used up", 456),
    "refused": saying({"message": f"bad header {CANARY}"}, 400),
    "complaints": saying(
        {
            "__type": f"{SECRET}Exception",
            "Code": f"Bad.{SECRET}",
            "Message": CANARY,
            "Response": {"Error": {"Code": f"Bad.{SECRET}", "Message": CANARY}},
        }
    ),
    "garbage": saying(f"<html>{CANARY}</html>"),
    "wrong count": saying({"translations": []}),
    "wait an hour": saying(CANARY, 429, retry_after="3600"),
    "languages denied": lambda service, name: lambda r: service.reply(CANARY, 401),
    "languages broken": lambda service, name: lambda r: service.reply(f"[{CANARY}"),
}


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_key_is_nowhere(service, tmp_path, monkeypatch, capsys, name, scene, form):
    service.answer = SCENES[scene](service, name)
    monkeypatch.chdir(tmp_path)
    for variable, value in SYSTEMS[name][0].items():
        monkeypatch.setenv(variable, value)
    (tmp_path / "c.txt").write_text("One house.\nTwo dogs.\n")
    written = []
    for words in (
        ("run", "c.txt", "-s", f"{name},url={service.url}", "-t", "es", "--report", "r.html", *form),
        ("show", "--errors", *form),
        ("runs", *form),
        ("export", *form),
        ("doctor", *form),
        ("translators", *form),
    ):
        monkeypatch.setattr(sys, "argv", ["concord", *words])
        with contextlib.suppress(SystemExit):
            main()
        printed = capsys.readouterr()
        written += [printed.out, printed.err]
        if form and words[0] == "run":
            json.loads(printed.out)
    files = {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert any(CANARY in str(request.headers) for request in service.requests), "the service never saw the key"
    for canary in (CANARY, SECRET):
        assert not [file for file, content in files.items() if canary.encode() in content]
        assert not [text for text in written if canary in text]
    assert not any(SECRET in f"{request.headers} {request.body}" for request in service.requests)
