"""The network of `concord_en` in numpy: a small transformer, then scores of tags and of labelled spans.

Sentences run through the dense layers side by side, as one long matrix, and only attend each to itself; those of
one length do so together. Sums are made in place, since a new matrix costs more than what is put into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.text.parse._pieces import Coded
from concord.text.parse._weights import Floats, Weights

HEADS = 12
POSITIONS = 256
"""The places that the network knows; pieces further on count as standing at the last."""


class Scores(NamedTuple):
    """What the network says of a sentence: logits (word, tag), and logits (span, label) of all spans.

    Spans are in reading order: those that begin at the first word, the shorter before the longer, and so on.
    """

    tags: Floats
    spans: Floats


class Network:
    """The weights in the order in which they are needed."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        w = weights.arrays
        width = w["tag"].shape[0]
        left, right = w["left"], w["right"]
        # A fencepost is two words side by side, so each word is multiplied with both halves at once.
        self._heads = np.concatenate([left[:width], left[width:], right[:width], right[width:], w["tag"]], axis=1)
        self._span = left.shape[1]
        self._places = np.ascontiguousarray(w["places"].T)

    def scores(self, sentences: Sequence[Coded]) -> Iterator[Scores]:
        """Scores of every sentence; together they should have some hundred pieces."""
        x = self._encoded(sentences)
        lengths = [len(each.pieces) for each in sentences]
        starts = np.cumsum([0, *lengths]).tolist()
        first = np.concatenate([np.add(each.first, start) for each, start in zip(sentences, starts, strict=False)])
        last = np.concatenate([np.add(each.last, start) for each, start in zip(sentences, starts, strict=False)])
        words = (x[first] + x[last]) * np.float32(0.5) @ self._heads
        at = 0
        for each in sentences:
            yield self._scored(words[at : at + len(each.first)])
            at += len(each.first)

    def _encoded(self, sentences: Sequence[Coded]) -> Floats:
        w, alike = self._weights.arrays, _alike([len(each.pieces) for each in sentences])
        pieces = np.concatenate([np.array(each.pieces, np.intp) for each in sentences])
        shapes = np.concatenate([np.array(each.shapes, np.intp) for each in sentences])
        places = np.concatenate([np.minimum(np.arange(len(each.pieces)), POSITIONS - 1) for each in sentences])
        x = self._weights.embedded(pieces) @ w["project"]
        x += self._places[places]
        x += w["shapes"][shapes]
        x = _normal(x, w["norm.weight"], w["norm.bias"], 1e-12)
        for layer in range(self._weights.layers):
            x = self._layer(x, alike, f"layers.{layer}.")
        return x

    def _layer(self, x: Floats, alike: Sequence[_Alike], name: str) -> Floats:
        w = self._weights.arrays
        mixed = _attended(_added(x @ w[name + "qkv"], w[name + "qkv.bias"]), alike)
        x = _added(mixed @ w[name + "out"], x, w[name + "out.bias"])
        x = _normal(x, w[name + "norm1.weight"], w[name + "norm1.bias"], 1e-12)
        inner = _gelu(_added(x @ w[name + "up"], w[name + "up.bias"]))
        x = _added(inner @ w[name + "down"], x, w[name + "down.bias"])
        return _normal(x, w[name + "norm2.weight"], w[name + "norm2.bias"], 1e-12)

    def _scored(self, words: Floats) -> Scores:
        w, span = self._weights.arrays, self._span
        left = words[:-1, :span] + words[1:, span : 2 * span] + (w["left.bias"] + w["right.bias"])
        right = words[:-1, 2 * span : 3 * span] + words[1:, 3 * span : 4 * span]
        start, end = np.triu_indices(len(left), 1)
        spans = _normal(left[start] + right[end], w["span_norm.weight"], w["span_norm.bias"], 1e-5)
        np.maximum(spans, 0, out=spans)
        return Scores(words[1:-1, 4 * span :] + w["tag.bias"], spans @ w["label"] + w["label.bias"])


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


def _attended(qkv: Floats, alike: Sequence[_Alike]) -> Floats:
    """Every sentence mixed within itself; `qkv` is overwritten."""
    width = qkv.shape[1] // 3
    each = width // HEADS
    mixed = np.empty((len(qkv), width), np.float32)
    qkv[:, :width] *= np.float32(each**-0.5)
    for rows, many, length in alike:
        query, key, value = qkv[rows].reshape(many, length, 3, HEADS, each).transpose(2, 0, 3, 1, 4)
        weights = query @ key.transpose(0, 1, 3, 2)
        weights -= weights.max(-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(-1, keepdims=True)
        mixed[rows] = (weights @ value).transpose(0, 2, 1, 3).reshape(-1, width)
    return mixed


def _added(x: Floats, *others: Floats) -> Floats:
    """The sum; `x` is overwritten."""
    for other in others:
        x += other
    return x


def _normal(x: Floats, weight: Floats, bias: Floats, least: float) -> Floats:
    """Layer normalisation; `x` is overwritten."""
    x -= x.mean(-1, keepdims=True)
    spread: NDArray[np.float32] = np.einsum("nd,nd->n", x, x)
    spread /= np.float32(x.shape[-1])
    spread += np.float32(least)
    x *= (1 / np.sqrt(spread))[:, None]
    x *= weight
    x += bias
    return x


def _gelu(x: Floats) -> Floats:
    """The form by tanh, which is what was trained: numpy has no error function."""
    inner = x * x
    inner *= np.float32(0.044715)
    inner += 1
    inner *= x
    inner *= np.float32(0.7978845608)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner
