"""How alike two translations are once the part that was to change is set aside (TransRepair, Sun et al., ICSE 2020).

The translations are compared word by word. Of each, one stretch that the other does not have may be left out, if it
is no longer than `LONGEST` words; of all ways to do so, the one after which they are most alike counts. So the
translation of a replaced word costs nothing, wherever it stands, and whatever changes beside it does.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from concord.language.tokens import tokens
from concord.metrics import bleu, lcs, tfidf
from concord.model import Text

LONGEST = 3
"""Words of a stretch that may be left out; found from the authors' published values, which it meets to the last one."""
WORK = 50_000
"""Ways to leave something out, times words: more is not tried. Translations of a sentence that differ in so many
places are far below every threshold, whatever is left out."""
DIFFLIB = 200
"""Words up to which texts are matched as the authors do, by longest blocks, whose cost grows with the cube."""
COMPARABLE = 5_000
"""Words up to which differences are looked for at all; the search needs one bit for each pair of words."""

Span = tuple[int, int]
NOTHING: Span = (0, 0)
Measure = Callable[[Sequence[str], Sequence[str]], float]


class Cut:
    """A text in words, which know their positions."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self._tokens = [token for token in tokens(text) if token.kind != "blank"]
        self.words = [token.text for token in self._tokens]

    def places(self, spans: Sequence[Span]) -> list[list[int]]:
        """Spans of words as spans of characters; those without a word have no place."""
        return [[self._tokens[start].start, self._tokens[end - 1].end] for start, end in spans if start < end]

    def written(self, spans: Sequence[Span]) -> str:
        return " … ".join(self.text.words[start:end] for start, end in self.places(spans)) or "nothing"

    def numbers(self, start: int, end: int) -> list[int]:
        """Which words lie within a span of characters, or partly so."""
        return [at for at, token in enumerate(self._tokens) if token.start < end and start < token.end]


class SetAside(NamedTuple):
    """The similarity, the stretch that was set aside on either side, and the stretches that still differ."""

    similarity: float
    aside: tuple[Span, Span]
    differing: tuple[list[Span], list[Span]]


def measure(name: str, corpus: str = "", lang: str = "") -> Measure:
    """TransRepair's measures of two texts cut into words: `lcs`, `ed` (edit distance), `tfidf` and `bleu`."""
    if name == "tfidf":
        weight = tfidf.weights(corpus, lang)
        return lambda a, b: tfidf.of_words(a, b, weight)
    return {"lcs": lcs.of_words, "ed": _edit, "bleu": _bleu}[name]


def compared(a: Sequence[str], b: Sequence[str], alike: Measure) -> SetAside:
    """Two translations, cut into words, by a measure.

    >>> compared("la casa es roja".split(), "la flor es roja".split(), lcs.of_words).similarity
    1.0
    """
    found = differences(a, b)
    best, aside = alike(a, b), (NOTHING, NOTHING)
    for ours, theirs in _ways(a, b, found):
        if best == 1:
            break
        value = alike(_without(a, ours), _without(b, theirs))
        if value > best:
            best, aside = value, (ours, theirs)
    one, other = sides(found)
    return SetAside(best, aside, (list(_left(one, aside[0])), list(_left(other, aside[1]))))


def _ways(a: Sequence[str], b: Sequence[str], found: Sequence[tuple[Span, Span]]) -> Iterator[tuple[Span, Span]]:
    """What may be left out on either side: first what is in the same place, since that is what was replaced."""
    # Matching blocks depend on which text comes first; the authors' values are those of both orders.
    other = [(ours, theirs) for theirs, ours in differences(b, a)]
    most = max(1, math.isqrt(WORK // max(1, len(a) + len(b))))
    tried = set()
    for each in (found, other):
        short = [[span for span in side if span[1] - span[0] <= LONGEST] for side in sides(each)]
        together = [pair for pair in each if all(end - start <= LONGEST for start, end in pair)]
        ours, theirs = ([NOTHING, *side[:most]] for side in short)
        for way in (*together[:most], *product(ours, theirs)):
            if way not in tried:
                tried.add(way)
                yield way


def differences(a: Sequence[str], b: Sequence[str]) -> list[tuple[Span, Span]]:
    """The stretches in which two texts differ, side by side; one of the two may be empty."""
    if list(a) == list(b):
        return []
    if max(len(a), len(b)) <= DIFFLIB:
        blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        return [((i, j), (k, m)) for tag, i, j, k, m in blocks if tag != "equal"]
    if max(len(a), len(b)) > COMPARABLE:
        return [((0, len(a)), (0, len(b)))]
    return [((e.src_start, e.src_end), (e.dest_start, e.dest_end)) for e in LCSseq.opcodes(a, b) if e.tag != "equal"]


def sides(found: Sequence[tuple[Span, Span]]) -> tuple[list[Span], list[Span]]:
    """The stretches of either side that hold something."""
    return [one for one, _ in found if one[0] < one[1]], [other for _, other in found if other[0] < other[1]]


def _left(spans: Sequence[Span], gone: Span) -> Iterator[Span]:
    """What remains of the spans without the one that is gone."""
    for start, end in spans:
        parts = ((start, min(end, gone[0])), (max(start, gone[1]), end)) if gone != NOTHING else ((start, end),)
        yield from (part for part in parts if part[0] < part[1])


def _without(words: Sequence[str], span: Span) -> list[str]:
    return [*words[: span[0]], *words[span[1] :]]


def _edit(a: Sequence[str], b: Sequence[str]) -> float:
    return float(Levenshtein.normalized_similarity(a, b))


def _bleu(a: Sequence[str], b: Sequence[str]) -> float:
    """BLEU is not symmetric; the better of both directions counts."""
    one, other = Text(" ".join(a), ""), Text(" ".join(b), "")
    return max(bleu.similarity(one, other, tokens="paper"), bleu.similarity(other, one, tokens="paper"))
