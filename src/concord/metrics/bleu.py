"""BLEU (Papineni et al., 2002) of one sentence: how many of its n-grams of up to four words the reference has.

`variant="sacrebleu"` has the values of sacreBLEU (Post, 2018) with effective order and exponential
smoothing (Chen and Cherry, 2014, method 3), divided by 100. Tokens follow the language of the
reference: sacreBLEU's `zh` for Chinese, characters for Japanese and Korean, `13a` for all others.
`variant="paper"` is that of Pesu et al. (2017): words between blanks, one added to matches and totals
of all four orders, 0 if no word matches. It gives less than 1 to identical texts of under four words.

Range [0, 1], higher is more alike. Not symmetric: `a` is the reference, `b` the hypothesis.
Two texts without a token count as identical: 1, where sacreBLEU says 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Literal

from sacrebleu.metrics.bleu import BLEU

from concord.metrics._ngrams import shared, spell
from concord.model import Text
from concord.text.languages import is_spaced

Variant = Literal["sacrebleu", "paper"]

_ORDER = 4
# The taggers that sacreBLEU would use for Japanese and Korean are extras; characters need nothing.
_TOKENISERS = {"zh": "zh", "yue": "zh", "wuu": "zh", "ko": "char"}


def similarity(a: Text, b: Text, *, variant: Variant = "sacrebleu") -> float:
    """How much of the reference's wording (`a`) the hypothesis (`b`) has, in [0, 1]; higher is more alike."""
    smooth = _SMOOTHINGS[variant]
    tokens = str.split if variant == "paper" else _tokeniser(a.lang.partition("-")[0])
    reference, hypothesis = tokens(a.words), tokens(b.words)
    if not reference and not hypothesis:
        return 1.0
    matches = shared(*spell(reference, hypothesis), _ORDER)
    if not any(matches):
        return 0.0
    matches += [0] * (_ORDER - len(matches))
    precisions = smooth(matches, [max(0, len(hypothesis) - n) for n in range(_ORDER)])
    brevity = min(0.0, 1 - len(reference) / len(hypothesis))
    return math.exp(brevity + sum(map(math.log, precisions)) / len(precisions))


@cache
def _tokeniser(language: str) -> Callable[[str], list[str]]:
    name = _TOKENISERS.get(language, "13a" if is_spaced(language) else "char")
    tokenise: Callable[[str], str] = BLEU(tokenize=name).tokenizer

    def whole(text: str) -> list[str]:
        return tokenise(text.rstrip()).split()

    def block_by_block(text: str) -> list[str]:
        # 13a takes a blank for an edge, so blocks can be cut one by one, and most need no cutting at all.
        # Only a line break is different: it may join what stands on either side.
        if "\n" in text:
            return whole(text)
        return [token for block in text.split() for token in ([block] if block.isalnum() else whole(block))]

    return block_by_block if name == "13a" else whole


def _halving(matches: list[int], totals: list[int]) -> list[float]:
    """Each order without a match counts half as much as the one before; orders without n-grams do not count."""
    precisions, share = [], 1.0
    for match, total in zip(matches, totals, strict=True):
        if total and not match:
            share /= 2
        if total:
            precisions.append((match or share) / total)
    return precisions


def _adding_one(matches: list[int], totals: list[int]) -> list[float]:
    """An order without n-grams is taken to have one, which does not match: so the published values say."""
    return [(match + 1) / (max(1, total) + 1) for match, total in zip(matches, totals, strict=True)]


_SMOOTHINGS = {"sacrebleu": _halving, "paper": _adding_one}
