"""Evidence says where its words stand, in the roles of the texts that a relation compares."""

from __future__ import annotations

import doctest

import pytest

from concord.comparator import Comparison
from concord.comparator.blame import Blame
from concord.model import ROLES, Text
from concord.relations import _judgement, _spans, literals, pivot, rti, rtt, semmt, transrepair
from concord.relations._judgement import judged


def en(words):
    return Text(words, "en")


def es(words):
    return Text(words, "es")


def marked(case):
    """The words at the places of a case's evidence, with their kinds."""
    return [
        (each["role"], getattr(case, each["role"]).words[each["start"] : each["end"]], each["kind"])
        for each in case.evidence["places"]
    ]


BLAMES = (
    Blame("follow_up", 3, 7, "lobo", "dog", (4, 7), "perro", (3, 8), "mistranslation", 0.4),
    Blame("source", 0, 2, "un", "", None, "", None, "addition", 0.1),
)
FOUR = en("the dog"), en("the dog"), es("un perro"), es("un lobo")


def blames(case, compared):
    return judged(case, Comparison(0.5, 0.1, BLAMES, ()), 0.5, compared).evidence["blamed"]


@pytest.mark.parametrize(
    ("relation", "compared"),
    [(relation, relation.TRAITS.compared) for relation in (transrepair, pivot, rtt)],
    ids=["transrepair", "pivot", "rtt"],
)
def test_a_blame_names_the_roles_that_its_relation_compares(relation, compared):
    one, other = blames(relation.compare(*FOUR), compared)
    assert (one["role"], one["start"], one["end"]) == (compared[3], 3, 7)
    assert one["of_place"] == {"role": compared[1], "start": 4, "end": 7}
    assert one["instead_place"] == {"role": compared[2], "start": 3, "end": 8}
    assert other == {"word": "un", "role": compared[2], "start": 0, "end": 2, "why": "addition", "suspicion": 0.1}


def test_what_the_papers_comparison_finds_in_the_translations_gives_way_to_our_blames():
    texts = en("the dog sleeps"), en("the dog"), es("el perro duerme"), es("un lobo")
    case = rti.compare(*texts, match="exact")
    assert ("follow_up_output", "lobo", "missing") in marked(case)
    case.evidence["places"] += _spans.places("source", [[0, 7]], "phrase")
    judged(case, Comparison(0.5, 0.1, BLAMES, ()), 0.5)
    assert marked(case) == [("source", "the dog", "phrase")]
    assert "places" not in judged(transrepair.compare(*FOUR), Comparison(0, 0, (), ()), 0.5).evidence


def test_literals_tell_of_every_place_what_became_of_it():
    case = literals.compare(en("31 cats, 2 kg"), en(""), es("13 gatos, 2 kg"), es(""))
    assert marked(case) == [("source", "31", "changed"), ("source_output", "13", "changed")]
    assert case.evidence["places"][0]["why"] == "changed: number 31 → 13"
    assert "places" not in literals.compare(en("31 cats"), en(""), es("31 gatos"), es("")).evidence


def test_what_is_set_aside_has_its_place():
    texts = en("the dog sleeps well"), en("the cat sleeps well"), es("el perro duerme bien"), es("el gato duerme mal")
    found = marked(transrepair.compare(*texts))
    assert {kind for _, _, kind in found} == {"differs", "aside"}
    assert {role for role, _, _ in found} == set(ROLES[2:])


def test_claims_that_only_one_side_has_are_told_as_such():
    case = semmt.compare(en("At least 3 dogs barked."), es("x"), es("x"), en("At least 30 dogs barked."))
    assert {each["role"]: each["why"] for each in case.evidence["places"]} == {
        "source": "only in the source",
        "follow_up_output": "only in what came back",
    }


@pytest.mark.parametrize("module", [_judgement, _spans], ids=["explained", "places"])
def test_the_examples_in_the_documentation_are_right(module):
    assert doctest.testmod(module).failed == 0
