"""The way to match words is the best that the language allows, and says what is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from concord.errors import UserError
from concord.language.comparison_units import difference
from concord.language.parse._choice import shared_parsers
from concord.language.stems import stem, version
from concord.language.word_match import Match, counting, counting_here, matching
from concord.model import Text


@pytest.mark.parametrize(
    ("lang", "analysed", "way"),
    [
        ("zh", False, "exact"),
        ("zh", True, "exact"),
        ("es", True, "lemma"),
        ("de", False, "stem"),
        ("vi", False, "exact"),
    ],
)
def test_the_best_way_is_taken_if_none_is_named(lang: str, analysed: bool, way: Match) -> None:
    assert matching("auto", lang, analysed=analysed) == way


@pytest.fixture(autouse=True)
def parsers_are_made_once() -> Iterator[None]:
    with shared_parsers():
        yield


def test_a_way_that_is_named_is_taken() -> None:
    assert matching("exact", "es", analysed=True) == "exact"
    assert matching("stem", "es", analysed=True) == "stem"


def test_a_way_that_cannot_be_gone_is_refused_with_another() -> None:
    with pytest.raises(UserError, match=r"'sv' cannot be analysed here.*choose match=stem"):
        matching("lemma", "sv", analysed=False)
    with pytest.raises(UserError, match=r"no stemmer for 'vi'. Choose match=exact"):
        matching("stem", "vi", analysed=False)


def test_a_text_is_analysed_once() -> None:
    asked = []

    def analysed(text: Text) -> list[object]:
        asked.append(text)
        return []

    count = counting("lemma", analysed)  # type: ignore[arg-type]
    count(Text("hola", "es"))
    count(Text("hola", "es"))
    assert len(asked) == 1


def test_apertium_knows_agreement_and_contractions() -> None:
    count = counting_here("auto", "es-MX")
    phrase, whole = count(Text("Los gatos negros", "es")), count(Text("La cola del gato negro", "es"))
    assert difference(phrase, whole).missing == []


@pytest.mark.parametrize(
    ("phrase", "whole"),
    [
        ("ningún hombre viejo", "cada hombre viejo"),
        ("muchos coches", "pocos coches"),
        ("mi casa", "su casa"),
        ("el vaso sin agua", "el vaso con agua"),
        ("desde el lunes", "hasta el lunes"),
    ],
)
def test_words_that_turn_the_meaning_are_missed(phrase: str, whole: str) -> None:
    count = counting_here("lemma", "es")
    assert len(difference(count(Text(phrase, "es")), count(Text(whole, "es"))).missing) == 1


def test_galician_borrows_the_stemmer_of_portuguese() -> None:
    assert stem("casas", "gl") == stem("casa", "gl")


def test_a_word_too_long_to_be_one_is_its_own_stem() -> None:
    assert stem("a" * 1000 + "s", "en") == "a" * 1000 + "s"


def test_stems_have_a_version() -> None:
    assert version().startswith("snowball@")
