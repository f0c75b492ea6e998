"""The network of the embedded parser against the same written out step by step, with all the digits."""

from __future__ import annotations

import numpy as np
import pytest

from concord.language.parse._network import HEADS, POSITIONS, Network, posts, short_buffer
from concord.language.parse._pieces import SHAPES, CodedSentence
from concord.language.parse._weights import GROUP, Embeddings, Weights

WIDTH, INNER, SPAN, LABELS, TAGS, LAYERS, PIECES = 24, 48, 8, 5, 4, 2, 10
SENTENCE = CodedSentence([1, 5, 6, 7, 9, 2], [4, 1, 1, 0, 0, 4], [0, 1, 3, 4, 5], [0, 2, 3, 4, 5])


def shapes() -> dict[str, tuple[int, ...]]:
    found = {
        "project": (GROUP, WIDTH), "places": (WIDTH, POSITIONS), "shapes": (SHAPES, WIDTH), "label": (SPAN, LABELS),
        "left": (2 * WIDTH, SPAN), "right": (2 * WIDTH, SPAN), "tag": (WIDTH, TAGS), "tag.bias": (TAGS,),
        "left.bias": (SPAN,), "right.bias": (SPAN,), "label.bias": (LABELS,), "norm.weight": (WIDTH,),
        "norm.bias": (WIDTH,), "span_norm.weight": (SPAN,), "span_norm.bias": (SPAN,),
    }  # fmt: skip
    for layer in range(LAYERS):
        sizes = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, INNER), "down": (INNER, WIDTH)}
        for name, (given, made) in sizes.items():
            found |= {f"layers.{layer}.{name}": (given, made), f"layers.{layer}.{name}.bias": (made,)}
        for name in ("norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"):
            found[f"layers.{layer}.{name}"] = (WIDTH,)
    return found


def weights(seed: int = 0) -> Weights:
    random = np.random.default_rng(seed)
    arrays = {name: random.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes().items()}
    packed = random.integers(0, 256, (PIECES, GROUP // 2), np.uint8)
    embeddings = Embeddings(packed, random.random((PIECES, 1)).astype(np.float16))
    return Weights(arrays, embeddings, (), (), (), LAYERS, "")


def normal(x, weight, bias, least):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + least) * weight + bias


def dense(x, w, name):
    return x @ w[name] + w[name + ".bias"]


def attended(qkv):
    query, key, value = np.moveaxis(qkv.reshape(len(qkv), 3, HEADS, -1), 0, 2)
    scores = query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1])
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return np.moveaxis(shares / shares.sum(-1, keepdims=True) @ value, 0, 1).reshape(len(qkv), -1)


def gelu(x):
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def written_out(given: Weights, sentence: CodedSentence) -> tuple[np.ndarray, np.ndarray]:
    """Tags and spans of a sentence, nothing folded."""
    w = {name: each.astype(np.float64) for name, each in given.arrays.items()}
    x = given.embeddings.rows(np.array(sentence.pieces)).astype(np.float64) @ w["project"]
    x = x + w["places"].T[: len(x)] + w["shapes"][sentence.shapes]
    x = normal(x, w["norm.weight"], w["norm.bias"], 1e-12)
    for layer in range(given.layers):
        of = {name.removeprefix(f"layers.{layer}."): each for name, each in w.items()}
        x = normal(x + dense(attended(dense(x, of, "qkv")), of, "out"), of["norm1.weight"], of["norm1.bias"], 1e-12)
        x = normal(x + dense(gelu(dense(x, of, "up")), of, "down"), of["norm2.weight"], of["norm2.bias"], 1e-12)
    words = (x[sentence.first] + x[sentence.last]) / 2
    fences = np.concatenate([words[:-1], words[1:]], axis=1)
    start, end = posts(len(fences))
    spans = (fences @ w["left"] + w["left.bias"])[start] + (fences @ w["right"] + w["right.bias"])[end]
    spans = np.maximum(normal(spans, w["span_norm.weight"], w["span_norm.bias"], 1e-5), 0)
    return words[1:-1] @ w["tag"] + w["tag.bias"], spans @ w["label"] + w["label.bias"]


@pytest.mark.parametrize("seed", range(4))
def test_folded_weights_say_what_the_steps_written_out_say(seed):
    tags, spans = written_out(weights(seed), SENTENCE)
    network = Network(weights(seed))
    (words,) = network.words([SENTENCE])
    scores = network.scores(words[None])
    assert scores.tags[0] == pytest.approx(tags, abs=1e-3)
    assert scores.spans[0] == pytest.approx(spans, abs=1e-3)


def test_the_buffer_of_numpy_is_as_before_even_after_an_error():
    before = np.getbufsize()
    with short_buffer():
        assert np.getbufsize() < before
    assert np.getbufsize() == before
    with pytest.raises(ValueError, match="no"), short_buffer():
        raise ValueError("no")
    assert np.getbufsize() == before
