"""The matrices of the network, with every step folded in that does not depend on the sentence."""

import numpy as np

from concord.arithmetic import product
from concord.language.parse._weights import Floats, Weights

_CUBE = (0.044715 * 0.7978845608) ** (1 / 3)
LINEAR = np.float32(0.7978845608 / _CUBE)
"""The activation of x is x (1 + tanh(u)) / 2, where u is the cube of `_CUBE` x and `LINEAR` times that."""


def folded(weights: Weights, heads: int) -> dict[str, Floats]:
    """Weights that give the same network with fewer steps, on every processor; `weights` is changed in place."""
    w = weights.arrays
    width = w["tag"].shape[0]
    for layer in range(weights.layers):
        _attention(w, f"layers.{layer}.", width, heads)
        _activation(w, f"layers.{layer}.")
    w["places"] = np.ascontiguousarray(w["places"].T)
    left, right = w.pop("left"), w.pop("right")
    post = w.pop("left.bias") + w.pop("right.bias")
    # The normalisation of spans begins by subtracting the mean, so the mean of each summand is subtracted beforehand.
    for array in (left, right, post):
        array -= array.mean(-1, keepdims=True)
    w["post.bias"] = post
    # A fencepost is two words side by side, so each word is multiplied with both halves at once.
    w["heads"] = np.concatenate([left[:width], left[width:], right[:width], right[width:], w.pop("tag")], axis=1)
    return w


def _attention(w: dict[str, Floats], name: str, width: int, heads: int) -> None:
    bias = w.pop(name + "qkv.bias")
    # The queries are scaled once and for all.
    scale = np.float32((width // heads) ** -0.5)
    w[name + "qkv"][:, :width] *= scale
    w[name + "query.bias"] = bias[:width] * scale
    # The bias of the keys adds the same to all scores of a row, which changes no attention weight; and as these add
    # up to one, the bias of the values comes out unchanged.
    w[name + "out.bias"] += product(bias[2 * width :], w[name + "out"])


def _activation(w: dict[str, Floats], name: str) -> None:
    # The bias after the activation is added before it, and subtracted where it would be multiplied.
    down = w.pop(name + "down.bias")
    w[name + "norm1.bias"] += down
    w[name + "up.bias"] -= product(down, w[name + "up"])
    for matrix in ("up", "up.bias"):
        w[name + matrix] *= np.float32(_CUBE)
    w[name + "down"] *= np.float32(0.5 / _CUBE)
