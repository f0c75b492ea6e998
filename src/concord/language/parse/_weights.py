"""The model file of `concord_en`: quantised weights with scales, which become matrices when the file is read.

Every matrix `name` is stored as `name.q`, one row per output, and its scales as `name.s`. Either a number has
eight bits and a row one scale, or it has four bits, two numbers to a byte, and every group of a row has a
scale. A few numbers far larger than the rest of their group would ruin its precision; they are stored apart, their
indices as `name.at` and their values as `name.far`. The embeddings stay packed in memory: a sentence needs only a
few rows of them.
"""

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
    """The embeddings of word pieces, still packed."""

    packed: NDArray[np.uint8]
    scales: NDArray[np.float16]

    def rows(self, pieces: NDArray[np.intp]) -> Floats:
        """The embeddings of these pieces, before they are projected."""
        return unpacked(self.packed[pieces], self.scales[pieces])


@dataclass(frozen=True)
class Weights:
    """The weights of the network: matrices as (input, output), vectors, embeddings, and the names of its outputs."""

    arrays: dict[str, Floats]
    embeddings: Embeddings
    vocabulary: tuple[str, ...]
    labels: tuple[str, ...]
    tags: tuple[str, ...]
    layers: int
    digest: str


def read(file: Path) -> Weights:
    """The weights in a model file."""
    content = file.read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
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
        blake2b(content, digest_size=4).hexdigest(),
    )


def _whole(arrays: Mapping[str, NDArray[Any]], name: str) -> Floats:
    if not name.endswith(".q"):
        return arrays[name].astype(np.float32)
    head = name.removesuffix(".q")
    packed, scales = arrays[name], arrays[f"{head}.s"]
    if packed.dtype == np.uint8:
        matrix = unpacked(packed, scales)
        matrix.ravel()[arrays[f"{head}.at"]] = arrays[f"{head}.far"]
        return np.ascontiguousarray(matrix.T)
    whole = packed.astype(np.float32)
    whole *= scales.astype(np.float32)[:, None]
    return np.ascontiguousarray(whole.T)


def unpacked(packed: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """Numbers from four bits each: sixteen steps from -7.5 to 7.5, even columns in the lower halves of the bytes."""
    halves = np.empty((*packed.shape, 2), np.float32)
    halves[..., 0] = packed & 15
    halves[..., 1] = packed >> 4
    halves -= 7.5
    grouped = halves.reshape(len(packed), -1, GROUP)
    grouped *= scales.astype(np.float32)[:, :, None]
    return grouped.reshape(len(packed), -1)
