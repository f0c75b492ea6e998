"""A fitted comparator learns from labels of pairs which words matter, and is used only where it beats the rule."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from concord.comparator import Labelled, compare, fit
from concord.comparator import learned as module
from concord.comparator._neural_net import Bags, _slopes, chance, log_odds, noisy_or
from concord.comparator.learned import Blend, _blend, _odds_by_rule, _shift, folds, load
from concord.errors import UserError
from concord.model import Text


def en(words):
    return Text(words, "en")


def es(words):
    return Text(words, "es")


def labelled(aligned, count, wrong_is):
    """Round trips with one other word; which other word is wrong, is for the labels to say."""
    rng = random.Random(3)
    source, output = en("the dog sees 7 red house"), "el perro ve 7 casa rojo"
    made = []
    for number in range(count):
        word = rng.choice(["banco", "rojo", "7"])
        seen = compare(source, source, es(output), es(output.replace("casa", word)), aligned)
        made.append(Labelled(seen.words, word in wrong_is, str(number % 20)))
    return made


@pytest.fixture(scope="module")
def learnt(aligned):
    return fit(labelled(aligned, 80, {"7"}), seed=1)


def test_labels_teach_what_the_rule_cannot_know(aligned, learnt):
    assert learnt.better
    assert learnt.area > 0.95 > learnt.area_of_rule
    source, output = en("the dog sees 7 red house"), es("el perro ve 7 casa rojo")
    texts = [es("el perro ve 7 7 rojo"), es("el perro ve 7 banco rojo")]
    wrong, right = (compare(source, source, output, text, aligned, fitted=learnt) for text in texts)
    assert wrong.suspicion > 0.7 > 0.3 > right.suspicion
    assert (wrong.probability, right.probability) == (wrong.suspicion, right.suspicion)


def test_a_model_that_does_not_beat_the_rule_is_not_used(aligned, learnt):
    source, output, other = en("the dog sees 7 red house"), es("el perro ve 7 casa rojo"), es("el perro ve 7 7 rojo")
    worse = replace(learnt, area=learnt.area_of_rule)
    by_rule = compare(source, source, output, other, aligned)
    assert compare(source, source, output, other, aligned, fitted=worse) == by_rule
    assert compare(source, source, output, other, aligned, fitted=learnt) != by_rule


def test_a_gain_that_chance_often_makes_is_none(aligned, learnt):
    gain = learnt.area - learnt.area_of_rule
    assert 0 < learnt.margin < gain
    assert not replace(learnt, margin=gain).better
    assert replace(learnt, margin=gain - 1e-6).better


def margin(sentences, pairs=1):
    """The margin of a ranking that has learnt something beside one that has not, over sentences with so many pairs."""
    rng = np.random.default_rng(5)
    wrong = np.repeat(rng.random(sentences) < 0.3, pairs)
    learnt, ruled = np.repeat(rng.random((2, sentences)), pairs, axis=1)
    made = [Labelled((), bool(each), str(at // pairs)) for at, each in enumerate(wrong)]
    return module._margin(made, learnt + wrong / 4, ruled, 0)


def test_the_noise_falls_with_the_root_of_the_sentences():
    assert margin(400) == pytest.approx(margin(100) / 2, rel=0.25)


def test_more_pairs_of_the_same_sentences_make_it_no_surer():
    assert margin(100, pairs=5) == pytest.approx(margin(100), rel=0.05)


def test_a_stored_model_says_the_same(aligned, learnt):
    kept = load(learnt.dump())
    words = labelled(aligned, 3, {"7"})[0].words
    assert kept.suspicions(words) == learnt.suspicions(words)
    assert (kept.area, kept.area_of_rule, kept.margin, kept.better) == (
        learnt.area,
        learnt.area_of_rule,
        learnt.margin,
        True,
    )
    assert kept.dump() == learnt.dump()
    assert kept.suspicions(()) == []


def test_the_same_labels_and_seed_make_the_same_model(aligned, learnt, monkeypatch):
    monkeypatch.setattr(module, "NETS", 1)
    pairs = labelled(aligned, 40, {"7"})
    assert fit(pairs, seed=4).dump() == fit(pairs, seed=4).dump() != fit(pairs, seed=5).dump()


def test_too_few_labels_are_refused_with_their_numbers(aligned):
    with pytest.raises(UserError, match="6 labelled pairs, 0 of them wrong, from 6 sentences: too few"):
        fit(labelled(aligned, 6, set()))


def test_what_is_no_model_is_refused(learnt, monkeypatch):
    with pytest.raises(UserError, match="is no fitted comparator"):
        load(b"something")
    monkeypatch.setattr(module, "FORMAT", 9)
    later = learnt.dump()
    monkeypatch.undo()
    with pytest.raises(UserError, match="has format 9; this Concord reads 5"):
        load(later)


def test_pairs_of_one_sentence_are_held_out_together():
    groups = [str(number % 13) for number in range(100)]
    parts = folds(groups, 0)
    assert len({(group, int(part)) for group, part in zip(groups, parts, strict=True)}) == 13
    assert set(parts.tolist()) == set(range(5))


def test_a_pair_without_words_is_right_and_one_bad_word_is_enough():
    found = noisy_or(np.array([0.5, 0.5, 0.9]), np.array([0, 0, 2, 3]))
    assert np.allclose(found, [0, 0.75, 0.9])


def test_slopes_are_those_of_the_surprise():
    rng = np.random.default_rng(0)
    bags = Bags(rng.normal(size=(7, 3)), np.array([0, 2, 2, 5, 7]), np.array([True, False, False, True]))
    weights = [rng.normal(size=(3, 16)), rng.normal(size=16), rng.normal(size=16), np.array(-1.0)]

    def surprise(at, place, by):
        moved = [each.copy() for each in weights]
        moved[at][place] += by
        hidden = np.tanh(bags.rows @ moved[0] + moved[1])
        wrong = noisy_or(1 / (1 + np.exp(-(hidden @ moved[2] + moved[3]))), bags.starts)
        plain = -np.mean(np.log(np.where(bags.wrong, wrong, 1 - wrong)))
        return plain + sum([5e-4 * np.sum(moved[k] ** 2) for k in (0, 2)])

    for at, place in [(0, (1, 2)), (1, (5,)), (2, (7,)), (3, ())]:
        measured = (surprise(at, place, 1e-5) - surprise(at, place, -1e-5)) / 2e-5
        assert np.isclose(_slopes(weights, bags)[at][place], measured, atol=1e-6)


def test_what_nets_and_the_rule_say_is_averaged_as_log_odds():
    by_nets, by_rule = np.array([0.9, 0.2]), np.array([0.3, 0.6])
    assert np.allclose(Blend(1.0, 5.0)(by_nets, by_rule), by_nets)
    assert np.allclose(Blend(0.0, 0.0)(by_nets, by_rule), by_rule)
    halfway = (log_odds(by_nets) + log_odds(by_rule) - 2) / 2
    assert np.allclose(Blend(0.5, -2.0)(by_nets, by_rule), chance(halfway))


@pytest.fixture
def known():
    """Two hundred pairs of two words; the first feature is the rule's suspicion, and the labels go by it."""
    rng = np.random.default_rng(5)
    by_rule = rng.uniform(0, 0.8, 400)
    starts = np.arange(0, 401, 2)
    return Bags(by_rule[:, None], starts, noisy_or(by_rule, starts) / 2 > rng.uniform(size=200))


def test_the_rule_is_shifted_until_it_finds_as_many_pairs_wrong_as_the_labels(known):
    by_rule = known.rows[:, 0]
    said = noisy_or(chance(_odds_by_rule(by_rule) + _shift(by_rule, known)), known.starts)
    assert np.isclose(said.mean(), known.wrong.mean(), atol=1e-6)


def test_nets_count_as_much_as_they_explain(known):
    noise = np.random.default_rng(6).uniform(0.01, 0.8, 400)
    oracle = np.repeat(np.where(known.wrong, 0.9, 0.02), 2)
    assert _blend(known, noise).share == module.SHARES[0]
    assert _blend(known, oracle).share == module.SHARES[-1]


def test_whoever_changes_the_features_changes_the_format(learnt):
    assert (module.FORMAT, learnt.middle.size) == (5, 41)
