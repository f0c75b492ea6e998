"""Close decisions of the embedded parser: found, and made in steps that are the same on every processor."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from concord.language.parse import _model, concord_en
from concord.language.parse._chart import CLOSE, WORTH, best_trees, contested
from concord.language.parse._model import LEAST_CHANCE
from concord.language.parse._network import Scores, posts, short_buffer
from concord.language.parse._steps import FAST, SAME


def test_a_close_decision_is_made_in_steps_that_are_the_same_everywhere(monkeypatch):
    words = ["The", "old", "house", "stood", "near", "the", "river", "until", "1903", "."]
    model = concord_en._model(concord_en.SHIPPED)
    (fast,), (same,) = (model._read(each, [model._pieces.code(words)]) for each in (model._network, model._same))
    assert np.allclose(fast.likely, same.likely, rtol=0, atol=1e-5)
    monkeypatch.setattr(_model, "contested", lambda *_: False)
    told = []
    monkeypatch.setattr(
        model, "_read", lambda network, batch: told.append(network.steps) or [same._replace(close=True)]
    )
    list(model.parsed([words]))
    assert told == [FAST, SAME]


def test_what_is_read_in_the_same_steps_is_the_same_to_the_last_bit_alone_and_together():
    model = concord_en._model(concord_en.SHIPPED)
    sentences = ["Yes .", "The old house stood near the river .", "The new mill stood near the river .", "Go !"]
    coded = sorted((model._pieces.code(each.split()) for each in sentences), key=lambda each: len(each.first))
    with short_buffer():
        together = model._read(model._same, coded)
        alone = [model._read(model._same, [each])[0] for each in coded]
    for one, other in zip(together, alone, strict=True):
        assert (one.likely == other.likely).all()
        assert (one.tags, one.chances) == (other.tags, other.chances)


@pytest.mark.parametrize("probability", [WORTH, LEAST_CHANCE, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("step", [-1, 1])
def test_a_probability_next_to_a_limit_is_close_and_one_further_off_is_not(probability, step):
    for far, expected in ((CLOSE / 2, True), (3 * CLOSE, False)):
        read = judged(probability + step * far)
        assert read.close == expected


def judged(probability: float, *, second: float = 0.0) -> object:
    """What is made of a sentence of two words whose only phrase, beside the whole, has this probability."""
    model = concord_en._model(concord_en.SHIPPED)
    labels, tags = len(model._chains), len(model._tags)
    noun = next(at for at, chain in enumerate(model._chains) if chain == ["NP"])
    other = next(at for at, chain in enumerate(model._chains) if chain == ["VP"])
    spans = np.zeros((1, 3, labels), np.float64)
    spans[:, :, 0] = 1 - probability - second
    spans[:, :, noun], spans[:, :, other] = probability, second
    spans[:, 1] = 0
    spans[:, 1, noun] = 1
    with np.errstate(divide="ignore"):
        logits = np.maximum(np.log(spans), -60).astype(np.float32)
    scores = Scores(np.arange(2 * tags, dtype=np.float32).reshape(1, 2, tags), logits)
    (found,) = model._readings(scores, 2, FAST)
    return found


def test_two_labels_that_are_nearly_as_likely_are_close_where_one_of_them_is_chosen():
    assert judged(0.45, second=0.45 - CLOSE / 2).close
    assert not judged(0.45, second=0.44).close
    assert not judged(0.25, second=0.25 - CLOSE / 2).close


def bracketed(words: int, probabilities: dict[tuple[int, int], float]) -> tuple[np.ndarray, list]:
    spans = list(zip(*(each.tolist() for each in posts(words + 1)), strict=True))
    likely = np.array([probabilities.get(span, 0.0) for span in spans], np.float32)
    (chosen,) = best_trees([likely], [np.ones(len(likely), np.intp)], [words])
    return likely, chosen


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ({(0, 2): 0.9, (0, 1): 0.5}, False),
        ({(0, 2): 0.5, (1, 3): 0.6}, False),
        ({(0, 2): 0.55, (1, 3): 0.55 + CLOSE}, True),
        ({(1, 3): 0.6, (0, 2): 0.5, (2, 4): 0.5 + CLOSE}, True),
        ({(1, 3): 0.6, (0, 2): 0.45, (2, 4): 0.5}, False),
    ],
)
def test_phrases_that_cross_and_are_worth_nearly_the_same_are_contested(probabilities, expected):
    likely, chosen = bracketed(5, {(0, 5): 1.0, **probabilities})
    assert contested(likely, 5, chosen) is expected


def test_products_of_the_same_steps_are_exact_sums_of_what_their_digits_hold():
    random = np.random.default_rng(0)
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((3, 7), (7, 2)))
    found = SAME.product(a, b)
    whole = [[[Fraction(float(each)) for each in row] for row in some] for some in (a, b.T)]
    exact = [[sum(x * y for x, y in zip(row, column, strict=True)) for column in whole[1]] for row in whole[0]]
    assert found.dtype == np.float32
    assert found == pytest.approx(np.array(exact, float), rel=1e-6)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_products_of_the_same_steps_do_not_depend_on_the_order_of_what_is_added_up(kind):
    random = np.random.default_rng(1)
    a, b = (random.normal(size=shape) * 10.0 ** random.integers(-9, 9, shape) for shape in ((20, 1500), (1500, 30)))
    a, b, order = a.astype(kind), b.astype(kind), random.permutation(1500)
    found = SAME.product(a, b)
    assert (found == SAME.product(a[:, order], b[order])).all()
    assert (found[3:4] == SAME.product(a[3:4], b)).all()
    assert not (a @ b == a[:, order] @ b[order]).all()


def test_stacks_and_places_to_write_to_are_as_with_the_fast_steps():
    random = np.random.default_rng(2)
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((2, 3, 4, 5), (2, 3, 5, 4)))
    out = np.empty((2, 4, 3, 4), np.float32).transpose(0, 2, 1, 3)
    assert SAME.product(a, b, out=out) is out
    assert np.allclose(out, FAST.product(a, b), atol=1e-5)
    assert (SAME.product(np.zeros_like(a), b) == 0).all()
