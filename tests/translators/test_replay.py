from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from concord.errors import Refused, Unavailable, UnknownName, UserError
from concord.model import Noted
from concord.store.workspace import Workspace
from concord.translators.replay import Translator


def workspace(path, *entries, created="2024-01-01"):
    """A workspace that holds (system, version, text, answer) from English to Spanish."""
    with Workspace(path, clock=lambda: created) as store:
        for system, version, text, answer in entries:
            store.remember(system, version, ("en", "es"), [text], [answer])
    return str(path)


def translated(system, texts, source="en", target="es"):
    return list(asyncio.run(system.translate(texts, source, target)))


def test_what_was_translated_is_answered_again(tmp_path):
    path = workspace(tmp_path / "old.sqlite", ("apertium", "3", "yes", "sí"), ("apertium", "3", "no ñ", "no eñe"))
    assert translated(Translator(argument=path), ["no ñ", "yes"]) == ["no eñe", "sí"]


def test_a_text_that_was_not_translated_is_refused_alone(tmp_path):
    system = Translator(argument=workspace(tmp_path / "old.sqlite", ("apertium", "3", "yes", "sí")))
    known, unknown = translated(system, ["yes", "maybe"])
    assert known == "sí"
    assert isinstance(unknown, Refused)
    assert isinstance(translated(system, ["yes"], "es", "en")[0], Refused)
    assert isinstance(translated(system, ["\ud800"])[0], Refused)


def test_the_note_of_an_answer_comes_with_it(tmp_path):
    spoilt = Noted("sí sí", {"fault": "repeat_phrase", "at": [2, 5]})
    (answer,) = translated(Translator(argument=workspace(tmp_path / "w", ("faulty", "1", "yes", spoilt))), ["yes"])
    assert isinstance(answer, Noted)
    assert answer == "sí sí"
    assert answer.note == {"fault": "repeat_phrase", "at": [2, 5]}


@pytest.mark.parametrize("change", ["answer = CAST(x'ff' AS TEXT)", "answer = x'ff'", "note = '{'", "note = '7'"])
def test_a_damaged_answer_is_refused_alone(tmp_path, change):
    path = workspace(tmp_path / "w", ("mt", "1", "yes", "sí"), ("mt", "1", "no", "no"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE translations SET {change} WHERE text = 'yes'")
    damaged, sound = translated(Translator(argument=path), ["yes", "no"])
    assert isinstance(damaged, Refused)
    assert "is damaged" in str(damaged)
    assert sound == "no"


def test_the_newest_answer_counts_whatever_its_version(tmp_path):
    path = tmp_path / "w"
    workspace(path, ("mt", "2", "yes", "newer"), created="2024-02-01")
    workspace(path, ("mt", "3", "yes", "older"), created="2024-01-01")
    assert translated(Translator(argument=str(path)), ["yes"]) == ["newer"]


def test_of_two_answers_of_one_moment_the_later_stored_counts(tmp_path):
    path = workspace(tmp_path / "w", ("mt", "2", "yes", "first"), ("mt", "1", "yes", "second"))
    assert translated(Translator(argument=path), ["yes"]) == ["second"]


def test_one_of_several_systems_must_be_chosen(tmp_path):
    path = workspace(tmp_path / "w", ("apertium", "3", "yes", "sí"), ("deepl", "1", "yes", "sí, claro"))
    with pytest.raises(UserError, match=r"several systems.*apertium, deepl"):
        Translator(argument=path)
    with pytest.raises(UnknownName, match="Did you mean 'deepl'"):
        Translator(argument=path, system="depl")
    assert translated(Translator(argument=path, system="apertium"), ["yes"]) == ["sí"]
    chosen = Translator(argument=path, system="deepl")
    assert translated(chosen, ["yes"]) == ["sí, claro"]
    assert chosen.id == f"replay:{path},system=deepl"


def test_directions_are_those_of_the_chosen_system(tmp_path):
    with Workspace(tmp_path / "w") as store:
        store.remember("a", "1", ("en", "es"), ["yes"], ["sí"])
        store.remember("a", "1", ("es", "en"), ["sí"], ["yes"])
        store.remember("b", "1", ("en", "fr"), ["yes"], ["oui"])
    found = asyncio.run(Translator(argument=str(tmp_path / "w"), system="a").directions())
    assert found == {("en", "es"), ("es", "en")}


def test_more_translations_are_another_version(tmp_path):
    path = workspace(tmp_path / "w", ("a", "1", "yes", "sí"))
    before = Translator(argument=path).version("en", "es")
    assert Translator(argument=path).version("en", "es") == before
    workspace(tmp_path / "w", ("a", "1", "no", "no"))
    assert Translator(argument=path).version("en", "es") != before


def test_a_strange_path_is_still_only_a_path(tmp_path):
    path = workspace(tmp_path / "100% ?mode=rwc#ñ &.sqlite", ("a", "1", "yes", "sí"))
    assert translated(Translator(argument=path), ["yes"]) == ["sí"]


def test_the_file_is_not_touched(tmp_path):
    path = Path(workspace(tmp_path / "w", ("a", "1", "yes", "sí")))
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    translated(Translator(argument=str(path)), ["yes", "no"])
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_workspace_that_is_being_written_can_be_replayed(tmp_path):
    with Workspace(tmp_path / "w") as store:
        store.remember("a", "1", ("en", "es"), ["yes"], ["sí"])
        system = Translator(argument=str(tmp_path / "w"))
        store.remember("a", "1", ("en", "es"), ["no"], ["no"])
        assert translated(system, ["yes", "no"]) == ["sí", "no"]


@contextmanager
def not_writable(folder):
    """The folder as someone sees it who may only read; root may write anywhere, so it steps down."""
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


def test_a_workspace_in_a_folder_that_cannot_be_written_can_be_replayed():
    with tempfile.TemporaryDirectory() as name:
        path = Path(workspace(Path(name) / "w", ("a", "1", "yes", "sí")))
        for left in path.parent.iterdir():
            if left != path:
                left.unlink()
        path.chmod(0o444)
        with not_writable(path.parent):
            with pytest.raises(OSError, match="denied"):
                (path.parent / "probe").touch()
            assert translated(Translator(argument=str(path)), ["yes"]) == ["sí"]


def test_it_can_be_used_from_any_thread(tmp_path):
    system = Translator(argument=workspace(tmp_path / "w", ("a", "1", "yes", "sí")))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: translated(system, ["yes"]), range(8))) == [["sí"]] * 8


def test_a_file_that_has_gone_is_unavailable(tmp_path):
    path = workspace(tmp_path / "w", ("a", "1", "yes", "sí"))
    system = Translator(argument=path)
    os.unlink(path)
    with pytest.raises(Unavailable):
        translated(system, ["yes"])
    assert not os.path.exists(path)


def test_what_is_no_workspace_is_the_users_to_cure(tmp_path):
    for argument in ("", str(tmp_path / "none.sqlite"), str(tmp_path)):
        with pytest.raises(UserError, match="there is no workspace"):
            Translator(argument=argument)
    (tmp_path / "text").write_text("this is no database at all" * 100)
    with pytest.raises(UserError, match="cannot be read as a Concord workspace"):
        Translator(argument=str(tmp_path / "text"))
    with closing(sqlite3.connect(tmp_path / "other")) as db:
        db.execute("CREATE TABLE notes (x)")
    with pytest.raises(UserError, match="no such table"):
        Translator(argument=str(tmp_path / "other"))
    with pytest.raises(UserError, match="no translations"):
        Translator(argument=workspace(tmp_path / "empty"))
