"""The options of an evaluation, and whether its source is a table or runs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from concord.corpus.formats import format_of
from concord.runs.execute import SEED

FORMATS = ("csv", "tsv", "jsonl")


@dataclass(frozen=True, slots=True)
class EvaluationTerms:
    """The options of an evaluation.

    `combine_at` is the measure that thresholds of combinations maximise; `product` is true positives × true negatives.
    `split` and `folds` choose thresholds on one part of the rows and judge them on the other. `kinds` is the column
    with the kinds of error; `forward` the one that says which output is wrong, if the way there is judged alone.
    """

    label: str = "label"
    scores: Sequence[str] = ()
    normalise: bool = False
    mix: str = ""
    split: float | None = None
    folds: int | None = None
    combine_at: str = "product"
    resamples: int = 1000
    seed: int = SEED
    kinds: str = ""
    forward: str = ""


def is_table(source: str | Path) -> bool:
    """Whether this names a file of labelled rows rather than runs."""
    if isinstance(source, Path) or format_of(Path(source)) in FORMATS:
        return True
    # A file named `3` does not hide run 3.
    return Path(source).is_file() and not re.fullmatch(r"[\d,\s]*|last", source)
