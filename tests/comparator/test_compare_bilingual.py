"""Apertium's dictionaries tell translations and synonyms, in any form of a word, and are not missed where they lack."""

from __future__ import annotations

import asyncio
import os
import random

import pytest

from concord.comparator import align, compare, gather
from concord.comparator.serialisation import evidence_for
from concord.comparator.word_similarity import Likeness
from concord.errors import Unavailable
from concord.language.apertium import bilingual, modes
from concord.language.apertium.bilingual import Bilingual
from concord.language.apertium.readings import Files, Readings
from concord.model import Text

LANGS = ("en", "es")


@pytest.fixture(scope="module")
def known():
    evidence = gather(LANGS)
    yield evidence
    evidence.bilingual.close()


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine with no pair of Apertium's."""
    monkeypatch.setattr(modes, "FOLDER", str(tmp_path))


@pytest.mark.parametrize(
    ("source", "target"),
    [("house", "casa"), ("Houses", "casas"), ("went", "fue"), ("better", "mejor"), ("car", "automóviles")],
)
def test_any_form_of_a_word_translates_any_form_of_its_translation(known, source, target):
    assert known.translates(source, target)
    assert evidence_for(("es", "en"), turned=True).translates(target, source)


@pytest.mark.parametrize(("source", "target"), [("house", "perro"), ("went", "casa"), ("x^$/\\", "casa"), ("", "")])
def test_words_that_no_entry_joins_do_not_translate_each_other(known, source, target):
    assert not known.translates(source, target)


@pytest.mark.parametrize(
    ("one", "other"), [("coche", "automóvil"), ("bonito", "hermosas"), ("empezó", "comenzar"), ("Coche", "autos")]
)
def test_words_that_translate_the_same_word_are_synonyms(known, one, other):
    like = Likeness(known)
    assert 0.5 < known.akin(one, other) == known.akin(other, one) <= 1
    assert like(one, other) == 0.95


@pytest.mark.parametrize(("one", "other"), [("caliente", "frío"), ("casa", "perro"), ("hablar", "xyzzy")])
def test_words_that_share_no_translation_are_not(known, one, other):
    assert known.akin(one, other) == 0


def test_a_noun_and_a_verb_of_one_spelling_share_nothing_for_that(known):
    assert known.translates("smile", "sonrisa")
    assert known.translates("smile", "sonrió")
    assert known.akin("sonrisa", "sonrió") == 0


def test_a_noun_that_is_spelt_like_a_form_of_a_verb_is_no_synonym_of_verbs(known):
    assert known.translates("water", "agua")
    assert known.translates("water", "abrevar")
    assert known.akin("agua", "abrevar") == 0
    assert known.akin("casa", "hogar") > 0
    assert known.akin("fue", "ser") > 0


def test_a_synonym_is_less_suspicious_than_any_other_word(world):
    source = Text("the friend sees 2 red car", "en")
    one, twin, stranger = (Text(f"el amigo ve 2 {noun} rojo", "es") for noun in ("coche", "automóvil", "zapato"))
    aligned = align(world, gather(LANGS))
    assert compare(source, source, one, twin, aligned).suspicion < 0.1
    assert compare(source, source, one, stranger, aligned).suspicion > 0.3


def test_no_answer_depends_on_what_was_asked_before(known):
    words = ["casa", "hogar", "coche", "automóvil", "fue", "bebida", "vivienda", "bonito", "bello", "xyzzy"]
    there, back = known.bilingual._directions
    answers = []
    for seed in range(3):
        anew = Bilingual(LANGS, "anew", there, back)
        pairs = [(one, other) for one in words for other in words]
        random.Random(seed).shuffle(pairs)
        if seed:
            anew.meet(["house"], words[:seed])
        answers.append({pair: anew.akin(*pair) for pair in pairs})
    assert answers[0] == answers[1] == answers[2]


def test_endless_words_are_not_looked_up(known, monkeypatch):
    monkeypatch.setattr(known.bilingual._directions[1], "analyse", lambda words: pytest.fail("it was asked"))
    assert known.akin("a" * 5000, "b" * 5000) == 0


def test_the_words_of_a_run_are_glossed_in_the_forms_that_they_have(known):
    found = known.glosses_of(["The", "houses", "went", "42"], ["Fue", "casa", "perro", "42"])
    assert found == [*known.glosses, (("houses",), ("casa",)), (("went",), ("fue",))]


def test_the_words_of_many_pairs_are_looked_up_at_once(known, monkeypatch):
    asked = []
    there, back = known.bilingual._directions
    anew = Bilingual(LANGS, "anew", there, back)
    for way in (there, back):
        monkeypatch.setattr(way, "analyse", lambda words, analyse=way.analyse: asked.append(words) or analyse(words))
    anew.meet(["Dogs", "dogs", "well-known"], ["perros", "42"])
    assert asked == [["dogs", "known", "well", "well-known"], ["perros"]]
    assert anew.translates("dogs", "Perros")
    assert anew.translates("known", "perros") is False
    assert len(asked) == 2


def test_a_pair_is_named_with_a_digest_of_its_files_whatever_the_direction(known):
    name = known.bilingual.name
    assert name.startswith("apertium-eng-spa#")
    assert name in known.used
    assert gather(("es", "en")).bilingual.name == gather(("en-GB", "es-MX")).bilingual.name == name


def test_a_pair_of_one_direction_serves_both_as_far_as_it_can():
    there, back = gather(("ca", "eo")), gather(("eo", "ca"))
    assert there.translates("cases", "domo")
    assert there.translates("casa", "domojn")
    assert back.translates("domo", "cases")
    assert there.used == back.used


def test_a_pair_that_is_not_installed_is_no_error_but_a_hint(nowhere):
    found = gather(LANGS)
    assert found.bilingual is None
    assert "no dictionary of Apertium's for en→es" in found.missing[-1]
    assert found.missing[-1].endswith("apt-get install apertium-eng-spa")
    assert not found.translates("house", "casa")
    assert found.akin("coche", "automóvil") == 0
    assert found.turned().bilingual is None


def test_a_pair_whose_program_is_gone_is_done_without(known, monkeypatch, tmp_path):
    assert known.bilingual is not None
    monkeypatch.setenv("PATH", str(tmp_path))
    found = gather(LANGS)
    assert found.bilingual is None
    assert found.missing[-1].endswith("apt-get install apertium-eng-spa")


def test_no_hint_names_a_pair_that_there_is_not():
    assert bilingual.cure(("en", "zh")) == ""
    assert "apertium-ind-zlm" in bilingual.cure(("ms", "id"))
    assert "apertium-fr-es" in bilingual.cure(("es-MX", "fr"))


def test_a_dictionary_that_cannot_be_asked_is_told_and_done_without(monkeypatch, tmp_path):
    program = tmp_path / "lt-proc"
    program.write_text("#!/bin/sh\necho out of order >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = gather(LANGS)
    assert found.bilingual is None
    assert not any(each.startswith("apertium-eng-spa#") for each in found.used)
    assert "cannot be used: lt-proc stopped: out of order" in found.missing[-1]


def test_words_can_be_asked_for_where_an_event_loop_runs(known):
    async def ask():
        return known.translates("garden", "jardines")

    assert asyncio.run(ask())


def test_a_dictionary_whose_programs_were_ended_starts_them_again(known):
    assert known.translates("river", "río")
    known.bilingual.close()
    assert known.translates("rivers", "ríos")


def test_what_goes_wrong_later_is_an_error_and_no_other_answer(tmp_path):
    made = Bilingual(LANGS, "none", Readings(Files(str(tmp_path / "a.bin"), str(tmp_path / "b.bin"))), None)
    with pytest.raises(Unavailable, match="lt-proc stopped"):
        made.translates("house", "casa")
