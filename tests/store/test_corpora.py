"""Corpora beside a workspace: kept under plain names, and nowhere else."""

from __future__ import annotations

import doctest
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UnknownName, UserError
from concord.store import corpora
from concord.store.corpora import Corpora


def test_the_examples_are_right():
    assert doctest.testmod(corpora).failed == 0


@given(name=st.text(max_size=200))
def test_a_name_leads_nowhere_else(tmp_path_factory, name):
    here = Corpora(tmp_path_factory.mktemp("c") / "w.sqlite")
    kept = here.keep(name, b"One.\n")

    assert here.path(kept).parent == here.folder
    assert here.path(kept).read_bytes() == b"One.\n"
    assert here.names() == [kept]


def test_the_same_again_is_the_same_and_another_gets_another_name(tmp_path):
    here = Corpora(tmp_path / "w.sqlite")

    assert here.keep("a.txt", b"One.") == "a.txt"
    assert here.keep("a.txt", b"One.") == "a.txt"
    assert here.keep("a.txt", b"Two.") == "a-2.txt"
    assert here.names() == ["a-2.txt", "a.txt"]


def test_a_folder_that_leads_elsewhere_has_no_corpora(tmp_path):
    here = Corpora(tmp_path / "w.sqlite")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.txt").write_text("secret")
    os.symlink(tmp_path / "other", here.folder)

    assert here.names() == []
    assert here.requests() == []
    with pytest.raises(UserError, match="is a symbolic link"):
        here.keep("a.txt", b"One.")


def test_a_link_to_another_file_is_no_corpus(tmp_path):
    here = Corpora(tmp_path / "w.sqlite")
    here.keep("a.txt", b"One.")
    (tmp_path / "secret.txt").write_text("secret")
    os.symlink(tmp_path / "secret.txt", here.folder / "b.txt")

    assert here.names() == ["a.txt"]
    with pytest.raises(UnknownName):
        here.path("b.txt")


def test_nothing_is_no_corpus(tmp_path):
    with pytest.raises(UserError, match="empty"):
        Corpora(tmp_path / "w.sqlite").keep("a.txt", b" \n\n")


def test_requests_are_kept_the_latest_first_and_each_once(tmp_path):
    here = Corpora(tmp_path / "w.sqlite")
    for number in (1, 2, 1, *range(100, 130)):
        here.remember({"number": number})

    assert [each["number"] for each in here.requests()] == list(range(129, 109, -1))
    (here.folder / corpora.REQUESTS).write_text("{broken")
    assert here.requests() == []
