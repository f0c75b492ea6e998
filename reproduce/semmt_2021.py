"""The published scores of SemMT (Cao et al. 2021) against the table of measures that the paper made of them.

    python reproduce/semmt_2021.py FOLDER

FOLDER is the data folder, with semmt/labelled_google_en_zh_dev.csv in it. Table 2 of the paper is of 500 labelled
translations. Of all 500 every figure must agree to its two decimals; of a part of them, the means over thresholds
can only agree as far as chance allows: nine in ten must lie in the 95 % interval of the part. Exits 1 if not.
Also prints how many bugs each score finds, and the combinations, beside what figure 8 comes to, for both readings
of how thresholds were chosen: the paper says true positives × false negatives, we read true negatives.
"""

from __future__ import annotations

import sys
from pathlib import Path

from concord import api
from concord.analyses.detection.evaluation import Evaluation
from concord.analyses.detection.options import EvaluationTerms
from concord.stats.detection import MEASURES

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


def main(folder: Path) -> int:
    file = folder / "semmt" / "labelled_google_en_zh_dev.csv"
    if not file.is_file():
        print(f"{file} is missing")
        return 1
    terms = EvaluationTerms("Translation_Label_Consistent", tuple(PUBLISHED), normalise=True, mix="REG,DFA")
    found = api.evaluate(file, terms)
    print(f"{found.rows} rows, {found.bugs} bugs; the paper has {ROWS} rows")
    same, inside = agreement(found)
    combinations(found)
    if found.rows == ROWS:
        return 0 if same == 2 * len(MEASURES) * len(PUBLISHED) else 1
    return 0 if inside >= ENOUGH * len(MEASURES) * len(PUBLISHED) else 1


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
