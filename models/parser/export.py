"""The trained network as the small file that ships: numbers of four bits where they are many, else of eight."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from concord.language.parse._weights import GROUP, unpacked
from models.parser.network import load

EIGHT_BITS = frozenset({"project", "left", "right", "label", "tag", "qkv", "out", "places"})
FOUR_BITS = frozenset({"pieces", "up", "down"})
FAR = 6.0
"""How many standard deviations make a number so large that it is kept apart."""


def export(trained: Path, file: Path) -> None:
    """Write the model file of `concord_en`."""
    network, facts = load(trained)
    arrays: dict[str, np.ndarray] = {}
    for name, value in network.state_dict().items():
        arrays.update(_kept(name, value.numpy()))
    told = {**facts, "layers": network.size.layers}
    arrays["facts"] = np.frombuffer(json.dumps(told, ensure_ascii=False).encode(), np.uint8)
    with file.open("wb") as out:
        np.savez_compressed(out, **arrays)
    print(f"{file}: {file.stat().st_size / 1e6:.2f} MB")


def rounded(kind: str, value: np.ndarray) -> np.ndarray:
    """What is left of a matrix in four bits."""
    kept = dict(_four_bits(kind, value))
    found = unpacked(kept[f"{kind}.q"], kept[f"{kind}.s"])
    if f"{kind}.at" in kept:
        found.ravel()[kept[f"{kind}.at"]] = kept[f"{kind}.far"]
    return found


def _kept(name: str, value: np.ndarray) -> Iterator[tuple[str, Any]]:
    head = name.removesuffix(".weight")
    kind = head.split(".")[-1] if head != name else ""
    if kind in FOUR_BITS:
        yield from _four_bits(head, value)
    elif kind in EIGHT_BITS:
        yield from _eight_bits(head, value)
    else:
        yield head if kind == "shapes" else name, value.astype(np.float32)


def _eight_bits(name: str, value: np.ndarray) -> Iterator[tuple[str, Any]]:
    scale = (np.abs(value).max(1) / 127 + 1e-8).astype(np.float16)
    yield f"{name}.q", np.round(value / scale[:, None].astype(np.float32)).clip(-127, 127).astype(np.int8)
    yield f"{name}.s", scale


def _four_bits(name: str, value: np.ndarray) -> Iterator[tuple[str, Any]]:
    """Sixteen steps for each group; two numbers make a byte, the even one in its lower half."""
    if name != "pieces":
        at = np.flatnonzero(np.abs(value) > FAR * value.std()).astype(np.int32)
        yield f"{name}.at", at
        yield f"{name}.far", value.ravel()[at].astype(np.float16)
        value = np.where(np.abs(value) > FAR * value.std(), 0, value)
    groups = value.reshape(len(value), -1, GROUP)
    scale = _closest(groups)
    flat = _steps(groups, scale).astype(np.uint8).reshape(len(value), -1)
    yield f"{name}.q", flat[:, ::2] | (flat[:, 1::2] << 4)
    yield f"{name}.s", scale


def _steps(groups: np.ndarray, scale: np.ndarray) -> np.ndarray:
    return np.floor(groups / scale[:, :, None].astype(np.float32) + 8).clip(0, 15)


def _closest(groups: np.ndarray) -> np.ndarray:
    """The scale of each group that leaves the smallest squared error; the extremes may be cut off for it."""
    extreme = np.abs(groups).max(-1) / 7.5 + 1e-6
    best, least = extreme.astype(np.float16), np.full(extreme.shape, np.inf)
    for part in np.linspace(1, 0.7, 7):
        scale = (extreme * part).astype(np.float16)
        error = (((_steps(groups, scale) - 7.5) * scale[:, :, None] - groups) ** 2).sum(-1)
        best = np.where(error < least, scale, best)
        least = np.minimum(error, least)
    return best
