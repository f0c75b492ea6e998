"""The network of `concord_en` in numpy: a small transformer, then scores of tags and of labelled spans.

Sentences run through the dense layers side by side, as one long matrix; each attends only to itself, and those of
one length do so together. Sums are computed in place, since allocating a matrix costs more than filling it.

The last digits of the scores depend on the processor and on the other sentences of the batch: BLAS and numpy add up
in other orders. Probabilities agree to 1e-5. `same` is the network with arithmetic that is the same everywhere, to
the last bit, and takes several times as long.
"""

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
"""The positions that the network knows; pieces further on have the last one."""

_STRIP = 128
"""Rows that are processed at a time where many steps follow each other, so that they stay in the processor's cache."""
_BUFFER = 384
"""Numbers in a row of most matrices; numpy wants a multiple of 16."""
_FAR = 80
"""Between this and its negative, softmax needs no subtraction of the maximum: no exponential overflows."""


class Scores(NamedTuple):
    """Logits of sentences with the same number of words: of tags (sentence, word, tag) and of all spans.

    Spans (sentence, span, label) are in reading order: those that begin at the first word, the shorter before the
    longer, and so on.
    """

    tags: Floats
    spans: Floats


class Network:
    """The network with its weights.

    It changes the matrices of `weights` in place and keeps them, as they are most of the memory: nothing else can
    use them.
    """

    def __init__(self, weights: Weights) -> None:
        self._layers = weights.layers
        self._embeddings = weights.embeddings
        self._w = w = folded(weights, HEADS)
        self._span = w["span_norm.weight"].shape[0]
        self.steps = FAST

    @property
    def same(self) -> "Network":
        """The network with the same weights and with steps that are the same on every processor."""
        network = copy(self)
        network.steps = SAME
        return network

    def words(self, sentences: Sequence[CodedSentence]) -> list[Floats]:
        """The contributions of each sentence's words and two ends to tags and spans, a row for each.

        Together the sentences should have some hundred pieces.
        """
        x = self._encoded(sentences)
        starts = np.cumsum([0, *(len(sentence.pieces) for sentence in sentences)]).tolist()
        first = np.concatenate(
            [np.add(sentence.first, start) for sentence, start in zip(sentences, starts, strict=False)]
        )
        last = np.concatenate(
            [np.add(sentence.last, start) for sentence, start in zip(sentences, starts, strict=False)]
        )
        rows = self.steps.product((x[first] + x[last]) * np.float32(0.5), self._w["heads"])
        ends = np.cumsum([len(sentence.first) for sentence in sentences]).tolist()
        return [rows[end - len(sentence.first) : end] for sentence, end in zip(sentences, ends, strict=True)]

    def scores(self, words: Floats) -> Scores:
        """Scores of sentences with the same number of words, from (sentence, word, contribution)."""
        w, span = self._w, self._span
        left = words[:, :-1, :span] + words[:, 1:, span : 2 * span] + w["post.bias"]
        right = words[:, :-1, 2 * span : 3 * span] + words[:, 1:, 3 * span : 4 * span]
        start, end = posts(left.shape[1])
        scales = _scales(left, right, self.steps)[:, start, end, None]
        left *= w["span_norm.weight"]
        right *= w["span_norm.weight"]
        labels = np.empty((len(words), len(start), w["label"].shape[1]), np.float32)
        for index in range(len(words)):
            spans = left[index].take(start, axis=0)
            spans += right[index].take(end, axis=0)
            spans *= scales[index]
            spans += w["span_norm.bias"]
            np.maximum(spans, 0, out=spans)
            self.steps.product(spans, w["label"], out=labels[index])
        labels += w["label.bias"]
        return Scores(words[:, 1:-1, 4 * span :] + w["tag.bias"], labels)

    def _encoded(self, sentences: Sequence[CodedSentence]) -> Floats:
        alike = _same_lengths([len(sentence.pieces) for sentence in sentences])
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
        """The input of the first layer, and the row of each piece in it.

        Before the first attention, the same piece at the same position is the same in every sentence: sentences that
        differ in one word have nearly all rows in common.
        """
        w = self._w
        inputs = [
            piece
            for sentence in sentences
            for piece in zip(sentence.pieces, sentence.shapes, range(len(sentence.pieces)), strict=True)
        ]
        row_of = {piece: row for row, piece in enumerate(dict.fromkeys(inputs))}
        distinct = np.array(list(row_of), np.intp)
        x = self.steps.product(self._embeddings.rows(distinct[:, 0]), w["project"])
        x += w["places"][np.minimum(distinct[:, 2], POSITIONS - 1)]
        x += w["shapes"][distinct[:, 1]]
        x = _normal(x, w["norm.weight"], w["norm.bias"])
        return x, np.array([row_of[piece] for piece in inputs], np.intp)

    def _layer(self, x: Floats, mixed: Floats, name: str) -> Floats:
        w, steps = self._w, self.steps
        x += w[name + "out.bias"]
        x = _normal(steps.product(mixed, w[name + "out"]), w[name + "norm1.weight"], w[name + "norm1.bias"], x)
        inner = _activated(steps.product(x, w[name + "up"]), w[name + "up.bias"], steps)
        return _normal(steps.product(inner, w[name + "down"]), w[name + "norm2.weight"], w[name + "norm2.bias"], x)


@contextmanager
def short_buffer() -> Iterator[None]:
    """Let numpy add a vector to the rows of a matrix without copying either, within the context and in this thread.

    Otherwise numpy copies rows that are shorter than its buffer into it, several at a time, and the vector as often,
    which takes half as long as the sum itself, and longer where the rows are not contiguous.
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
    """Numbers proportional to the probabilities of each row, sentence by sentence; `scores` are overwritten."""
    flat = scores.reshape(len(scores), -1)
    far = (flat.max(1) > _FAR) | (flat.min(1) < -_FAR)
    # To find the greatest of every row would be a third of the attention, and hardly a sentence needs it.
    if far.any():
        scores[far] -= scores[far].max(-1, keepdims=True)
    steps.exp(scores, out=scores)
    return scores


class _SameLength(NamedTuple):
    """A group of consecutive sentences that have the same length, and the rows that they fill."""

    rows: slice
    many: int
    length: int


def _same_lengths(lengths: Sequence[int]) -> list[_SameLength]:
    groups, start = [], 0
    for length, lengths_alike in groupby(lengths):
        count = len(list(lengths_alike))
        groups.append(_SameLength(slice(start, start + count * length), count, length))
        start += count * length
    return groups


def _attended(qkv: Floats, alike: Sequence[_SameLength], steps: Steps) -> Floats:
    """The output of the attention: every sentence attends to itself."""
    width = qkv.shape[1] // 3
    head_width = width // HEADS
    mixed = np.empty((len(qkv), width), np.float32)
    for rows, many, length in alike:
        query, key, value = qkv[rows].reshape(many, length, 3, HEADS, head_width).transpose(2, 0, 3, 1, 4)
        weights = odds(steps.product(query, key.transpose(0, 1, 3, 2)), steps)
        weights /= np.einsum("shqk->shq", weights)[..., None]
        # The product is written to its destination directly, instead of copied there.
        steps.product(weights, value, out=mixed[rows].reshape(many, length, HEADS, head_width).transpose(0, 2, 1, 3))
    return mixed


def _scales(left: Floats, right: Floats, steps: Steps) -> Floats:
    """The factors that normalise the sums of a left and a right fencepost, whose mean is zero.

    The square of a sum is computed from the squares and the product of its parts, so that the sum itself is not
    needed; in double precision, since the parts may cancel each other out.
    """
    wide_left, wide_right = left.astype(np.float64), right.astype(np.float64)
    spread: NDArray[np.float64] = steps.product(wide_left, wide_right.transpose(0, 2, 1))
    spread *= 2
    spread += np.einsum("spd,spd->sp", wide_left, wide_left)[:, :, None]
    spread += np.einsum("spd,spd->sp", wide_right, wide_right)[:, None, :]
    spread /= left.shape[-1]
    spread += 1e-5
    return (1 / np.sqrt(spread)).astype(np.float32)


def _normal(x: Floats, weight: Floats, bias: Floats, residual: Floats | None = None) -> Floats:
    """Layer normalisation of `x`, or of its sum with a residual; `x` is overwritten."""
    for start in range(0, len(x), _STRIP):
        strip = x[start : start + _STRIP]
        if residual is not None:
            strip += residual[start : start + _STRIP]
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


def _activated(x: Floats, bias: Floats, steps: Steps) -> Floats:
    """The activation of a sum, but for the factors that `folded` has put into the matrices; `x` is overwritten.

    It is the approximation of GELU by tanh, as in the training: numpy has no error function.
    """
    inner = np.empty((min(len(x), _STRIP), x.shape[1]), np.float32)
    for start in range(0, len(x), _STRIP):
        strip = x[start : start + _STRIP]
        strip += bias
        bent = inner[: len(strip)]
        np.multiply(strip, strip, out=bent)
        bent += LINEAR
        bent *= strip
        steps.tanh(bent, out=bent)
        bent += 1
        strip *= bent
    return x
