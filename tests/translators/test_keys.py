"""A key never reaches the store, a report, the terminal or JSON, whatever the service says."""

from __future__ import annotations

import contextlib
import json
import sys
from urllib.parse import quote_plus

import pytest

from concord.cli.commands import main

CANARY = "canary/7c1f+0e9a2b=="
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


def google(r):
    return {"data": {"translations": [{"translatedText": f"{text}!"} for text in r.json["q"]]}}


def azure(r):
    return [{"translations": [{"text": row["Text"] + "!", "to": "es"}]} for row in r.json]


def libretranslate(r):
    return {"translatedText": [f"{text}!" for text in r.json["q"]]}


def openai(r):
    content = r.json["messages"][-1]["content"] + "!"
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}


def youdao(r):
    return {"errorCode": "0", "query": r.form["q"], "translation": [r.form["q"] + "!"]}


def baidu(r):
    rows = [{"src": line, "dst": line + "!"} for line in r.form["q"].split("\n")]
    return {"from": r.form["from"], "to": r.form["to"], "trans_result": rows}


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
    "google": ({"GOOGLE_API_KEY": CANARY}, {"data": {"languages": [{"language": "en"}, {"language": "es"}]}}, google),
    "azure": ({"AZURE_TRANSLATOR_KEY": CANARY}, {"translation": {"en": {}, "es": {}}}, azure),
    "libretranslate": (
        {"LIBRETRANSLATE_API_KEY": CANARY},
        [{"code": "en", "targets": ["es"]}, {"code": "es", "targets": ["en"]}],
        libretranslate,
    ),
    "openai": ({"OPENAI_API_KEY": CANARY}, None, openai),
    "youdao": ({"YOUDAO_APP_KEY": CANARY, "YOUDAO_APP_SECRET": SECRET}, None, youdao),
    "baidu": ({"BAIDU_APP_ID": CANARY, "BAIDU_APP_SECRET": SECRET}, None, baidu),
}
WRITTEN = {"libretranslate": "libretranslate:{url}", "openai": "openai,model=tiny,url={url}"}


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
    "said back in other spellings": saying("bad " + quote_plus(CANARY) + " and " + CANARY.replace("/", "\\/"), 400),
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


@pytest.mark.parametrize(
    ("name", "form"), [*((name, ("--json",)) for name in SYSTEMS), ("deepl", ()), ("amazon", ())], ids=str
)
@pytest.mark.parametrize("scene", SCENES)
def test_the_key_is_nowhere(service, tmp_path, monkeypatch, capsys, name, scene, form):
    service.answer = SCENES[scene](service, name)
    monkeypatch.chdir(tmp_path)
    for variable, value in SYSTEMS[name][0].items():
        monkeypatch.setenv(variable, value)
    (tmp_path / "c.txt").write_text("One house.\nTwo dogs.\n")
    system = WRITTEN.get(name, name + ",url={url}").format(url=service.url)
    written = []
    for words in (
        ("run", "c.txt", "-s", system, "-t", "es", "-r", "sane", "--report", "r.html", *form),
        ("show", "--errors", *form),
        ("runs", *form),
        ("export", *form),
        # These look at the machine alone, so that one scene is enough for them.
        *((("doctor", *form), ("translators", *form)) if scene == "all is well" else ()),
    ):
        monkeypatch.setattr(sys, "argv", ["concord", *words])
        with contextlib.suppress(SystemExit):
            main()
        printed = capsys.readouterr()
        written += [printed.out, printed.err]
        if form and words[0] == "run":
            json.loads(printed.out)
    files = {file.name: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    # Azure and LibreTranslate tell their languages to anyone.
    sent = [f"{request.headers} {request.body!r}" for request in service.requests]
    told_anyone = all(map(asks_for_languages, service.requests)) and name in ("azure", "libretranslate")
    assert told_anyone or any(spelling in each for each in sent for spelling in (CANARY, quote_plus(CANARY))), (
        "the key was not sent"
    )
    for canary in (CANARY, quote_plus(CANARY), CANARY.replace("/", "\\/"), SECRET):
        assert not [file for file, content in files.items() if canary.encode() in content]
        assert not [text for text in written if canary in text]
    assert not any(SECRET in f"{request.headers} {request.body}" for request in service.requests)
