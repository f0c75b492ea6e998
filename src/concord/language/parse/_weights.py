"""The model file of `concord_en`: small whole numbers with scales, made into matrices when it is read.

Every matrix `name` is kept as `name.q`, one row per output, and its scales as `name.s`. Either a number has
eight bits and a row one scale, or it has four bits, two numbers to a byte, and every group of a row has a
scale. A few numbers far larger than the others would leave nothing of their group; they are kept apart,
their places as `name.at` and themselves as `name.far`. The embeddings stay packed in memory: a sentence
needs only a few rows of them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
GROUP = 32
"""How many numbers of four bits share a scale."""

_PARTS = (".s", ".at", ".far")


@dataclass(frozen=True)
class Embeddings:
    """What the network knows of word pieces, still packed."""

    packed: NDArray[np.uint8]
    scales: NDArray[np.float16]

    def of(self, pieces: NDArray[np.intp]) -> Floats:
        """The embeddings of some, before they are projected."""
        return unpacked(self.packed[pieces], self.scales[pieces])


@dataclass(frozen=True)
class Weights:
    """What the network knows: matrices as (input, output), vectors, embeddings, and the names of things."""

    arrays: dict[str, Floats]
    embeddings: Embeddings
    vocabulary: tuple[str, ...]
    labels: tuple[str, ...]
    tags: tuple[str, ...]
    layers: int
    digest: str


def read(file: Path) -> Weights:
    """The weights in a model file."""
    kept = file.read_bytes()
    with np.load(io.BytesIO(kept), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    facts = json.loads(arrays.pop("facts").tobytes())
    embeddings = Embeddings(arrays.pop("pieces.q"), arrays.pop("pieces.s"))
    return Weights(
        {name.removesuffix(".q"): _whole(arrays, name) for name in arrays if not name.endswith(_PARTS)},
        embeddings,
        tuple(facts["vocabulary"]),
        tuple(facts["labels"]),
        tuple(facts["tags"]),
        facts["layers"],
        blake2b(kept, digest_size=4).hexdigest(),
    )


def _whole(arrays: Mapping[str, NDArray[Any]], name: str) -> Floats:
    if not name.endswith(".q"):
        return arrays[name].astype(np.float32)
    head = name.removesuffix(".q")
    kept, scales = arrays[name], arrays[f"{head}.s"]
    if kept.dtype == np.uint8:
        found = unpacked(kept, scales)
        found.ravel()[arrays[f"{head}.at"]] = arrays[f"{head}.far"]
        return np.ascontiguousarray(found.T)
    whole = kept.astype(np.float32)
    whole *= scales.astype(np.float32)[:, None]
    return np.ascontiguousarray(whole.T)


def unpacked(packed: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """Sixteen steps from -7.5 to 7.5, the even numbers in the lower halves of the bytes."""
    both = np.empty((*packed.shape, 2), np.float32)
    both[..., 0] = packed & 15
    both[..., 1] = packed >> 4
    both -= 7.5
    grouped = both.reshape(len(packed), -1, GROUP)
    grouped *= scales.astype(np.float32)[:, :, None]
    return grouped.reshape(len(packed), -1)
