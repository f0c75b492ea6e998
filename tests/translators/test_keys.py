"""A key never reaches the store, a report, the terminal or JSON, whatever the service says."""

from __future__ import annotations

import contextlib
import json
import sys

import pytest

from concord.cli import main

CANARY = "canary-7c1f0e9a2b"
LANGUAGES = [{"language": "EN"}, {"language": "ES"}]


def good(service):
    return lambda r: service.reply(
        LANGUAGES if "languages" in r.path else {"translations": [{"text": f"{t}!"} for t in r.json["text"]]}
    )


def saying(content, status=200, **headers):
    """The languages as they should be, and this to every translation; it may say the key back."""

    def made(service):
        return lambda r: (
            service.reply(LANGUAGES) if "languages" in r.path else service.reply(content, status, **headers)
        )

    return made


SCENES = {
    "all is well": good,
    "denied": saying(f"wrong key {CANARY}", 403),
    "quota": saying(f"{CANARY} is used up", 456),
    "refused": saying({"message": f"bad header {CANARY}"}, 400),
    "garbage": saying(f"<html>{CANARY}</html>"),
    "wrong count": saying({"translations": []}),
    "wait an hour": saying(CANARY, 429, retry_after="3600"),
    "languages denied": lambda service: lambda r: service.reply(CANARY, 401),
    "languages broken": lambda service: lambda r: service.reply(f"[{CANARY}"),
}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_key_is_nowhere(service, tmp_path, monkeypatch, capsys, scene, form):
    service.answer = SCENES[scene](service)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEEPL_AUTH_KEY", CANARY)
    (tmp_path / "c.txt").write_text("One house.\nTwo dogs.\n")
    written = []
    for words in (
        ("run", "c.txt", "-s", f"deepl,url={service.url}", "-t", "es", "--report", "r.html", *form),
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
    assert not [name for name, content in files.items() if CANARY.encode() in content]
    assert not [text for text in written if CANARY in text]
