"""The network of `concord_en` in numpy: a small transformer, then scores of tags and of labelled spans.

Sentences run through the dense layers side by side, as one long matrix, and only attend each to itself; those of
one length do so together. Sums are made in place, since a new matrix costs more than what is put into it.

What is said of a sentence depends in its last digits on the processor and on the sentences beside it: BLAS and numpy
add up in other orders. Probabilities agree to 1e-5. `same` is the same network in steps that are the same everywhere,
to the last bit, and take several times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.language.parse._folded_matrices import LINEAR, folded
from concord.language.parse._pieces import CodedSentence
from concord.language.parse._steps import FAST, SAME, Steps
from concord.language.parse._weights import Floats, Weights

HEADS = 12
POSITIONS = 256
"""The places that the network knows; pieces further on count as standing at the last."""

_STRIP = 128
"""Rows that are worked on at a time where many steps follow each other, so that they stay near the processor."""
_BUFFER = 384
"""Numbers in a row of most matrices; numpy wants a multiple of 16."""
_FAR = 80
"""Up to here and down to its opposite, a row of exponentials can be summed: none is too large, nor all too small."""


class Scores(NamedTuple):
    """What the network says of sentences that have as many words: logits (sentence, word, tag) and of all spans.

    Spans (sentence, span, label) are in reading order: those that begin at the first word, the shorter before the
    longer, and so on.
    """

    tags: Floats
    spans: Floats


class Network:
    """The weights in the order in which they are needed.

    The matrices of `weights` are changed in place and kept, being most of the memory: no one else can use them.
    """

    def __init__(self, weights: Weights) -> None:
        self._layers = weights.layers
        self._embeddings = weights.embeddings
        self._w = w = folded(weights, HEADS)
        self._span = w["span_norm.weight"].shape[0]
        self.steps = FAST

    @property
    def same(self) -> Network:
        """The same weights, with steps that are the same on every processor."""
        made = copy(self)
        made.steps = SAME
        return made

    def words(self, sentences: Sequence[CodedSentence]) -> list[Floats]:
        """Of every sentence what its words and its two ends give to tags and spans, a row for each.

        Together the sentences should have some hundred pieces.
        """
        x = self._encoded(sentences)
        starts = np.cumsum([0, *(len(sentence.pieces) for sentence in sentences)]).tolist()
        first = np.concatenate([np.add(each.first, start) for each, start in zip(sentences, starts, strict=False)])
        last = np.concatenate([np.add(each.last, start) for each, start in zip(sentences, starts, strict=False)])
        rows = self.steps.product((x[first] + x[last]) * np.float32(0.5), self._w["heads"])
        ends = np.cumsum([len(sentence.first) for sentence in sentences]).tolist()
        return [rows[end - len(each.first) : end] for each, end in zip(sentences, ends, strict=True)]

    def scores(self, words: Floats) -> Scores:
        """Scores of sentences that have as many words, from (sentence, word, what a word gives)."""
        w, span = self._w, self._span
        left = words[:, :-1, :span] + words[:, 1:, span : 2 * span] + w["post.bias"]
        right = words[:, :-1, 2 * span : 3 * span] + words[:, 1:, 3 * span : 4 * span]
        start, end = posts(left.shape[1])
        scales = _scales(left, right, self.steps)[:, start, end, None]
        left *= w["span_norm.weight"]
        right *= w["span_norm.weight"]
        labels = np.empty((len(words), len(start), w["label"].shape[1]), np.float32)
        for at in range(len(words)):
            spans = left[at].take(start, axis=0)
            spans += right[at].take(end, axis=0)
            spans *= scales[at]
            spans += w["span_norm.bias"]
            np.maximum(spans, 0, out=spans)
            self.steps.product(spans, w["label"], out=labels[at])
        labels += w["label.bias"]
        return Scores(words[:, 1:-1, 4 * span :] + w["tag.bias"], labels)

    def _encoded(self, sentences: Sequence[CodedSentence]) -> Floats:
        alike = _alike([len(sentence.pieces) for sentence in sentences])
        x, rows = self._read(sentences)
        for layer in range(self._layers):
            name = f"layers.{layer}."
            qkv = self.steps.product(x, self._w[name + "qkv"])
            query = qkv[:, : x.shape[1]]
            query += self._w[name + "query.bias"]
            if not layer:
                qkv, x = qkv.take(rows, axis=0), x.take(rows, axis=0)
            x = self._layer(x, _attended(qkv, alike, self.steps), name)
        return x

    def _read(self, sentences: Sequence[CodedSentence]) -> tuple[Floats, NDArray[np.intp]]:
        """What the first layer is given, and which row of it is each piece's.

        Before sentences are mixed, the same piece in the same place is the same everywhere: sentences that differ in
        one word have nearly all rows in common.
        """
        w = self._w
        asked = [
            each
            for sentence in sentences
            for each in zip(sentence.pieces, sentence.shapes, range(len(sentence.pieces)), strict=True)
        ]
        known = {each: row for row, each in enumerate(dict.fromkeys(asked))}
        found = np.array(list(known), np.intp)
        x = self.steps.product(self._embeddings.of(found[:, 0]), w["project"])
        x += w["places"][np.minimum(found[:, 2], POSITIONS - 1)]
        x += w["shapes"][found[:, 1]]
        x = _normal(x, w["norm.weight"], w["norm.bias"])
        return x, np.array([known[each] for each in asked], np.intp)

    def _layer(self, x: Floats, mixed: Floats, name: str) -> Floats:
        w, steps = self._w, self.steps
        x += w[name + "out.bias"]
        x = _normal(steps.product(mixed, w[name + "out"]), w[name + "norm1.weight"], w[name + "norm1.bias"], x)
        inner = _bent(steps.product(x, w[name + "up"]), w[name + "up.bias"], steps)
        return _normal(steps.product(inner, w[name + "down"]), w[name + "norm2.weight"], w[name + "norm2.bias"], x)


@contextmanager
def short_buffer() -> Iterator[None]:
    """Within it, and in this thread alone, numpy adds a vector to the rows of a matrix without copying either.

    It copies rows that are shorter than its buffer there, several at a time, and the vector as often, which takes
    half as long as the sum itself, and longer than that where the rows do not follow each other.
    """
    before = np.setbufsize(_BUFFER)
    try:
        yield
    finally:
        np.setbufsize(before)


@lru_cache(maxsize=256)
def posts(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The fenceposts where spans begin and end, in reading order."""
    start, end = np.triu_indices(count, 1)
    return start, end


def odds(scores: Floats, steps: Steps = FAST) -> Floats:
    """What is in proportion to the probabilities of each row, sentence by sentence; `scores` are overwritten."""
    flat = scores.reshape(len(scores), -1)
    far = (flat.max(1) > _FAR) | (flat.min(1) < -_FAR)
    # To find the greatest of every row would be a third of the attention, and hardly a sentence needs it.
    if far.any():
        scores[far] -= scores[far].max(-1, keepdims=True)
    steps.exp(scores, out=scores)
    return scores


class _Alike(NamedTuple):
    """Sentences next to each other that have the same length, and the rows that they fill."""

    rows: slice
    many: int
    length: int


def _alike(lengths: Sequence[int]) -> list[_Alike]:
    found, start = [], 0
    for length, run in groupby(lengths):
        count = len(list(run))
        found.append(_Alike(slice(start, start + count * length), count, length))
        start += count * length
    return found


def _attended(qkv: Floats, alike: Sequence[_Alike], steps: Steps) -> Floats:
    """Every sentence mixed within itself."""
    width = qkv.shape[1] // 3
    each = width // HEADS
    mixed = np.empty((len(qkv), width), np.float32)
    for rows, many, length in alike:
        query, key, value = qkv[rows].reshape(many, length, 3, HEADS, each).transpose(2, 0, 3, 1, 4)
        weights = odds(steps.product(query, key.transpose(0, 1, 3, 2)), steps)
        weights /= np.einsum("shqk->shq", weights)[..., None]
        # Written where it belongs, instead of copied there.
        steps.product(weights, value, out=mixed[rows].reshape(many, length, HEADS, each).transpose(0, 2, 1, 3))
    return mixed


def _scales(left: Floats, right: Floats, steps: Steps) -> Floats:
    """By what the sum of a left and a right post, whose mean is nought, is multiplied to be normal.

    The square of a sum is made of the squares and the product of its parts, so that no sum is needed for it; with
    twice the digits, since they may cancel each other out.
    """
    one, other = left.astype(np.float64), right.astype(np.float64)
    spread: NDArray[np.float64] = steps.product(one, other.transpose(0, 2, 1))
    spread *= 2
    spread += np.einsum("spd,spd->sp", one, one)[:, :, None]
    spread += np.einsum("spd,spd->sp", other, other)[:, None, :]
    spread /= left.shape[-1]
    spread += 1e-5
    return (1 / np.sqrt(spread)).astype(np.float32)


def _normal(x: Floats, weight: Floats, bias: Floats, other: Floats | None = None) -> Floats:
    """Layer normalisation, of a sum if there is another; `x` is overwritten."""
    for at in range(0, len(x), _STRIP):
        strip = x[at : at + _STRIP]
        if other is not None:
            strip += other[at : at + _STRIP]
        # Sums by einsum: a reduction spends longer on each row than the row takes.
        middle: NDArray[np.float32] = np.einsum("nd->n", strip)
        middle /= np.float32(x.shape[-1])
        strip -= middle[:, None]
        spread: NDArray[np.float32] = np.einsum("nd,nd->n", strip, strip)
        spread /= np.float32(x.shape[-1])
        spread += np.float32(1e-12)
        strip *= (1 / np.sqrt(spread))[:, None]
        strip *= weight
        strip += bias
    return x


def _bent(x: Floats, bias: Floats, steps: Steps) -> Floats:
    """The activation of a sum, but for the factors that `folded` has put into the matrices; `x` is overwritten.

    The form by tanh, which is what was trained: numpy has no error function.
    """
    inner = np.empty((min(len(x), _STRIP), x.shape[1]), np.float32)
    for at in range(0, len(x), _STRIP):
        strip = x[at : at + _STRIP]
        strip += bias
        bent = inner[: len(strip)]
        np.multiply(strip, strip, out=bent)
        bent += LINEAR
        bent *= strip
        steps.tanh(bent, out=bent)
        bent += 1
        strip *= bent
    return x
