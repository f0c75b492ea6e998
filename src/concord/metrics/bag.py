"""Bag of words, as RTI compares translations (He, Meister and Su, ICSE 2021): how much of one text the other contains.

Counts the words of the first text, with repetitions, that the second has; case and marks do not count. In languages
without spaces between words, it counts characters. `match="stem"` takes forms with one stem for the same word.

Range [0, 1], higher is more alike: 1 if nothing is missing, also where there is nothing to miss. Not symmetric.
"""

from typing import Annotated, Literal

from concord.language.comparison_units import difference, stemmed, units
from concord.model import Text

Match = Annotated[Literal["exact", "stem"], "What is the same word: one spelled alike, or one with the same stem."]


def similarity(a: Text, b: Text, *, match: Match = "exact") -> float:
    """The proportion of the first text's words that the second has, in [0, 1]; higher is more similar."""
    units_a, units_b = (stemmed(text) if match == "stem" else units(text) for text in (a, b))
    return 1 - len(difference(units_a, units_b).missing) / len(units_a) if len(units_a) else 1.0
