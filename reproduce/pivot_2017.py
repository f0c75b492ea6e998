"""The 2017 pivot data against Concord: the published scores anew, and the figures of R for their analysis.

    python reproduce/pivot_2017.py FOLDER

FOLDER is the data folder, with pivot/uow_2017_observations.csv and pivot/uow_2017_reference_R.json in it.
Exits 1 when a figure does not agree.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from concord.metrics import similarity
from concord.model import Text
from concord.stats.analysis import analyse

METRICS = {"levenshtein": "levenshtein:over=sum", "bleu": "bleu:variant=paper", "cosine": "cosine:tokens=paper"}
NEEDED = 0.999
RELATIVE, ABSOLUTE_P = 1e-6, 1e-4

Check = tuple[str, Any, Any, bool]
Row = dict[str, Any]


def main(folder: Path) -> int:
    place = folder / "pivot"
    observations, reference = place / "uow_2017_observations.csv", place / "uow_2017_reference_R.json"
    for file in (observations, reference):
        if not file.is_file():
            print(f"{file} is missing")
            return 1
    with observations.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    failed = [name for name, metric in METRICS.items() if not scores_agree(rows, name, metric)]
    checks = list(compared(rows, json.loads(reference.read_text())))
    wrong = [check for check in checks if not check[3]]
    print(f"R: {len(checks) - len(wrong):,} of {len(checks):,} figures agree")
    for name, ours, theirs, _ in wrong[:20]:
        print(f"  {name}: {ours} here, {theirs} in R")
    return 1 if failed or wrong else 0


def scores_agree(rows: list[Row], name: str, metric: str) -> bool:
    same = sum(has_score(row, name, metric) for row in rows)
    print(f"{name}: {same:,} of {len(rows):,} rows ({same / len(rows):.2%}) have the published value")
    return same / len(rows) >= NEEDED


def has_score(row: Row, name: str, metric: str) -> bool:
    """Whether we compute the published score of an observation."""
    texts = (Text(row[side], row["target_lang"]) for side in ("direct", "via_pivot"))
    return abs(similarity(metric, *texts) - float(row[name])) < 1e-9


def compared(rows: list[Row], r: Row) -> Iterator[Check]:
    table = [
        {"a": row["system"], "b": row["target_lang"], "score": sum(float(row[name]) for name in METRICS) / 3}
        for row in rows
    ]
    ours = analyse(table, "score", ["a", "b"]).json()
    for name in ("n", "residual_df", "sigma2"):
        yield near(name, ours[name], r[name])
    yield from variations("type 1", ours["anova"]["1"], r["anova_type_1"], "Sum Sq")
    yield from variations("type 3", ours["anova"]["3"], r["anova_type_3"][1:], "Sum of Sq")
    for name, other in ("ab", "ba"):
        yield from means(name, ours["means"][name], r[f"means_{name}"], r[f"letters_{name}"])
        yield from pairs(name, ours["pairs"][name], r[f"pairs_{name}"])
        for level, found in ours["within"][f"{name}|{other}"].items():
            there = {kind: [row for row in r[f"{kind}_{name}_by_{other}"] if row[other] == level] for kind in KINDS}
            yield from means(f"{name}|{level}", found["means"], there["means"], there["letters"], key=name)
            yield from pairs(f"{name}|{level}", found["pairs"], there["pairs"])


KINDS = ("means", "pairs", "letters")


def variations(where: str, ours: list[Row], theirs: list[Row], squares: str) -> Iterator[Check]:
    # Only type I has a line for the residuals in R.
    for our, their in zip(ours, theirs, strict=False):
        yield f"{where} term", our["term"], their["term"], our["term"] == their["term"].lower()
        for key, other in (("df", "Df"), ("sum_sq", squares), ("f", "F value")):
            yield near(f"{where} {our['term']} {key}", our[key], their[other])
        yield near_p(f"{where} {our['term']} p", our["p"], their["Pr(>F)"])


def means(where: str, ours: list[Row], theirs: list[Row], letters: list[Row], key: str = "") -> Iterator[Check]:
    key = key or where
    grouped = {row[key]: row[".group"].strip() for row in letters}
    for our, their in zip(ours, theirs, strict=True):
        level = our["level"]
        yield f"{where} level", level, their[key], level == their[key]
        for name, other in MEAN_FIGURES.items():
            yield near(f"{where} {level} {name}", our[name], their[other])
        yield f"{where} {level} letters", our["letters"], grouped[level], our["letters"] == grouped[level]


MEAN_FIGURES = {"mean": "emmean", "se": "SE", "df": "df", "lower": "lower.CL", "upper": "upper.CL"}


def pairs(where: str, ours: list[Row], theirs: list[Row]) -> Iterator[Check]:
    for our, their in zip(ours, theirs, strict=True):
        name = f"{our['a']} - {our['b']}"
        plain = their["contrast"].replace("(", "").replace(")", "")
        yield f"{where} pair", name, plain, name == plain
        for key, other in (("difference", "estimate"), ("se", "SE"), ("t", "t.ratio")):
            yield near(f"{where} {name} {key}", our[key], their[other])
        yield near_p(f"{where} {name} p", our["p"], their["p.value"])


def near(name: str, ours: Any, theirs: Any) -> Check:
    same = ours is theirs if None in (ours, theirs) else math.isclose(ours, theirs, rel_tol=RELATIVE)
    return name, ours, theirs, same


def near_p(name: str, ours: Any, theirs: Any) -> Check:
    same = ours is theirs if None in (ours, theirs) else abs(ours - theirs) <= ABSOLUTE_P
    return name, ours, theirs, same


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python reproduce/pivot_2017.py FOLDER")
    sys.exit(main(Path(sys.argv[1])))
