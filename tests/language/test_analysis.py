from __future__ import annotations

import pytest

from concord.language.analysis import Part, Word, universal


@pytest.mark.parametrize(
    ("tags", "upos"),
    [
        ("n m sg", "NOUN"),
        ("np ant f sg", "PROPN"),
        ("vblex inf", "VERB"),
        ("vbser pri p3 sg", "AUX"),
        ("vbhaver pri", "AUX"),
        ("vbsomething", "VERB"),
        ("adj sint", "ADJ"),
        ("preadv", "ADV"),
        ("rel adv", "ADV"),
        ("rel an mf sp", "PRON"),
        ("det def sp", "DET"),
        ("pr", "ADP"),
        ("cnjcoo", "CCONJ"),
        ("cnjsub", "SCONJ"),
        ("num", "NUM"),
        ("gen", "PART"),
        ("ij", "INTJ"),
        ("sent", "PUNCT"),
        ("lpar", "PUNCT"),
        ("nothing known", "X"),
        ("", "X"),
    ],
)
def test_the_first_tag_tells_the_universal_one(tags: str, upos: str) -> None:
    assert universal(tuple(tags.split())) == upos


def test_a_contraction_has_two_lemmas_and_the_tag_of_the_first() -> None:
    text = "la casa del gato"
    word = Word(8, 11, (Part("de", ("pr",), "ADP"), Part("el", ("det", "def"), "DET")), text)
    assert (word.words, word.lemmas, word.upos) == ("del", ("de", "el"), "ADP")
