"""Whether a system that is made worse scores lower: mgmt, rtt and pivot beside BLEU, on the bundled corpus.

    python reproduce/mgmt_faulty.py [TARGET [SENTENCES [REPETITIONS]]]

Apertium is given faults in 0, 5, 10, 20 and 40 % of what it translates. BLEU compares with what it translates
without them. Scores are shares of satisfied cases in percent; that of mgmt is the mean of its granularities. Exits 1
where a score of mgmt does not fall with every step, or where its correlation with BLEU is below .9.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from statistics import mean

import sacrebleu
from scipy.stats import pearsonr

from concord import api
from concord.corpus import demo

RATES = (0.0, 0.05, 0.1, 0.2, 0.4)
TOLERANCE = 0.15
RELATIONS = ("mgmt", "rtt", "pivot")
TOLERANT = f"mgmt, tolerance_sentence={TOLERANCE}"
Table = dict[str, list[float]]


def main(target: str = "es", sentences: int = 288, repetitions: int = 1) -> int:
    table = measured(target, sentences, repetitions)
    print("| score | " + " | ".join(f"{rate:.0%}" for rate in RATES) + " | falls | r with BLEU |")
    print("|---" * (len(RATES) + 3) + "|")
    for name, scores in table.items():
        r = pearsonr(scores, table["BLEU"]).statistic
        print(f"| {name} | " + " | ".join(f"{score:.1f}" for score in scores) + f" | {falls(scores)} | {r:.3f} |")
    good = falls(table["mgmt"]) and pearsonr(table["mgmt"], table["BLEU"]).statistic >= 0.9
    return 0 if good else 1


def measured(target: str, sentences: int, repetitions: int) -> Table:
    """A score for every rate, by name."""
    table: Table = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.txt")
        corpus.write_text("\n".join(segment.text.words for segment in islice(demo(), sentences)))
        clean: list[str] = []
        for rate in RATES:
            place = Path(folder, f"{rate}.sqlite")
            ran(corpus, rate, target, repetitions, place)
            outputs = translations(place)
            clean = clean or outputs
            table["BLEU"].append(sacrebleu.corpus_bleu(outputs, [clean]).score)
            for name, score in scores_of(place):
                table[name].append(score)
    return table


def ran(corpus: Path, rate: float, target: str, repetitions: int, place: Path) -> None:
    system = f"faulty:apertium,rate={rate:g},seed=1"
    settings = api.Settings(repetitions=repetitions)
    api.run(corpus, relations=RELATIONS, systems=[system], to=[target], workspace=place, settings=settings)


def translations(place: Path) -> list[str]:
    """What each sentence is translated into, in order."""
    found = {row["position"]: row["source_output"]["words"] for row in api.rows(place, [1]) if not row["error"]}
    return [found[position] for position in sorted(found)]


def scores_of(place: Path) -> Iterator[tuple[str, float]]:
    """The shares of a run by relation, those of mgmt also by granularity and with a tolerance for sentences."""
    for run, name in enumerate(RELATIONS, start=1):
        groups: dict[str, list[float]] = defaultdict(list)
        for row in api.rows(place, [run]):
            if not row["error"]:
                groups[row["factors"].get("granularity", "")].append(row["suspicion"] - row["threshold"])
        shares = {each: satisfied(excess) for each, excess in groups.items()}
        yield name, mean(shares.values())
        if name == "mgmt":
            yield from ((f"mgmt: {each}", share) for each, share in shares.items())
            shares["sentence"] = satisfied(groups["sentence"], TOLERANCE)
            yield TOLERANT, mean(shares.values())
            yield f"{TOLERANT}: sentence", shares["sentence"]


def satisfied(excess: Sequence[float], tolerance: float = 0.0) -> float:
    return 100 * mean(each <= tolerance for each in excess)


def falls(scores: Sequence[float]) -> bool:
    return all(before > after for before, after in pairwise(scores))


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main(*words[:1], *map(int, words[1:])))
