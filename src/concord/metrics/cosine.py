r"""Cosine similarity (Salton and McGill, 1983) of word counts, as Pesu et al. (2017) take it: the same words, as often.

Words are runs of letters, digits and underscores (`\w+`), in any order and with their case. In
languages that are written without blanks such a run is a whole clause, which would only ever match
itself; there, `units="auto"` counts characters. `units="words"` is the paper's way for every language.

Range [0, 1], higher is more alike. Symmetric. Two texts without a word count as identical: 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Literal

from concord.model import Text
from concord.text.languages import is_spaced

Units = Literal["auto", "words", "characters"]

_PATTERNS = {"words": re.compile(r"\w+"), "characters": re.compile(r"\w")}


def similarity(a: Text, b: Text, *, units: Units = "auto") -> float:
    """How alike the counts of words are, in [0, 1]; higher is more alike."""
    if units == "auto":
        units = "words" if is_spaced(a.lang) else "characters"
    one, other = (Counter(_PATTERNS[units].findall(text.words)) for text in (a, b))
    if one == other:
        return 1.0
    together = sum([count * other[unit] for unit, count in one.items() if unit in other])
    return together / math.sqrt(_square(one) * _square(other)) if together else 0.0


def _square(counts: Counter[str]) -> int:
    return sum([count * count for count in counts.values()])
