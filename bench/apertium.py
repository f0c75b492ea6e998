"""Apertium through Concord against the bare `apertium` pipe, on the same sentences."""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.engine import measured_on
from concord import plugins
from concord.corpus import demo
from concord.model import Text
from concord.runs.memory import StoreMemory
from concord.store import Workspace

ROUNDS = 3


async def one_way(x: Text, translate: Any, *, to: str) -> list[Any]:
    await translate(x, to)
    return []


def sentences(count: int = 3000) -> list[str]:
    """Distinct sentences of natural length: the bundled ones, and pairs of them joined."""
    rng = random.Random(11)
    pool = [segment.text.words for segment in demo()]
    made = dict.fromkeys(pool)
    while len(made) < count:
        a, b = rng.sample(pool, 2)
        made[f"{a.rstrip('.?!')}, and {b[0].lower()}{b[1:]}"] = None
    return list(made)


def bare(texts: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(["apertium", "-u", "eng-spa"], input="\n".join(texts).encode(), stdout=subprocess.PIPE, check=True)
    return time.perf_counter() - began


def through_concord(texts: list[str]) -> float:
    system = plugins.system("apertium")
    with tempfile.TemporaryDirectory() as folder, Workspace(Path(folder) / "w.sqlite") as store:
        return measured_on(system, one_way, texts, StoreMemory(store, system))[0]


def rows() -> list[tuple[str, str, str]]:
    texts = sentences()
    pairs = [(bare(texts), through_concord(texts)) for _ in range(ROUNDS)]
    pipe, ours = (min(side) for side in zip(*pairs, strict=True))
    rate = len(texts) / ours
    return [
        ("en→es through Concord, sentences/s", f"{rate:,.0f}", f"bare pipe: {len(texts) / pipe:,.0f}"),
        (f"throughput / bare pipe (best of {ROUNDS})", f"{pipe / ours:.2f}", "≥ 0.8"),
    ]


if __name__ == "__main__":
    for row in rows():
        print("| " + " | ".join(row) + " |")
