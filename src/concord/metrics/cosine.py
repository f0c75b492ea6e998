r"""Cosine similarity (Salton and McGill, 1983) of word counts, as in Pesu et al. (2017): 1 for equal counts.

Words count in any order and with their case. `tokens="paper"` takes runs of letters, digits and
underscores (`\w+`) in every language. In languages that are written without blanks such a run is a
whole clause, which would only ever match itself; there, `tokens="auto"` counts characters.
`tokens="language"` takes the words, numbers, addresses and emoji of each text's language.

Range [0, 1], higher is more alike. Symmetric. Two texts without a word count as identical: 1.
"""

import math
import re
from collections import Counter
from collections.abc import Callable

from concord.language.codes import is_spaced
from concord.metrics._tokens import Tokens, content
from concord.model import Text

_runs = re.compile(r"\w+").findall
_characters = re.compile(r"\w").findall


def similarity(a: Text, b: Text, *, tokens: Tokens = "auto") -> float:
    """The similarity of the counts of words, in [0, 1]; higher is more similar."""
    counts_a, counts_b = map(Counter, _CUTS[tokens](a, b))
    if counts_a == counts_b:
        return 1.0
    product = sum([count * counts_b[word] for word, count in counts_a.items() if word in counts_b])
    return product / math.sqrt(_square(counts_a) * _square(counts_b)) if product else 0.0


def _as_written(a: Text, b: Text) -> tuple[list[str], list[str]]:
    find = _runs if is_spaced(a.lang) else _characters
    return find(a.words), find(b.words)


_CUTS: dict[Tokens, Callable[[Text, Text], tuple[list[str], list[str]]]] = {
    "auto": _as_written,
    "language": lambda a, b: (content(a), content(b)),
    "paper": lambda a, b: (_runs(a.words), _runs(b.words)),
}


def _square(counts: Counter[str]) -> int:
    return sum([count * count for count in counts.values()])
