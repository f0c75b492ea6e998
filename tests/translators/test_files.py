"""Two passes for systems that cannot be called: write the texts, pick up the translations."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api
from concord.errors import Refused, UserError
from concord.testing import check_translator
from concord.translators._exchange import FORMS
from concord.translators.files import Translator

TEXTS = ["One house.", "Two\nlines.", "Three\u2028dogs.", "One house."]


@pytest.fixture
def corpus(tmp_path):
    import json

    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    return path


def translate_all(folder, form):
    """What a person or a tool does between two plans."""
    for source, target in (("en", "es"), ("es", "en")):
        pairs = FORMS[form].read(folder, source, target)
        if form == "lines":
            lines = "".join(f"{text[::-1]}\n" for text, _ in pairs)
            FORMS[form].files(folder, source, target)[1].write_bytes(lines.encode())
        elif pairs:
            FORMS[form].write(folder, source, target, [(text, text[::-1]) for text, _ in pairs])


@pytest.mark.parametrize("form", FORMS)
def test_a_round_trip_takes_two_rounds_and_then_runs_without_an_error(tmp_path, corpus, form):
    folder = tmp_path / "exchange"
    what = {"relations": ["rtt"], "to": ["es"]}
    system = f"files:{folder},form={form}"
    for direction in ("en-es", "es-en"):
        ((asked, _), count) = next(iter(api.plan(corpus, system=system, **what).items()))
        assert (asked.stem, count) == (direction, 3)
        translate_all(folder, form)
    assert api.plan(corpus, system=system, **what) == {}
    (made,) = api.run(corpus, systems=[system], workspace=tmp_path / "w.sqlite", **what)
    assert (made.cases, made.errors) == (4, 0)


@pytest.mark.parametrize("form", ["xliff", "tmx"])
@given(texts=st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=8, unique=True))
def test_what_is_written_is_read_back(tmp_path_factory, form, texts):
    folder, chosen = tmp_path_factory.mktemp("exchange"), FORMS[form]
    carried = [text for text in dict.fromkeys(map(chosen.carried, texts)) if text.strip()]
    pairs = [(text, text[::-1] if number % 2 else "") for number, text in enumerate(carried)]
    if pairs:
        chosen.write(folder, "en", "es", pairs)
        read = chosen.read(folder, "en", "es")
        assert [text for text, _ in read] == carried


def test_new_texts_are_added_at_the_end_so_that_translations_stay_aligned(tmp_path, corpus):
    folder = tmp_path / "exchange"
    api.plan(corpus, relations=["rtt"], system=f"files:{folder}", to=["es"])
    translate_all(folder, "lines")
    more = tmp_path / "more.txt"
    more.write_text("Another one.\nOne house.\n")
    api.plan(more, relations=["rtt"], system=f"files:{folder}", to=["es"])
    assert (folder / "en-es.txt").read_bytes().decode().split("\n")[-2:] == ["Another one.", ""]
    system = Translator(argument=str(folder))
    old, new = asyncio.run(system.translate(["One house.", "Another one."], "en", "es"))
    assert old == ".esuoh enO"
    assert isinstance(new, Refused)


def test_a_changed_translation_is_a_new_version(tmp_path):
    (tmp_path / "en-es.txt").write_text("a\n")
    (tmp_path / "en-es.translated.txt").write_text("b\n")
    system = Translator(argument=str(tmp_path))
    before = system.version("en", "es")
    (tmp_path / "en-es.translated.txt").write_text("c\n")
    assert system.version("en", "es") != before


def test_more_translations_than_texts_are_refused(tmp_path):
    (tmp_path / "en-es.txt").write_text("a\n")
    (tmp_path / "en-es.translated.txt").write_text("b\nc\n")
    with pytest.raises(UserError, match="2 lines for 1 text:"):
        asyncio.run(Translator(argument=str(tmp_path)).translate(["a"], "en", "es"))


def test_it_conforms(tmp_path):
    texts = ["The house is big.", "I do not have 3 cats."]
    (tmp_path / "en-es.txt").write_text("".join(f"{text}\r\n" for text in texts))
    (tmp_path / "en-es.translated.txt").write_text("\ufeffUna.\r\nDos.\r\n")
    check_translator(lambda: Translator(argument=str(tmp_path)), texts=texts)


@pytest.mark.parametrize("argument", ["", __file__])
def test_it_needs_a_folder(argument):
    with pytest.raises(UserError, match="folder"):
        Translator(argument=argument)
