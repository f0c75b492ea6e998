"""What one processor makes of some sentences: trees, probabilities, and the rows of every relation that parses.

    python everything.py FOLDER SENTENCES SYSTEM

writes it to FOLDER/found.json, with the names of what the BLAS and numpy have used.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

import concord
from concord.corpus import demo
from concord.language.parse import concord_en
from concord.language.parse._network import short_buffer
from concord.model import Text

RELATIONS = ("rti", "transrepair", "patinv", "sit", "cat", "mgmt", "semmt")
TABLES = ("checks", "cases", "learnt", "translations")
MOMENTS = {"created"}


def rows(workspace: Path) -> dict[str, list[str]]:
    """All rows of all tables as they are stored, without the moments at which they were."""
    found = {}
    with sqlite3.connect(workspace) as store:
        for table in TABLES:
            columns = [each[1] for each in store.execute(f"PRAGMA table_info({table})") if each[1] not in MOMENTS]
            kept = store.execute(f"SELECT {', '.join(columns)} FROM {table}")
            found[table] = sorted(json.dumps([str(value) for value in row], ensure_ascii=False) for row in kept)
    return found


def everything(folder: Path, sentences: int, system: str) -> dict[str, Any]:
    """Trees and rows of the first sentences of the bundled corpus."""
    texts = [segment.text for segment in islice(demo(), sentences)]
    trees = concord_en.Parser().parse(texts)
    lines, workspace = folder / "lines.txt", folder / "w.sqlite"
    lines.write_text("".join(f"{text.words}\n" for text in texts))
    concord.run(
        lines, relations=RELATIONS, systems=[system], to=["es"], workspace=workspace, config=folder / "none.toml"
    )
    return {
        "kernels": sorted({each["architecture"] for each in threadpool_info() if each["user_api"] == "blas"}),
        "instructions": np.show_config(mode="dicts")["SIMD Extensions"].get("found", []),
        "trees": [repr(tree) for tree in trees],
        "chances": [[[*each[:3], each.probability] for each in tree.chances] for tree in trees],
        "exact": exact(texts),
        "rows": rows(workspace),
    }


def exact(texts: Sequence[Text]) -> list[str]:
    """What the steps that are the same on every processor, taken where a decision is close, make of the sentences."""
    model = concord_en._model(concord_en.SHIPPED)
    with short_buffer():
        read = model._read(model._same, [model._pieces.code(text.words.split()) for text in texts])
    return [hashlib.sha256(each.likely.tobytes()).hexdigest() for each in read]


if __name__ == "__main__":
    place = Path(sys.argv[1])
    (place / "found.json").write_text(json.dumps(everything(place, int(sys.argv[2]), sys.argv[3])))
