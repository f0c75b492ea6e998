"""The judge leaves out what cannot reach the least score, and nothing else."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from concord.language.english.lexicon import lexicon
from concord.language.substitutes import KINDS, NATURAL, Slot
from concord.language.substitutes import _ranker as weights
from concord.language.substitutes._neighbours import neighbours
from concord.language.substitutes._ranker import Judge
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


def slowly(place, word, form, cosine):
    """The score as the documentation has it, with no thought of time."""
    known = lexicon()
    (original,) = known.forms(place.word, place.tag)
    suits = [float(known.similarity(each, place.context()).mean()) for each in (place.word, word)]
    ranks = [501 + (known.rank(each) or 0) for each in (place.word, word)]
    evidence = weights.BASE + weights.COSINE * cosine + weights.SEMANTIC * known.semantic_similarity(original, form)
    evidence += weights.PLAIN * known.meanings.plainness[original.lemma]
    evidence += weights.SAFER.get(known.kind(original, form), 0.0)
    evidence += weights.STRANGENESS * max(0.0, suits[0] - suits[1])
    evidence += weights.RARER * max(0.0, math.log(ranks[1] / ranks[0]))
    evidence += weights.VERB * place.tag.startswith("V") + weights.BEFORE_OF * (place.word_at(1) == "of")
    evidence += weights.OWNED * (known.topic(original) == weights.OWNINGS)
    lost = neighbours().lost(place.word, word, place.word_at(-1), place.word_at(1))
    evidence += weights.NEIGHBOURS * max(lost, weights.MOST_LOST)
    return 1 / (1 + math.exp(-evidence))


@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_scores_are_those_of_the_whole_sum(tagged, word):
    place = place_of(tagged, word)
    known = lexicon()
    (original,) = known.forms(place.word, place.tag)
    shelf, (rows, cosines) = known.shelf(place.tag), known.nearest(original)
    forms = [known.form(shelf, row) for row in rows]
    near = {form.word: (form, float(cosine)) for form, cosine in zip(forms, cosines, strict=True)}
    found, _ = judged(place, 0.0)
    assert found
    for other, (score, kind) in found.items():
        assert score == pytest.approx(slowly(place, other, *near[other]), abs=1e-6)
        assert kind == known.kind(original, near[other][0])


@pytest.mark.parametrize("least", [0.05, 0.3, 0.6, 0.8])
@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_a_least_score_leaves_out_those_below_it_alone(tagged, word, least):
    place = place_of(tagged, word)
    every, none_rejected = judged(place, 0.0)
    found, rejected = judged(place, least)
    assert found == {other: told for other, told in every.items() if told[0] >= least}
    more = rejected - none_rejected
    assert more["similarity"] + more["place"] == len(every) - len(found)


@pytest.mark.parametrize(("tagged", "word"), SENTENCES)
def test_kinds_that_are_not_wanted_may_be_missing_but_no_others(tagged, word):
    place = place_of(tagged, word)
    every, _ = judged(place, 0.5)
    found, _ = judged(place, 0.5, NATURAL)
    assert set(found.items()) <= set(every.items())
    assert {kind for other, (_, kind) in every.items() if other not in found} <= {"antonym"}


def test_no_score_is_too_high_to_be_asked_for():
    place = place_of(*SENTENCES[0])
    assert judged(place, 1.0)[0] == judged(place, 2.0)[0] == {}


def test_a_word_that_only_its_neighbours_keep_from_the_least_score_is_counted_as_out_of_place():
    place = place_of(*SENTENCES[-1])
    every, _ = judged(place, 0.0)
    counted = [judged(place, score + 1e-9)[1]["place"] for score, _ in every.values()]
    assert max(counted) > 0
