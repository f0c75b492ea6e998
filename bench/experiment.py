"""The 2018 design at full size: what is sent, how fast 33,600 pairs are scored and analysed."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.metrics import _nltk, _pair, _table, _vectors
from concord import api
from concord.metrics import similarity
from concord.model import System, Text
from concord.translators.table import Translator

SENTENCES = 1_000
REPLICATIONS = 200
TARGETS = ("zh", "ja", "ko", "fr", "ru", "pt", "es", "sv")
PATHS = [(pivot, target) for target in TARGETS for pivot in TARGETS if pivot != target]
NAIVE = 3 * 3 * len(PATHS) * REPLICATIONS
METRICS = ("levenshtein", "bleu:tokens=language", "cosine:tokens=language")
SAMPLE = 20


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    with tempfile.TemporaryDirectory() as folder:
        return [_sent(Path(folder)), _scored(), *_analysed(Path(folder))]


def _sent(folder: Path) -> tuple[str, str, str]:
    rng = random.Random(1)
    sentences = list(dict.fromkeys(_pair(rng, 20)[0].words for _ in range(SENTENCES)))
    (folder / "sentences.txt").write_text("\n".join(sentences) + "\n")
    (folder / "design.toml").write_text(
        f'corpus = "sentences.txt"\nsystems = ["table:a", "table:b", "table:c"]\ntargets = {list(TARGETS)!r}\n'
        f"replications = {REPLICATIONS}\n"
    )
    systems: list[System] = [_system(name, sentences) for name in "abc"]
    start = time.perf_counter()
    done, _ = api.run_experiment(folder / "design.toml", workspace=folder / "w.sqlite", systems=systems)
    seconds = time.perf_counter() - start
    sent, made = sum(each.run.sent for each in done), sum(each.cases for each in done)
    what = f"{made:,} observations of the 2018 design, table translator"
    return what, f"{sent:,} sent in {seconds:.0f} s", f"{sent / NAIVE:.1%} of the naive {NAIVE:,}; aim ≤ 55%"


def _system(name: str, sentences: list[str]) -> Translator:
    """Knows every text of the design: each language is English behind the language's name."""
    table = {}
    for text in sentences:
        for target in TARGETS:
            table[text, "en", target] = f"{target} {text}"
        for pivot, target in PATHS:
            table[f"{pivot} {text}", pivot, target] = f"{target} {text}"
    made = Translator(rows=table)
    made.made_up = True
    made.id = f"table:{name}"
    return made


def _scored() -> tuple[str, str, str]:
    rng = random.Random(2)
    pairs = [_pair(rng, 22) for _ in range(33_600)]
    ours = other = 0.0
    for start in range(0, len(pairs), 840):
        batch = pairs[start : start + 840]
        ours += _time_ours(batch)
        other += SAMPLE * _time_other(batch[::SAMPLE])
    compared = f"{other / ours:.0f} × NLTK and pure Python (every {SAMPLE}th pair); aim ≥ 20 ×"
    return "33,600 pairs, three metrics", f"{len(pairs) / ours:,.0f} pairs/s", compared


def _time_ours(pairs: list[tuple[Text, Text]]) -> float:
    start = time.perf_counter()
    for a, b in pairs:
        for metric in METRICS:
            similarity(metric, a, b)
    return time.perf_counter() - start


def _time_other(pairs: list[tuple[Text, Text]]) -> float:
    start = time.perf_counter()
    for a, b in pairs:
        _table(a, b)
        _nltk(a, b)
        _vectors(a, b)
    return time.perf_counter() - start


def _analysed(folder: Path) -> list[tuple[str, str, str]]:
    """Each table in a process of its own, so that its memory is its own."""
    found = []
    for replications in (200, 3_000, 30_000):
        count, seconds, megabytes = _measured(folder, replications)
        found.append((count, seconds, megabytes))
    (small, fast, light), *larger = found
    aim = f"{light:.0f} MB; aim ≤ 2 s and ≤ 400 MB, with start and reading"
    first = (f"{small:,} observations in 168 cells analysed", f"{fast:.2f} s", aim)
    rest = [
        (f"{count:,} observations", f"{seconds:.1f} s, {megabytes:.0f} MB", f"{1e6 * seconds / count:.1f} s a million")
        for count, seconds, megabytes in larger
    ]
    return [first, *rest]


def _measured(folder: Path, replications: int) -> tuple[int, float, float]:
    table = folder / f"{replications}.csv"
    rng = random.Random(3)
    with table.open("w") as lines:
        lines.write("system,path,score\n")
        for system in "abc":
            for pivot, target in PATHS:
                lines.writelines(f"{system},{pivot}→{target},{rng.random():.6f}\n" for _ in range(replications))
    start = time.perf_counter()
    peak = subprocess.run(
        [sys.executable, "-c", ANALYSIS, str(table)], capture_output=True, text=True, check=True
    ).stdout
    seconds = time.perf_counter() - start
    table.unlink()
    return 3 * len(PATHS) * replications, seconds, int(peak) / 1024


ANALYSIS = """
import sys
from concord.stats.analysis import analyse
analyse(sys.argv[1], "score", ["system", "path"]).json()
# Not getrusage, whose peak a child inherits from the process that started it.
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
