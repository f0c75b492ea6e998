"""Word alignment finds the links of small made-up languages, keeps what it learnt, and gives the same each time."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord.errors import UserError
from concord.language.align import fit, load
from concord.language.align._cells import PairCells
from concord.language.align._chain import FARTHEST, expected, no_preference
from concord.language.align.model import LONGEST

NOUNS = {"house": "casa", "dog": "perro", "tree": "árbol", "book": "libro", "river": "río", "friend": "amigo"}
COLOURS = {"red": "rojo", "green": "verde", "white": "blanco", "black": "negro"}
VERBS = {"sees": "ve", "wants": "quiere", "sells": "vende", "finds": "encuentra"}


def made(count, seed=1):
    """Sentences in which a colour stands before its noun in the one language and behind it in the other."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        one, other = rng.choice(sorted(NOUNS)), rng.choice(sorted(NOUNS))
        verb, colour = rng.choice(sorted(VERBS)), rng.choice(sorted(COLOURS))
        source = ["the", one, verb, "the", colour, other]
        pairs.append((source, ["el", NOUNS[one], VERBS[verb], "el", NOUNS[other], COLOURS[colour]]))
    return pairs


@pytest.fixture(scope="module")
def model():
    return fit(made(60), langs=("en", "es"))


def linked(model, source, target):
    return {(source[link.source], target[link.target]) for link in model.links(source, target)}


def test_sixty_pairs_are_enough_for_words_that_change_places(model):
    source, target = ["the", "dog", "sells", "the", "green", "house"], ["el", "perro", "vende", "el", "casa", "verde"]
    assert linked(model, source, target) == {
        ("the", "el"), ("dog", "perro"), ("sells", "vende"), ("green", "verde"), ("house", "casa"),
    }  # fmt: skip


def test_the_same_word_twice_is_linked_to_the_nearer_one(model):
    source, target = ["the", "dog", "sees", "the", "dog"], ["el", "perro", "ve", "el", "perro"]
    assert {(link.source, link.target) for link in model.links(source, target)} == {(at, at) for at in range(5)}


def test_words_translate_each_other_far_likelier_than_others_do(model):
    assert model.likely("house", "casa") > 0.5 > 0.05 > model.likely("house", "perro")
    assert model.likely("house", "never seen") == model.likely("never seen", "casa") == 0


def test_forms_of_one_word_share_what_is_known(model):
    assert model.likely("Houses", "casas") == model.likely("house", "casa")


def test_a_word_that_nobody_said_stays_alone(model):
    source, target = ["the", "dog", "sees", "the", "house"], ["el", "perro", "ve", "el", "casa", "río"]
    assert not any(link.target == 5 for link in model.links(source, target) if link.confidence > 0.5)


def test_new_words_are_linked_where_they_are_spelt_alike_or_alone_left(model):
    source, target = ["the", "Zyx", "sees", "the", "1,234", "dog"], ["el", "Wuv", "ve", "el", "perro", "1,234"]
    assert {("Zyx", "Wuv"), ("1,234", "1,234")} <= linked(model, source, target)


def test_a_link_that_is_open_to_doubt_has_less_confidence(model):
    sure = {link.source: link.confidence for link in model.links(*made(1, seed=3)[0])}
    source, target = ["the", "zebra", "sees", "the", "okapi"], ["el", "dunno", "tampoco", "ve", "el"]
    doubtful = [link.confidence for link in model.links(source, target) if source[link.source] in ("zebra", "okapi")]
    assert 0.25 <= max(doubtful) < min(sure.values())
    assert min(sure.values()) > 0.9


def test_new_words_among_new_words_are_not_linked_unless_they_are_spelt_alike(model):
    assert model.links(["zebra", "okapi", "gnu"], ["dunno", "tampoco", "nada"]) == ()
    assert linked(model, ["zebra", "okapi", "42"], ["dunno", "42", "nada"]) == {("42", "42")}


def test_glosses_say_what_the_pairs_leave_open():
    pairs = [(["red", "house"], ["casa", "roja"])] * 3
    glosses = [(["red"], ["roja"]), (["house"], ["casa"]), (["house"], ["mansión"]), (["big", "house"], ["casa"])]
    assert fit(pairs, glosses=glosses).likely("red", "roja") > 2 * fit(pairs).likely("red", "roja")


def test_one_link_of_many_pairs_does_not_depend_on_the_others(model):
    pairs = [*made(20, seed=9), (["the"], ["el"]), ([], ["el"]), (["the"], []), ([], [])]
    assert model.links(["the"], []) == ()
    for (source, target), together in zip(pairs, model.probabilities(pairs), strict=True):
        ((one, other),) = model.probabilities([(source, target)])
        assert one.shape == (len(source), len(target))
        assert (one == together[0]).all()
        assert (other == together[1]).all()


def test_only_the_beginning_of_endless_sentences_is_linked(model):
    source, target = ["dog", "the"] * 200, ["perro", "el"] * 300
    assert max(link.source for link in model.links(source, target)) < LONGEST
    ((one, other),) = model.probabilities([(source, target)])
    assert one.shape == other.shape == (LONGEST, LONGEST)
    assert fit([*made(20), (source, target)]).dump() == fit(made(20)).dump()


def test_what_the_directions_are_sure_of_makes_the_confidence(model):
    (source, target), *_ = made(1, seed=2)
    ((one, other),) = model.probabilities([(source, target)])
    assert 0.9 < one.sum(axis=0).max() <= 1 + 1e-5
    assert 0.9 < other.sum(axis=1).max() <= 1 + 1e-5
    for link in model.links(source, target):
        sure = one[link.source, link.target] * other[link.source, link.target]
        assert link.confidence == pytest.approx(sure**0.5, abs=1e-6)


def test_the_same_pairs_make_the_same_model_byte_for_byte(model):
    again = fit(made(60), langs=("en", "es"))
    assert again.dump() == model.dump()
    assert again.dump() == model.dump() != fit(made(61), langs=("en", "es")).dump()


def test_the_order_of_pairs_and_glosses_does_not_matter(model):
    glosses = [(["house"], ["casa"]), (["dog"], ["perro"]), (["the", "dog"], ["el", "perro"])]
    there = fit(made(60), glosses=glosses, langs=("en", "es"))
    assert fit(made(60)[::-1], glosses=glosses[::-1], langs=("en", "es")).dump() == there.dump()
    assert there.dump() != model.dump()


def test_a_model_that_was_stored_says_the_same(model):
    kept = load(model.dump())
    assert kept.dump() == model.dump()
    assert all(kept.links(*pair) == model.links(*pair) for pair in made(20, seed=5))
    assert kept.likely("house", "casa") == model.likely("house", "casa")


def test_a_model_of_another_format_is_refused(model, monkeypatch):
    monkeypatch.setattr("concord.language.align.model.FORMAT", 99)
    later = model.dump()
    monkeypatch.undo()
    with pytest.raises(UserError, match="has format 99; this Concord reads 1"):
        load(later)


def test_what_is_no_model_is_refused():
    with pytest.raises(UserError, match="is no word alignment"):
        load(b"something else")


def test_nothing_at_all_can_be_fitted():
    empty = fit([])
    assert empty.links(["a", "b"], ["c", "d"]) == ()
    ((one, other),) = empty.probabilities([(["a"], ["b"])])
    assert max(one.item(), other.item()) < 0.1
    assert {(link.source, link.target) for link in empty.links(["a", "Rome"], ["Rome", "b"])} == {(1, 0)}
    assert load(empty.dump()).dump() == empty.dump()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12), st.sampled_from([0, 1]))
def test_batches_hold_every_cell_once(sizes, hidden):
    cells = PairCells.of_pairs([([0] * one, [0] * other) for one, other in sizes])
    found = [batch.cells[batch.real] for batch in cells.batches(hidden)]
    assert sorted(np.concatenate([*found, np.zeros((0, 1))], axis=None).astype(int)) == list(range(len(cells)))


def enumerated(said, unlinked, jumps):
    """The links by going through all ways from word to word: slow and obvious."""
    words, size = said.shape
    total, links = 0.0, np.zeros_like(said)
    rows = np.array(
        [[jumps[np.clip(i - k, -FARTHEST, FARTHEST) + FARTHEST] for i in range(size)] for k in range(-1, size)]
    )
    rows /= rows.sum(axis=1, keepdims=True)
    for path in np.ndindex(*[size] * words):
        steps = [rows[before + 1, here] for before, here in zip((-1, *path), path, strict=False)]
        share = np.prod(steps) * np.prod([said[j, i] + unlinked[j] for j, i in enumerate(path)])
        total += share
        for j, i in enumerate(path):
            links[j, i] += share * said[j, i] / (said[j, i] + unlinked[j])
    return links / total


@pytest.mark.parametrize(("words", "size"), [(1, 1), (3, 2), (2, 4), (4, 3)])
def test_the_chain_is_what_all_ways_add_up_to(words, size):
    rng = np.random.default_rng(words * 10 + size)
    said, unlinked = rng.random((words, size)), rng.random(words)
    longer = np.concatenate([said, rng.random((2, size))])[None]
    real = np.array([[1.0] * words + [0.0] * 2])
    links, jumps = expected(longer, np.append(unlinked, [0.5, 0.5])[None], no_preference(), real)
    assert np.allclose(links[0, :words], enumerated(said, unlinked, no_preference()))
    assert not links[0, words:].any()
    assert np.isclose(jumps.sum(), words)
