"""The similarity of two translations without the part that was to change (TransRepair, Sun et al., ICSE 2020).

The translations are compared word by word. Of each, one span that the other does not have may be set aside, if it is no
longer than `LONGEST` words; the choice that makes them most similar counts. So the translation of a replaced word costs
nothing, wherever it stands, and any other change does.
"""

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
"""Words of the longest span that may be set aside; with it all values that the authors published are met."""
WORK = 50_000
"""The most choices of spans, times words, that are tried. Translations of a sentence that differ in more places are far
below every threshold, whatever is set aside."""
DIFFLIB = 200
"""Words up to which texts are matched as the authors do, by longest blocks, at a cost that grows with the cube."""
COMPARABLE = 5_000
"""Words up to which texts are matched at all; the search needs one bit for each pair of words."""

Span = tuple[int, int]
NOTHING: Span = (0, 0)
Measure = Callable[[Sequence[str], Sequence[str]], float]


class Tokenised:
    """A text as a list of words, with the span of each."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self._tokens = [token for token in tokens(text) if token.kind != "blank"]
        self.words = [token.text for token in self._tokens]

    def characters(self, spans: Sequence[Span]) -> list[list[int]]:
        """Spans of words as spans of characters, without empty ones."""
        return [[self._tokens[start].start, self._tokens[end - 1].end] for start, end in spans if start < end]

    def written(self, spans: Sequence[Span]) -> str:
        return " … ".join(self.text.words[start:end] for start, end in self.characters(spans)) or "nothing"

    def indices(self, start: int, end: int) -> list[int]:
        """The indices of the words that lie within a span of characters, or partly so."""
        return [index for index, token in enumerate(self._tokens) if token.start < end and start < token.end]


class SetAside(NamedTuple):
    """The similarity, the span of each text that was set aside, and the spans that still differ."""

    similarity: float
    aside: tuple[Span, Span]
    differing: tuple[list[Span], list[Span]]


def measure(name: str, corpus: str = "", lang: str = "") -> Measure:
    """TransRepair's measures of two lists of words: `lcs`, `ed` (edit distance), `tfidf` and `bleu`."""
    if name == "tfidf":
        weight = tfidf.weights(corpus, lang)
        return lambda a, b: tfidf.of_words(a, b, weight)
    return {"lcs": lcs.of_words, "ed": _edit, "bleu": _bleu}[name]


def compared(a: Sequence[str], b: Sequence[str], alike: Measure) -> SetAside:
    """The similarity of two translations, as lists of words, by a measure.

    >>> compared("la casa es roja".split(), "la flor es roja".split(), lcs.of_words).similarity
    1.0
    """
    spans = differences(a, b)
    best, aside = alike(a, b), (NOTHING, NOTHING)
    for span_a, span_b in _choices(a, b, spans):
        if best == 1:
            break
        similarity = alike(_without(a, span_a), _without(b, span_b))
        if similarity > best:
            best, aside = similarity, (span_a, span_b)
    spans_a, spans_b = sides(spans)
    return SetAside(best, aside, (list(_remaining(spans_a, aside[0])), list(_remaining(spans_b, aside[1]))))


def _choices(a: Sequence[str], b: Sequence[str], spans: Sequence[tuple[Span, Span]]) -> Iterator[tuple[Span, Span]]:
    """Pairs of spans that may be set aside: first those side by side, since they are likely to be what was replaced."""
    # Matching blocks depend on which text comes first; the authors' values are those of both orders.
    reverse = [(span_a, span_b) for span_b, span_a in differences(b, a)]
    most = max(1, math.isqrt(WORK // max(1, len(a) + len(b))))
    tried = set()
    for order in (spans, reverse):
        short = [[span for span in side if span[1] - span[0] <= LONGEST] for side in sides(order)]
        together = [pair for pair in order if all(end - start <= LONGEST for start, end in pair)]
        spans_a, spans_b = ([NOTHING, *side[:most]] for side in short)
        for choice in (*together[:most], *product(spans_a, spans_b)):
            if choice not in tried:
                tried.add(choice)
                yield choice


def differences(a: Sequence[str], b: Sequence[str]) -> list[tuple[Span, Span]]:
    """The pairs of spans in which two texts differ; one span of a pair may be empty."""
    if list(a) == list(b):
        return []
    if max(len(a), len(b)) <= DIFFLIB:
        blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        return [((i, j), (k, m)) for tag, i, j, k, m in blocks if tag != "equal"]
    if max(len(a), len(b)) > COMPARABLE:
        return [((0, len(a)), (0, len(b)))]
    return [((e.src_start, e.src_end), (e.dest_start, e.dest_end)) for e in LCSseq.opcodes(a, b) if e.tag != "equal"]


def sides(pairs: Sequence[tuple[Span, Span]]) -> tuple[list[Span], list[Span]]:
    """The spans of each text that are not empty."""
    return [a for a, _ in pairs if a[0] < a[1]], [b for _, b in pairs if b[0] < b[1]]


def _remaining(spans: Sequence[Span], aside: Span) -> Iterator[Span]:
    """What remains of the spans without the one that was set aside."""
    for start, end in spans:
        parts = ((start, min(end, aside[0])), (max(start, aside[1]), end)) if aside != NOTHING else ((start, end),)
        yield from (part for part in parts if part[0] < part[1])


def _without(words: Sequence[str], span: Span) -> list[str]:
    return [*words[: span[0]], *words[span[1] :]]


def _edit(a: Sequence[str], b: Sequence[str]) -> float:
    return float(Levenshtein.normalized_similarity(a, b))


def _bleu(a: Sequence[str], b: Sequence[str]) -> float:
    """The better of both directions, since BLEU is not symmetric."""
    texts = Text(" ".join(a), ""), Text(" ".join(b), "")
    return max(bleu.similarity(*texts, tokens="paper"), bleu.similarity(*reversed(texts), tokens="paper"))
