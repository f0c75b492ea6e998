"""Synonyms of installed thesauri: how the files are read, and which words may be replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from concord.errors import Missing
from concord.language.parse.apertium import Parser
from concord.language.substitutes import Slot, Substitute
from concord.language.substitutes.mythes import Substitutes, Thesaurus
from concord.language.trees import read_brackets
from concord.model import Text
from concord.testing import check_substitutes

ENTRIES = {
    "casa": ["(s)|vivienda|hogar|edificio alto"],
    "vivienda": ["(s)|casa|hogar"],
    "hogar": ["(s)|casa|vivienda", "(s)|fuego (figurado)|lumbre"],
    "rápido": ["(adj)|veloz|ligero"],
    "veloz": ["(adj)|rápido"],
    "ligero": ["(adj)|leve", "(adj)|rápido", "≠ pesado|lento"],
    "año": ["-|anualidad"],
}


def write(folder: Path, name: str, entries: dict[str, list[str]], encoding: str) -> None:
    """A thesaurus as the packages have it: the entries, and the words with the bytes at which theirs begin."""
    data, index = f"{encoding}\n".encode(), []
    for word, meanings in entries.items():
        index.append(word.encode(encoding) + f"|{len(data)}".encode())
        data += f"{word}|{len(meanings)}\n".encode(encoding, "replace")
        data += "".join(f"{line}\n" for line in meanings).encode(encoding, "replace")
    (folder / f"{name}.dat").write_bytes(data)
    (folder / f"{name}.idx").write_bytes(b"\n".join([encoding.encode(), str(len(entries)).encode(), *index]) + b"\n")


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "th_es_ES_v2", ENTRIES, "utf-8")
    write(tmp_path, "th_de_DE_v2", {"Haus": ["-|Gebäude|Bau"], "Gebäude": ["-|Haus"]}, "ISO8859-1")
    return tmp_path


def slots(words: str, lang: str, *replaced: str) -> list[Slot]:
    (tree,) = Parser().parse([Text(words, lang)])
    return [Slot(tree, words.index(word), words.index(word) + len(word), lang=lang) for word in replaced]


def found(source: Substitutes, some: list[Slot]) -> list[list[tuple[str, float]]]:
    return [[(each.word, each.score) for each in answer] for answer in source.substitutes(some)]


def test_a_thesaurus_is_read_in_its_encoding_by_the_places_of_its_index(folder):
    german = Thesaurus(folder / "th_de_DE_v2.idx")
    assert german.meanings("Haus") == (frozenset({"Gebäude", "Bau"}),)
    assert german.meanings("Maus") == german.meanings("猫") == ()


def test_expressions_remarks_and_opposites_are_no_synonyms(folder):
    spanish = Thesaurus(folder / "th_es_ES_v2.idx")
    assert spanish.meanings("casa") == (frozenset({"vivienda", "hogar"}),)
    assert spanish.meanings("hogar")[1] == frozenset({"lumbre"})
    assert frozenset({"lento"}) not in spanish.meanings("ligero")


def test_words_are_near_by_the_share_of_their_meanings(folder):
    spanish = Thesaurus(folder / "th_es_ES_v2.idx")
    assert spanish.nearness("casa", "vivienda") == 1
    assert spanish.nearness("casa", "hogar") == 0.75
    assert spanish.nearness("rápido", "veloz") == 1


def test_a_word_is_replaced_by_one_of_its_gender(folder):
    source = Substitutes(folder=str(folder))
    assert found(source, slots("La casa es muy vieja.", "es", "casa")) == [[("vivienda", 1)]]
    assert source.rejected["tag"] == 1  # el hogar


def test_an_inflected_word_that_the_thesaurus_lacks_stays(folder):
    source = Substitutes(folder=str(folder))
    assert found(source, slots("Las casas son viejas.", "es", "casas")) == [[]]
    assert source.rejected["unknown word"] == 1


def test_names_and_numbers_stay(folder):
    assert found(Substitutes(folder=str(folder)), slots("Ayer vimos la película Casa.", "es", "Casa")) == [[]]


def test_by_the_parser_s_tags_alone_a_word_of_another_gender_may_come(folder):
    text = "Das Haus ist alt."
    tree = read_brackets("(ROOT (S (NP (DET Das) (NOUN Haus)) (AUX ist) (ADJ alt) (PUNCT .)))", text)
    source = Substitutes(folder=str(folder), lang="de", forms="tags", similarity=0.5)
    (answer,) = source.substitutes([Slot(tree, 4, 8, lang="de")])
    assert isinstance(answer[0], Substitute)
    assert (answer[0].text.words, answer[0].score) == ("Das Gebäude ist alt.", 1)


def test_it_serves_what_is_installed_and_analysed(folder):
    assert Substitutes(folder=str(folder)).languages() == {"es"}
    assert Substitutes(folder=str(folder), forms="tags").languages() == {"es", "de"}
    assert Substitutes(folder=str(folder), forms="tags", lang="de").languages() == {"de"}


def test_without_a_thesaurus_the_error_has_the_package_of_the_language(tmp_path, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(Missing, match="apt-get install mythes-de"):
        Substitutes(folder=str(tmp_path), lang="de")


def test_it_conforms(folder):
    check_substitutes(lambda: Substitutes(folder=str(folder)), slots("La casa es muy vieja.", "es", "casa"), "es")
