"""Levenshtein (1966) over characters, as in Pesu et al. (2017, 2018): few edits between two texts make them alike.

`over="longer"` is the 2018 paper: insertions, deletions and substitutions, divided by the length of
the longer text. `over="sum"` is the 2017 report: exchanging two neighbouring characters counts as one
edit as well (optimal string alignment), and the divisor is the sum of both lengths, so texts without
anything in common still reach 0.5 if they are equally long.

Range [0, 1]. Similarity: higher is more alike, 1 is identical, also for two empty texts. Symmetric.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import numpy as np
from rapidfuzz.distance import OSA, Levenshtein
from rapidfuzz.process import cpdist

from concord.model import Text

Over = Annotated[Literal["longer", "sum"], "What edits are divided by: the longer text's length, or both lengths."]


def similarity(a: Text, b: Text, *, over: Over = "longer") -> float:
    """How little must be edited, in [0, 1]; higher is more similar."""
    return 1.0 - distance(a, b, over=over)


def distance(a: Text, b: Text, *, over: Over = "longer") -> float:
    """How much must be edited, in [0, 1]; higher is less similar."""
    return _DISTANCES[over](a.words, b.words)


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, over: Over = "longer") -> list[float]:
    """`similarity` of every pair, in one call into the library for the usual divisor."""
    if over == "sum":
        return [similarity(a, b, over=over) for a, b in pairs]
    first_texts, second_texts = [a.words for a, _ in pairs], [b.words for _, b in pairs]
    scores = cpdist(first_texts, second_texts, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return [float(score) for score in scores]


_DISTANCES: dict[Over, Callable[[str, str], float]] = {
    "longer": Levenshtein.normalized_distance,
    "sum": lambda a, b: OSA.distance(a, b) / (len(a) + len(b) or 1),
}
