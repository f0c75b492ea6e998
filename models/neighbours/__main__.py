"""Builds the table of neighbours: `python -m models.neighbours DATA [OUT]`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from concord.language.english.lexicon import lexicon
from models.lexicon.wordnet import FILES
from models.neighbours.counting import Counts, table
from models.parser.treebank import unlabelled

SHIPPED = Path("src/concord/language/substitutes/neighbours.npz")
TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*|'s|[0-9][0-9.,]*|[^\sa-z0-9]")
SHORTEST = 3


def main() -> None:
    told = argparse.ArgumentParser(prog="python -m models.neighbours", description=__doc__)
    told.add_argument("data", type=Path, help="the data folder of the parser's recipe")
    told.add_argument("out", type=Path, nargs="?", default=SHIPPED)
    told.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="where wordnet-base keeps it")
    given = told.parse_args()
    counts = Counts()
    counts.add([word.lower() for word in sentence] for sentence in unlabelled(given.data))
    counts.add(glosses(given.wordnet))
    made = table(counts, lexicon())
    np.savez_compressed(given.out, **made)
    size = given.out.stat().st_size / 1e6
    print(f"{given.out}: {size:.2f} MB, {counts.words.total()} words read, {len(made['nexts'])} pairs kept")


def glosses(folder: Path) -> Iterator[list[str]]:
    """WordNet's definitions and examples, each by itself."""
    for name in FILES.values():
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            said = "" if line.startswith("  ") else line.partition("|")[2]
            for part in re.split(r'[;"]', said.lower()):
                if len(found := TOKEN.findall(part)) >= SHORTEST:
                    yield found


if __name__ == "__main__":
    main()
