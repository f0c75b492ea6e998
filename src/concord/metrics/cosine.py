r"""Cosine similarity (Salton and McGill, 1983) of word counts, as Pesu et al. (2017) take it: the same words, as often.

Words count in any order and with their case. `tokens="paper"` takes runs of letters, digits and
underscores (`\w+`) in every language. In languages that are written without blanks such a run is a
whole clause, which would only ever match itself; there, `tokens="auto"` counts characters.
`tokens="language"` takes the words, numbers, addresses and emoji of each text's language.

Range [0, 1], higher is more alike. Symmetric. Two texts without a word count as identical: 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from concord.language.codes import is_spaced
from concord.metrics._tokens import Tokens, content
from concord.model import Text

_runs = re.compile(r"\w+").findall
_characters = re.compile(r"\w").findall


def similarity(a: Text, b: Text, *, tokens: Tokens = "auto") -> float:
    """How alike the counts of words are, in [0, 1]; higher is more alike."""
    one, other = map(Counter, _CUTS[tokens](a, b))
    if one == other:
        return 1.0
    together = sum([count * other[word] for word, count in one.items() if word in other])
    return together / math.sqrt(_square(one) * _square(other)) if together else 0.0


def _as_written(a: Text, b: Text) -> tuple[list[str], list[str]]:
    find = _runs if is_spaced(a.lang) else _characters
    return find(a.words), find(b.words)


def _by_language(a: Text, b: Text) -> tuple[list[str], list[str]]:
    return content(a), content(b)


def _as_the_paper(a: Text, b: Text) -> tuple[list[str], list[str]]:
    return _runs(a.words), _runs(b.words)


_CUTS = {"auto": _as_written, "language": _by_language, "paper": _as_the_paper}


def _square(counts: Counter[str]) -> int:
    return sum([count * count for count in counts.values()])
