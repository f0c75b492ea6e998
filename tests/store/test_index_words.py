"""Words are found whatever their case, width and script, and no question is an error."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concord.store.index.location import TABLES
from concord.store.index.words import CHUNK, LONGEST, MOST, Writer, rows_with, search_terms, tokens


def written(texts, run=1):
    db = sqlite3.connect(":memory:")
    db.executescript(TABLES)
    writer = Writer(db, run)
    for each in texts:
        writer.add([each])
    writer.flush()
    return db


def found(texts, question):
    db = written(texts)
    rows = rows_with(db, 1, len(texts), question)
    db.close()
    return None if rows is None else np.flatnonzero(rows).tolist()


TEXTS = [
    "The River flows.",
    "A riverbank, and a tree",
    "El río de España",
    "我喜欢吃苹果和香蕉",
    "ฉันกินข้าว",
    "हिन्दी में लिखा वाक्य",
    "ＡＢＣ 123",
    "Straße und GROẞ",
]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("river", [0, 1]),
        ("RIVER flows", [0]),
        ("flows river", [0]),
        ("riv", [0, 1]),
        ("riv flows", []),
        ("a", [1]),
        ("tre", [1]),
        ("Río", [2]),
        ("espan", []),
        ("苹果", [3]),
        ("果", [3]),
        ("苹香", []),
        ("กิน", [4]),
        ("हिन्दी", [5]),
        ("हिन", [5]),
        ("abc", [6]),
        ("12", []),
        ("123", [6]),
        ("strasse", [7]),
        ("groß", [7]),
    ],
)
def test_all_words_of_a_question_occur_and_the_last_may_be_begun(question, rows):
    assert found(TEXTS, question) == rows


@pytest.mark.parametrize("question", ["", "  ", '"', "*", "\x00", "\ud800", "()", "'; --", "-", "…"])
def test_a_question_without_words_asks_nothing(question):
    assert found(TEXTS, question) is None


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=200) | st.sampled_from(['"a" OR b*', "NEAR(a b)", "a" * 10_000, "^x:y", "%_"]))
def test_no_question_is_an_error(question):
    found(TEXTS, question)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=100))
def test_every_text_is_found_by_itself(text):
    assert found([text, "something else"], text) in (None, [0], [0, 1])


def test_a_question_is_bounded():
    must, begun = search_terms(" ".join(f"word{i}" for i in range(100_000)))
    assert (len(must), begun) == (MOST, "")
    assert search_terms("x" * 100_000) == (["x" * LONGEST], "")


def test_a_word_of_any_length_is_found_by_its_beginning():
    assert found(["y" * 500], "y" * 400) == [0]
    assert found(["y" * 500], "y" * (LONGEST - 1)) == [0]


def test_frequent_and_rare_words_are_found_in_every_chunk():
    texts = ["frequent"] * (CHUNK + 10)
    texts[3] = texts[CHUNK + 5] = "frequent rare"
    db = written(texts)
    assert np.count_nonzero(rows_with(db, 1, len(texts), "frequent")) == len(texts)
    assert np.flatnonzero(rows_with(db, 1, len(texts), "frequent rare")).tolist() == [3, CHUNK + 5]
    assert np.flatnonzero(rows_with(db, 1, len(texts), "rare")).tolist() == [3, CHUNK + 5]
    db.close()


def test_a_script_without_blanks_gives_letters_and_pairs():
    assert tokens("中国人 42") == {"中", "国", "人", "中国", "国人", "42"}
