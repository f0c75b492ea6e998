"""The translators that need no service of their own conform; those with one do so in their own tests."""

from __future__ import annotations

import pkgutil
from pathlib import Path

import pytest

from concord import translators
from concord.store import Workspace
from concord.testing import check_translator
from concord.translators.command import Translator as Command
from concord.translators.fake import Translator as Fake
from concord.translators.faulty import Translator as Faulty
from concord.translators.replay import Translator as Replay
from concord.translators.table import Translator as Table

TEXTS = ("The house is big.", "I do not have 3 cats.", "Good morning!")
KNOWN = {(text, "en", "es"): text.upper() for text in TEXTS}


def replayed(folder):
    with Workspace(folder / "old.sqlite") as store:
        store.remember("old", "1", ("en", "es"), list(TEXTS), [text.upper() for text in TEXTS])
    return Replay(argument=str(folder / "old.sqlite"))


@pytest.mark.parametrize(
    "made",
    [
        lambda folder: Command(argument="tr a-z A-Z"),
        lambda folder: Fake(flaws=0.2),
        lambda folder: Faulty(argument="fake", kind="drop_word", rate=0.5),
        lambda folder: Table(rows=KNOWN),
        replayed,
    ],
    ids=["command", "fake", "faulty", "table", "replay"],
)
def test_it_conforms(made, tmp_path):
    check_translator(lambda: made(tmp_path), texts=TEXTS)


@pytest.mark.parametrize(
    "name", [each.name for each in pkgutil.iter_modules(translators.__path__) if not each.name.startswith("_")]
)
def test_every_translator_is_held_to_the_conformance_test(name):
    here = Path(__file__)
    own = [file.read_text() for file in here.parent.rglob(f"test_{name}.py")]
    assert any("check_translator(" in text for text in own) or f'"{name}"' in here.read_text()
