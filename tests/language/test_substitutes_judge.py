"""The judge leaves out what cannot reach the least score, and nothing else."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from concord.language.english.lexicon import lexicon
from concord.language.substitutes import KINDS, NATURAL, Slot
from concord.language.substitutes._ranker import NEAR, OWNINGS, SAFER, WEIGHTS, Judge, NearForms
from concord.language.substitutes._slot import places
from concord.language.trees import read_brackets

SENTENCES = (
    ("(S (NP (CD Two) (NNS nurses)) (VP (VBD were) (VP (VBN dismissed))) (. .))", "nurses"),
    ("(S (NP (DT The) (NN bridge)) (VP (VBZ is) (PP (IN near) (NP (DT the) (JJ old) (NN harbour)))) (. .))", "bridge"),
    ("(S (NP (DT The) (NN bridge)) (VP (VBZ is) (PP (IN near) (NP (DT the) (JJ old) (NN harbour)))) (. .))", "old"),
    ("(S (NP (DT The) (NN price) (PP (IN of) (NP (NN wheat)))) (VP (VBD rose) (ADVP (RB sharply))) (. .))", "price"),
    ("(S (NP (DT The) (NN price) (PP (IN of) (NP (NN wheat)))) (VP (VBD rose) (ADVP (RB sharply))) (. .))", "sharply"),
    ("(S (NP (PRP They)) (VP (VBD destroyed) (NP (DT the) (NN village))) (. .))", "destroyed"),
)


def place_of(tagged, word):
    tree = read_brackets(tagged)
    start = tree.text.index(word)
    (place,) = places(Slot(tree, start, start + len(word)))
    return place


def judged(place, least, kinds=KINDS):
    rejected: Counter[str] = Counter()
    found = Judge(place, lexicon(), rejected).natural(least, kinds)
    return {form.word: (score, kind) for form, kind, score in found}, rejected


def slowly(place, word, form, cosine, vector):
    """The score as the documentation has it, with no thought of time."""
    known = lexicon()
    (original,) = known.forms(place.word, place.tag)
    suits = [float(known.similarity(each, place.context()).mean()) for each in (place.word, word)]
    ranks = [501 + (known.rank(each) or 0) for each in (place.word, word)]
    features = {
        "base": 1,
        "cosine": cosine,
        "semantic": known.semantic_similarity(original, form),
        "vector": vector,
        "plain": known.meanings.plainness[original.lemma],
        "strange": max(0.0, suits[0] - suits[1]),
        "rarer": max(0.0, math.log(ranks[1] / ranks[0])),
        "verb": place.tag.startswith("V"),
        "plural": place.tag == "NNS",
        "before of": place.word_at(1) == "of",
        "owned": known.topic(original) == OWNINGS,
    }
    evidence = sum(WEIGHTS[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-evidence - SAFER.get(known.kind(original, form), 0.0)))


def candidates(place):
    """Every candidate with its form, its similarities by both vectors, and the kind of substitute that it is."""
    known = lexicon()
    (original,) = known.forms(place.word, place.tag)
    near = NearForms(known, original)
    found = {}
    for index in range(len(near.rows)):
        form, _ = near.related(index)
        found[form.word] = form, float(near.cosines[index]), float(near.vectors[index]), near.kind(index)
    return original, found


@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_scores_are_those_of_the_whole_sum(tagged, word):
    place = place_of(tagged, word)
    _, near = candidates(place)
    found, _ = judged(place, 0.0)
    assert found
    for other, (score, kind) in found.items():
        form, cosine, vector, kind_of_form = near[other]
        assert score == pytest.approx(slowly(place, other, form, cosine, vector), abs=1e-6)
        assert kind == kind_of_form


@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_a_word_that_is_neither_similar_nor_a_synonym_is_fitting(tagged, word):
    original, near = candidates(place_of(tagged, word))
    for form, cosine, _, kind in near.values():
        relation = lexicon().kind(original, form)
        is_similar = cosine + lexicon().semantic_similarity(original, form) >= 2 * NEAR
        assert kind == (relation if is_similar or relation in ("synonym", "antonym") else "fitting")


@pytest.mark.parametrize("least", [0.05, 0.3, 0.6, 0.8])
@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_a_least_score_leaves_out_those_below_it_alone(tagged, word, least):
    place = place_of(tagged, word)
    every, none_rejected = judged(place, 0.0)
    found, rejected = judged(place, least)
    assert found == {other: told for other, told in every.items() if told[0] >= least}
    more = rejected - none_rejected
    assert more["similarity"] == len(every) - len(found)


@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_kinds_that_are_not_wanted_may_be_missing_but_no_others(tagged, word):
    place = place_of(tagged, word)
    every, _ = judged(place, 0.5)
    found, _ = judged(place, 0.5, NATURAL)
    assert set(found.items()) <= set(every.items())
    assert {kind for other, (_, kind) in every.items() if other not in found} <= {"antonym", "fitting"}


def test_no_score_is_too_high_to_be_asked_for():
    place = place_of(*SENTENCES[0])
    assert judged(place, 1.0)[0] == judged(place, 2.0)[0] == {}
