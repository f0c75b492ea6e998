"""TransRepair's four similarities on the pairs from which its authors learned their thresholds.

    python reproduce/transrepair_2020.py FOLDER

FOLDER is the data folder, with transrepair/threshold_learning_data_gt.jsonl in it: pairs of translations, cut into
words, with the published similarities and whether there is a bug. Prints how well our similarities agree with those,
and how well both tell bugs at the paper's thresholds and at the best ones. The corpus by which the authors weighed
words for tf-idf is not published; with pairs/labelled_google.csv there as well, its Chinese texts stand in for it.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from concord.language.tokens import split
from concord.metrics import tfidf
from concord.model import Text
from concord.relations.transrepair import LEAST
from concord.relations.transrepair.set_aside import Measure, compared, measure

Row = dict[str, Any]
CLOSE = 1e-3


def main(folder: Path) -> int:
    file = folder / "transrepair" / "threshold_learning_data_gt.jsonl"
    if not file.is_file():
        print(f"{file} is missing")
        return 1
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    bugs = [row["bug"] for row in rows]
    print(f"{len(rows)} pairs, {sum(bugs)} with a bug. Flagged is what is less similar than the threshold.\n")
    agreement, worth = [], []
    for name, published, ours in measured(rows, folder / "pairs" / "labelled_google.csv"):
        agreement.append((name, *agreed(published, ours)))
        least = LEAST[name.split()[0]]  # type: ignore[index]
        for whose, values in (("published", published), ("ours", ours)):
            worth.append((name, whose, f"{least:.3f}", *worthy(values, bugs, least)))
            best = best_threshold(values, bugs)
            worth.append((name, whose, f"{best:.3f} (best)", *worthy(values, bugs, best)))
    table(("similarity", f"equal within {CLOSE:g}", "mean difference", "greatest"), agreement)
    print()
    table(("similarity", "whose", "threshold", "flagged", "precision", "recall", "F"), worth)
    return 0


def measured(rows: Sequence[Row], pairs: Path) -> list[tuple[str, list[float], list[float]]]:
    """The name of each similarity, its published values and ours."""
    ways: list[tuple[str, Measure]] = [(name, measure(name)) for name in ("lcs", "ed", "bleu")]
    ways.append(("tfidf (words weigh the same)", measure("tfidf")))
    if pairs.is_file():
        weight = tfidf.fitted(chinese(pairs))
        ways.append(("tfidf (another corpus)", lambda a, b: tfidf.of_words(a, b, weight)))
    return [(name, [row[name.split()[0]] for row in rows], [alike(row, by) for row in rows]) for name, by in ways]


def alike(row: Row, by: Measure) -> float:
    return compared(row["translation"].split(), row["mutant_translation"].split(), by).similarity


def chinese(pairs: Path) -> list[list[str]]:
    """The distinct Chinese texts of labelled pairs, cut into words."""
    found: dict[str, None] = {}
    with pairs.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            side = "_translation" if row["target_lang"] == "zh" else ""
            found |= dict.fromkeys([row[f"source{side}"], row[f"follow_up{side}"]])
    return [split(Text(words, "zh")) for words in found]


def agreed(published: Sequence[float], ours: Sequence[float]) -> tuple[str, str, str]:
    apart = [abs(one - other) for one, other in zip(published, ours, strict=True)]
    near = sum(each <= CLOSE for each in apart)
    return f"{near} of {len(apart)}", f"{sum(apart) / len(apart):.5f}", f"{max(apart):.4f}"


def worthy(values: Sequence[float], bugs: Sequence[bool], least: float) -> tuple[str, str, str, str]:
    flagged, right = counted(values, bugs, least)
    shares = (right / max(1, flagged), right / sum(bugs), f_score(values, bugs, least))
    return str(flagged), *(f"{share:.3f}" for share in shares)  # type: ignore[return-value]


def f_score(values: Sequence[float], bugs: Sequence[bool], least: float) -> float:
    flagged, right = counted(values, bugs, least)
    return 2 * right / (flagged + sum(bugs))


def counted(values: Sequence[float], bugs: Sequence[bool], least: float) -> tuple[int, int]:
    """How many are flagged, and how many of these have a bug."""
    flags = [value < least for value in values]
    return sum(flags), sum(flag and bug for flag, bug in zip(flags, bugs, strict=True))


def best_threshold(values: Sequence[float], bugs: Sequence[bool]) -> float:
    """The threshold with the highest F among thousandths; of several, the lowest."""
    return max((step / 1000 for step in range(1, 1001)), key=lambda least: f_score(values, bugs, least))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python reproduce/transrepair_2020.py FOLDER")
    sys.exit(main(Path(sys.argv[1])))
