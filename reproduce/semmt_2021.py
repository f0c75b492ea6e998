"""The published scores of SemMT (Cao et al. 2021) against the table of measures that the paper made of them.

    python reproduce/semmt_2021.py FOLDER

FOLDER is the data folder, with semmt/labelled_google_en_zh.csv in it or the half of it that is
semmt/labelled_google_en_zh_dev.csv. Table 2 of the paper is of 500 labelled translations. Of all 500 every figure must
agree to its two decimals; of a part of them, the means over thresholds can only agree as far as chance allows: nine in
ten must lie in the 95 % interval of the part. Exits 1 if not.
Also prints how many bugs each score finds, and the combinations, beside what figure 8 comes to, for both readings
of how thresholds were chosen: the paper says true positives × false negatives, we read true negatives. And table 4: how
many bugs of each kind each score finds. The paper's kinds have no plural; those bugs count as its quantity.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from concord import api
from concord.analyses.detection.evaluation import Evaluation
from concord.analyses.detection.options import EvaluationTerms
from concord.stats.detection import MEASURES
from concord.stats.wilson import wilson

ROWS = 500
ENOUGH = 0.9
# Mean and best accuracy, precision, recall and F (table 2).
PUBLISHED = {
    "LEVEN": ((0.52, 0.56), (0.53, 0.75), (0.42, 1.00), (0.40, 0.70)),
    "DEP": ((0.47, 0.55), (0.41, 0.54), (0.34, 1.00), (0.31, 0.70)),
    "SBERT": ((0.47, 0.56), (0.34, 0.55), (0.22, 1.00), (0.23, 0.70)),
    "BLEU": ((0.48, 0.53), (0.47, 0.72), (0.40, 1.00), (0.37, 0.69)),
    "REG": ((0.54, 0.60), (0.67, 1.00), (0.42, 1.00), (0.41, 0.70)),
    "DFA": ((0.56, 0.59), (0.56, 0.59), (0.71, 1.00), (0.63, 0.69)),
    "HYB": ((0.55, 0.58), (0.61, 1.00), (0.57, 1.00), (0.52, 0.70)),
}
# Bugs found at the thresholds of the combinations: DFA's 213 (section 4.4) and what figure 8 adds or takes.
FOUND = {"LEVEN": 120, "DEP": 161, "SBERT": 173, "BLEU": 162, "REG": 144, "DFA": 213, "HYB": 126}
ALL_FOUND = 246
# Bugs by kind, all and those found by each score (table 4), under the names that the labels have.
KINDS = {
    "under-translation": (35, 27, 30, 28, 32, 24, 28, 20),
    "over-translation": (6, 5, 5, 1, 5, 4, 5, 4),
    "affiliation": (32, 13, 13, 10, 13, 21, 31, 21),
    "order": (19, 14, 12, 11, 15, 17, 19, 13),
    "semantic": (9, 9, 9, 9, 9, 9, 9, 9),
    "modification": (8, 4, 6, 7, 6, 6, 7, 5),
    "quantifier": (175, 61, 101, 114, 108, 73, 129, 60),
}
LABEL, KIND, PLURAL = "Translation_Label_Consistent", "Bug_Type_Consistent", "Buggy_Trip_Plural_Consistent"


def main(folder: Path) -> int:
    if not file_of(folder).is_file():
        print(f"{file_of(folder)} is missing")
        return 1
    found = evaluation(folder)
    print(f"{found.rows} rows, {found.bugs} bugs; the paper has {ROWS} rows")
    same, inside = agreement(found)
    combinations(found)
    kinds(found)
    if found.rows == ROWS:
        return 0 if same == 2 * len(MEASURES) * len(PUBLISHED) else 1
    return 0 if inside >= ENOUGH * len(MEASURES) * len(PUBLISHED) else 1


def file_of(folder: Path) -> Path:
    """All labelled round trips, or the half of them that is the development file."""
    whole, half = (folder / "semmt" / f"labelled_google_en_zh{part}.csv" for part in ("", "_dev"))
    return whole if whole.is_file() else half


def evaluation(folder: Path) -> Evaluation:
    terms = EvaluationTerms(LABEL, tuple(PUBLISHED), normalise=True, mix="REG,DFA", kinds=KIND)
    return evaluated(file_of(folder), terms)


def evaluated(file: Path, terms: EvaluationTerms) -> Evaluation:
    """The evaluation of a table in which plural-only bugs have a kind."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        row[KIND] = row[KIND] or ("quantifier" if row[PLURAL] == "p" else "")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, file.name)
        with table.open("w", encoding="utf-8", newline="") as output:
            writer = csv.DictWriter(output, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return api.evaluate(table, terms)


def kinds(found: Evaluation) -> None:
    """Table 4; a share agrees if the paper's lies in the 95 % interval of ours."""
    cells = list(compared_kinds(found))
    for row, own in groupby(cells, lambda cell: cell[0]):
        texts = [f"{score} {row.found[score]} ({published})" for _, score, published, _ in own]
        print(f"{row.kind}: {row.bugs} bugs (paper {KINDS[row.kind][0]}); found (paper):", ", ".join(texts))
    agree = sum(agrees for *_, agrees in cells)
    print(f"table 4: {agree} of {len(cells)} published shares lie in our 95 % intervals")


def compared_kinds(found: Evaluation) -> Iterator[tuple[Any, str, int, bool]]:
    """The cells of table 4: the kind, the score, the published count, and whether its share agrees with ours."""
    for row in found.kinds:
        every, *each = KINDS.get(row.kind, (0,))
        for (score, count), published in zip(row.found.items() if each else (), each, strict=True):
            low, high = wilson(count, row.bugs) or (0.0, 1.0)
            yield row, score, published, low <= published / every <= high


def agreement(found: Evaluation) -> tuple[int, int]:
    """How many figures agree to two decimals, and how many published means lie in the intervals of ours."""
    same = inside = 0
    for metric in found.metrics:
        cells = []
        for measure, (mean, best) in zip(MEASURES, PUBLISHED[metric.score.name], strict=True):
            ours = round(metric.mean(measure), 2), round(metric.best(measure), 2)
            same += (ours[0] == mean) + (ours[1] == best)
            low, high = metric.intervals[measure]["mean"]
            within = low - 0.005 <= mean <= high + 0.005
            inside += within
            mark = " " if within else "!"
            cells.append(f"{measure} {ours[0]:.2f}/{ours[1]:.2f} (paper {mean:.2f}/{best:.2f}){mark}")
        print(f"{metric.score.name:6}", "  ".join(cells))
    every = len(MEASURES) * len(PUBLISHED)
    print(f"{same} of {2 * every} figures agree to two decimals; {inside} of {every} means lie in our 95 % intervals")
    return same, inside


def combinations(found: Evaluation) -> None:
    share = found.rows / ROWS
    off = {"true negatives": 0.0, "false negatives": 0.0}
    for each, metric in zip(found.alone, found.metrics, strict=True):
        wanted = FOUND[each.name] * share
        literal = max(metric.points(), key=lambda point: point["bugs"] * (metric.bugs - point["bugs"]))["bugs"]
        off["true negatives"] += abs(each.bugs - wanted)
        off["false negatives"] += abs(literal - wanted)
        print(f"{each.name:6} finds {each.bugs} bugs, {literal} in the other reading (the paper's share: {wanted:.1f})")
    print("thresholds by true positives × …, bugs off in sum:", ", ".join(f"{k} {v:.1f}" for k, v in off.items()))
    if found.together is not None:
        print(f"all    find  {found.together.bugs} bugs (the paper's share: {ALL_FOUND * share:.0f})")
    most = max(found.gains, key=lambda each: each.more_bugs)
    paid = max(found.gains, key=lambda each: each.at_equal_flagged)
    print(f"largest gain: {most.first} with {most.second}, {most.more_bugs} more bugs (paper: LEVEN with DFA)")
    print(
        f"largest gain at an equal number of flags: {paid.first} with {paid.second}, {paid.at_equal_flagged:.1f} more"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python reproduce/semmt_2021.py FOLDER")
    sys.exit(main(Path(sys.argv[1])))
