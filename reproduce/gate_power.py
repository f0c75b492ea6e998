"""How large a damage `concord gate --no-worse-than` finds: by one relation, by a set with Holm, by one test of the set.

    python reproduce/gate_power.py DATA [--system apertium] [--to es] [--relations sane,literals,sit,cat,rti]
                                   [--sentences 6000] [--draws 1000] [--folder FOLDER]

DATA is the data folder, with treebank/unlabelled_tokenised.txt.gz in it. The relations run three times on its
sentences: on the system as it is, and twice with a fault in every translation (`faulty`, rate 1, two seeds), for which
the system is asked only once. After that nothing is translated: a draw takes n different sentences, gives some of them
the verdicts of a damaged run, and asks each test whether the later system is worse. A folder keeps the workspaces and
the verdicts: the same command again continues the runs, or does not run anything.

Prints the smallest share of damaged sentences that is found in 80 % of the draws, and how often systems fail that are
equal. With noise, that share of the sentences is damaged before and, independently, after: both systems make mistakes,
each in other sentences.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from concord import api, plugins
from concord.analyses.calibration.cached_system import CachedSystem
from concord.model import System
from concord.store import Workspace
from concord.translators.faulty import Translator as Faulty

FILE = Path("treebank", "unlabelled_tokenised.txt.gz")
SIZES = (100, 300, 1000, 3000)
NOISE = (0.0, 0.1, 0.3)
NOISE_OF_EQUALS = (0.0, 0.02, 0.1, 0.3)
SEEDS = (None, 1, 2)
"""The system as it is, and with faults of two seeds."""
ALPHA, POWER = 0.05, 0.8
WORDS = range(5, 41)
NOT_JUDGED = -1
TOGETHER = ("Holm", "any relation", "number of relations", "sum of differences")
Flags = NDArray[np.int8]
Counts = NDArray[np.int64]


def main(words: Sequence[str]) -> int:
    chosen = arguments(words)
    file = chosen.data / FILE
    if not file.is_file():
        print(f"{file} is missing")
        return 1
    relations = chosen.relations.split(",")
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(
            sentences(file, chosen.sentences), relations, chosen.system, chosen.to, chosen.folder or Path(folder)
        )
        clean, first, second = (runs.flags(seed) for seed in SEEDS)
    print_flags(relations, clean, second)
    pool = Pool(clean, first, second)
    sizes = [size for size in SIZES if size <= len(clean)]
    for noise in NOISE:
        print_power(relations, pool, sizes, noise, chosen.draws)
    print_equal(relations, pool, sizes, chosen.draws)
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--system", default="apertium")
    parser.add_argument("--to", default="es")
    parser.add_argument("--relations", default="sane,literals,sit,cat,rti")
    parser.add_argument("--sentences", type=int, default=6000)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    return parser.parse_args(words)


# -- sentences -----------------------------------------------------------------------------------


def sentences(file: Path, count: int) -> list[str]:
    """Different sentences of the file as they are written, neither very short nor very long."""
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    written = (detokenised(line) for line in lines if len(line.split()) in WORDS)
    return list(dict.fromkeys(written))[:count]


def detokenised(line: str) -> str:
    """A line of tokens as it is written.

    >>> detokenised("He did n't say : `` No ( not now ) , it 's $ 5 . ''")
    'He didn\\'t say: "No (not now), it\\'s $5."'
    """
    line = re.sub(r"(?:``|“) ?", '"', line)
    line = re.sub(r" ?(?:''|”)", '"', line)
    line = re.sub(r'" ([^"]*) "', r'"\1"', line)
    line = re.sub(r" (n['’]t)\b", r"\1", line)
    line = re.sub(r" (?=['’] ?(?:s|re|ve|ll|d|m)?\b)", "", line)
    line = re.sub(r"(?<=['’]) (?=(?:s|t|re|ve|ll|d|m)\b)", "", line)
    line = re.sub(r" (?=[.,;:?!%)\]](?:\W|$))", "", line)
    return re.sub(r"(?<=[(\[$]) ", "", line)


# -- runs ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Runs:
    """The relations on a system, as it is or with a fault in every translation."""

    texts: Sequence[str]
    relations: Sequence[str]
    system: str
    to: str
    folder: Path

    def flags(self, seed: int | None) -> Flags:
        """By sentence and relation: flagged (1), not flagged (0) or not judged (-1)."""
        file = self.folder / f"{self._key(seed)}.npy"
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            np.save(file, self._run(seed))
        flags: Flags = np.load(file)
        return flags

    def _key(self, seed: int | None) -> str:
        """A file name by all that the verdicts depend on."""
        asked = "\n".join([self.system, self.to, str(seed), *self.relations, *self.texts])
        return hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()

    def _run(self, seed: int | None) -> Flags:
        corpus, place = self.folder / "corpus.txt", self.folder / "concord.sqlite"
        corpus.write_text("\n".join(self.texts), encoding="utf-8")
        made = api.run(corpus, relations=self.relations, systems=[self._made(seed)], to=[self.to], workspace=place)
        flags = np.full((len(self.texts), len(made)), NOT_JUDGED, dtype=np.int8)
        for column, summary in enumerate(made):
            for row in api.rows(place, [summary.run.id]):
                if not row["error"]:
                    flags[row["position"], column] = max(flags[row["position"], column], row["flagged"])
        return flags

    def _made(self, seed: int | None) -> System:
        inner = CachedSystem(plugins.system(self.system), Workspace(self.folder / "answers.sqlite"))
        return inner if seed is None else Faulty(inner=inner, rate=1.0, seed=seed)


# -- simulation ----------------------------------------------------------------------------------


class Pool:
    """The sentences to draw from, and how the verdict on each changes.

    `signs` has the change by which of the two damaged runs stands for the earlier system, by whether the sentence is
    damaged before and after, by sentence and by column: 1 is worse, -1 better. There is a column for each relation, one
    for "any relation flags it", one for the number of relations that flag it, and one for the sum of differences.
    """

    def __init__(self, clean: Flags, first: Flags, second: Flags) -> None:
        self.relations = clean.shape[1]
        self.signs = np.array(
            [
                [[signs(was, now) for now in (clean, after)] for was in (clean, before)]
                for before, after in ((first, second), (second, first))
            ]
        )

    def draw(self, rng: np.random.Generator, size: int, damaged: int, noise: float) -> tuple[Counts, Counts, float]:
        """How many sentences are worse and how many are better, by each column, and p of the permutation test."""
        was, now = rng.random((2, size)) < noise
        now[:damaged] = True
        # Only a sentence that is damaged somewhere can change.
        was, now = (side[was | now].astype(int) for side in (was, now))
        chosen = rng.choice(self.signs.shape[3], len(was), replace=False)
        # Neither damaged run is always the earlier one, so that systems with equal noise are equal.
        order = rng.integers(2, size=len(was))
        drawn = self.signs[order, was, now, chosen]
        p = permutation_test(drawn[:, -1]) if drawn[:, -1].sum() > 0 else 1.0
        return (drawn > 0).sum(axis=0), (drawn < 0).sum(axis=0), p

    def failing(self, size: int, damaged: int, noise: float, draws: int, seed: int = 0) -> NDArray[np.float64]:
        """The share of the draws in which the later system fails: by each relation, by Holm, by the joint tests."""
        rng = np.random.default_rng([seed, size])
        drawn = [self.draw(rng, size, damaged, noise) for _ in range(draws)]
        worse, better, p_of_sums = (np.array(counts) for counts in zip(*drawn, strict=True))
        more, p = worse > better, sign_tests(worse, better)
        more[:, -1], p[:, -1] = True, p_of_sums
        own = slice(self.relations)
        by_holm = ((holm(p[:, own]) < ALPHA) & more[:, own]).any(axis=1)
        fails = np.insert((p < ALPHA) & more, self.relations, by_holm, axis=1)
        return np.asarray(fails.mean(axis=0))


def signs(was: Flags, now: Flags) -> Flags:
    """The change of each sentence in each column, over the relations that judged it on both sides."""
    both = (was != NOT_JUDGED) & (now != NOT_JUDGED)
    change = np.where(both, now - was, 0)
    any_change = (both & (now == 1)).any(axis=1).astype(int) - (both & (was == 1)).any(axis=1)
    total = change.sum(axis=1)
    return np.column_stack((change, any_change, np.sign(total), total)).astype(np.int8)


def sign_tests(worse: Counts, better: Counts) -> NDArray[np.float64]:
    """The two-sided exact sign test of every pair of counts."""
    return np.asarray(np.minimum(1.0, 2 * binom.cdf(np.minimum(worse, better), worse + better, 0.5)))


def permutation_test(differences: Flags) -> float:
    """The two-sided exact test of a sum of differences, each of which could as well have the other sign.

    >>> round(permutation_test(np.array([1, 2, -1], dtype=np.int8)), 9)
    0.75
    """
    sizes, observed = np.bincount(np.abs(differences)), abs(int(differences.sum()))
    chances = np.ones(1)
    for size, count in enumerate(sizes.tolist()):
        signs_drawn = np.zeros(2 * size * count + 1)
        signs_drawn[:: max(1, 2 * size)] = binom.pmf(np.arange(count + 1), count, 0.5) if size else 1.0
        chances = np.convolve(chances, signs_drawn)
    middle = len(chances) // 2
    return float(min(1.0, chances[: middle - observed + 1].sum() + chances[middle + observed :].sum()))


def holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-values of each row, adjusted by Holm's method."""
    order = np.argsort(p, axis=1)
    factors = np.arange(p.shape[1], 0, -1)
    ascending = np.maximum.accumulate(np.take_along_axis(p, order, axis=1) * factors, axis=1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(1.0, ascending), axis=1)
    return adjusted


def least_shares(pool: Pool, size: int, noise: float, draws: int) -> Iterator[float | None]:
    """For each column, the smallest share of damaged sentences that fails in enough of the draws."""
    known: dict[int, NDArray[np.float64]] = {}

    def power(damaged: int, column: int) -> float:
        if damaged not in known:
            known[damaged] = pool.failing(size, damaged, noise, draws)
        return float(known[damaged][column])

    for column in range(pool.relations + len(TOGETHER)):
        low, high = 0, size
        if power(size, column) < POWER:
            yield None
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if power(middle, column) >= POWER else (middle, high)
        yield high / size


# -- tables --------------------------------------------------------------------------------------


def print_flags(relations: Sequence[str], clean: Flags, damaged: Flags) -> None:
    print(f"{len(clean):,} sentences\n")
    print("| | " + " | ".join(relations) + " | any |\n" + "|---" * (len(relations) + 2) + "|")
    judged = [*(clean != NOT_JUDGED).T, (clean != NOT_JUDGED).any(axis=1)]
    print("| judged | " + " | ".join(f"{each.mean():.1%}" for each in judged) + " |")
    for name, flags in (("flagged, as it is", clean), ("flagged, damaged", damaged)):
        flagged = [*(flags == 1).T, (flags == 1).any(axis=1)]
        cells = (f"{each[mask].mean():.1%}" for each, mask in zip(flagged, judged, strict=True))
        print(f"| {name} | " + " | ".join(cells) + " |")


def print_power(relations: Sequence[str], pool: Pool, sizes: Sequence[int], noise: float, draws: int) -> None:
    print(f"\nThe smallest share found with {POWER:.0%} power, noise {noise:.0%}\n")
    print("| sentences | " + " | ".join([*relations, *TOGETHER]) + " |")
    print("|---" * (len(relations) + len(TOGETHER) + 1) + "|")
    for size in sizes:
        cells = ("–" if share is None else f"{share:.1%}" for share in least_shares(pool, size, noise, draws))
        print(f"| {size:,} | " + " | ".join(cells) + " |", flush=True)


def print_equal(relations: Sequence[str], pool: Pool, sizes: Sequence[int], draws: int) -> None:
    print("\nHow often equal systems fail\n")
    print("| sentences | noise | " + " | ".join([*relations, *TOGETHER]) + " |")
    print("|---" * (len(relations) + len(TOGETHER) + 2) + "|")
    for size in sizes:
        for noise in NOISE_OF_EQUALS:
            cells = " | ".join(f"{share:.1%}" for share in pool.failing(size, 0, noise, 5 * draws, seed=1))
            print(f"| {size:,} | {noise:.0%} | {cells} |", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
