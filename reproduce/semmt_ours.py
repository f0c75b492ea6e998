"""How well Concord's expressions and similarities tell SemMT's bugs from its correct round trips (Cao et al. 2021).

    python reproduce/semmt_ours.py FOLDER|TABLE.csv [OUTPUT.csv]

FOLDER is the data folder, with semmt/labelled_google_en_zh_dev.csv in it: 250 of the 500 round trips en→zh→en that
the authors labelled. Another table of theirs (data/RQ4-Applicability/EN-JP.csv, Bing.csv, KB13.csv of their
repository) can be named itself. Everything is computed from the two English sentences, as the relation does it.
Plural-only differences count as bugs, as in the labels, and then as correct. OUTPUT.csv gets a line for each round
trip, for `concord evaluate`, for example
`concord evaluate OUTPUT.csv --score r_strict --score d_strict --mix r_strict,d_strict` for the effect of K.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from concord.relations.semmt.claims import claim_pair
from concord.relations.semmt.similarity import claim_similarities
from concord.stats.detection import Booleans, Score, auc, curve
from concord.stats.detection_held_out import folds, held_out
from concord.stats.detection_intervals import auc_interval

FILE = Path("semmt", "labelled_google_en_zh_dev.csv")
PUBLISHED = {"r": "REG", "d": "DFA", "h": "HYB", "levenshtein": "LEVEN", "bleu": "BLEU", "sbert": "SBERT", "dep": "DEP"}
SEED, FOLDS, RESAMPLES = 20211, 5, 2000

Rows = Sequence[Mapping[str, str]]


def main(folder: Path, output: Path | None) -> int:
    file = folder if folder.suffix == ".csv" else folder / FILE
    if not file.is_file():
        print(f"{file} is missing")
        return 1
    with file.open(encoding="utf-8-sig") as lines:
        rows = list(csv.DictReader(lines))
    bug = np.array([row["Translation_Label_Consistent"] == "bug" for row in rows])
    plural = np.array([row["Buggy_Trip_Plural_Consistent"] == "p" for row in rows])
    published = {name: [float(row[column]) for row in rows] for name, column in PUBLISHED.items()}
    strict, ignore = (ours(rows, plural=how) for how in ("strict", "ignore"))
    paper = ours(rows, plural="strict", measure="paper")
    for title, truth, sides in (
        ("plural-only differences are bugs, as labelled", bug, {"ours, strict": strict, "d as the paper": paper}),
        ("plural-only differences are correct", bug & ~plural, {"ours, ignore": ignore}),
    ):
        print(f"\n{title}: {truth.sum()} bugs of {len(truth)}")
        print("| similarity | mean F | best F | best accuracy | area (95 %) | held out: F, accuracy, thresholds |")
        print("|---|---|---|---|---|---|")
        for side, scores in {"published": published, **sides}.items():
            for name, values in scores.items():
                print(line(f"{side}: {name}", values, truth))
    if output is not None:
        write(output, rows, {"strict": strict, "ignore": ignore})
    return 0


def ours(rows: Rows, *, plural: str, measure: str = "geometric") -> dict[str, list[float]]:
    """The three similarities of every round trip, and how fast they come (faster where others were like them)."""
    begun = time.process_time()
    pairs = [claim_pair(row["Source_Sentence"], row["Translated_Sentence"], plural=plural) for row in rows]  # type: ignore[arg-type]
    read = time.process_time()
    found = [claim_similarities(pair, measure=measure) for pair in pairs]  # type: ignore[arg-type]
    ended = time.process_time()
    ways = ", ".join(f"{count} as {way}" for way, count in Counter(pair.read_as for pair in pairs).items())
    speed = f"{2 * len(rows) / (read - begun):,.0f} sentences/s, {len(rows) / (ended - read):,.0f} similarities/s"
    print(f"plural={plural}, measure={measure}: read {ways}; {speed}")
    return {name: [getattr(each, name) for each in found] for name in ("r", "d", "h")}


def line(name: str, values: Sequence[float], bug: Booleans) -> str:
    score = Score(name, np.array(values))
    found = curve(score, bug).counts
    low, high = auc_interval(score, bug, RESAMPLES, SEED)
    out = held_out(score, bug, folds(bug, FOLDS, SEED))
    apart = "–" if out is None else f"{out.f:.2f}, {out.accuracy:.2f}, {min(out.thresholds):g}–{max(out.thresholds):g}"
    figures = (found.f.mean(), found.f.max(), found.accuracy.max())
    return (
        f"| {name} | "
        + " | ".join(f"{each:.3f}" for each in figures)
        + f" | {auc(score, bug):.3f} ({low:.3f}–{high:.3f}) | {apart} |"
    )


def write(output: Path, rows: Rows, sides: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
    with output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["number", "label", "plural", *(f"{name}_{side}" for side in sides for name in sides[side])])
        for at, row in enumerate(rows):
            label, plural = row["Translation_Label_Consistent"], row["Buggy_Trip_Plural_Consistent"] == "p"
            values = [scores[name][at] for scores in sides.values() for name in scores]
            writer.writerow([row["No."], label, plural, *values])
    print(f"\nwritten: {output}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None))
