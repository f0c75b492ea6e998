"""BLEU (Papineni et al., 2002) of one sentence: how many of its n-grams of up to four words the reference has.

`variant="sacrebleu"` has the values of sacreBLEU (Post, 2018) with effective order and exponential smoothing (Chen and
Cherry, 2014, method 3), divided by 100.
`variant="paper"` is that of Pesu et al. (2017): one added to matches and totals of all four orders, 0 if no word
matches. It gives less than 1 to identical texts of under four words.
`variant="nltk"` has the values of NLTK's `sentence_bleu` without smoothing, but 0 where NLTK returns a tiny number
because an order has no match.

`tokens="auto"` takes the tokens of the variant's authors: for `sacrebleu` by the language of the reference (sacreBLEU's
`zh` for Chinese, characters for Japanese and Korean, `13a` for all others), for the other variants words between
spaces. `tokens="language"` takes the words and marks of each text's language, `tokens="paper"` words between blanks in
every language.

Range [0, 1], higher is more alike. Not symmetric: `a` is the reference, `b` the hypothesis.
Two texts without a token count as identical: 1, where sacreBLEU and NLTK say 0.
"""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Literal

from sacrebleu.metrics.bleu import BLEU

from concord.arithmetic import exp_of, log_of
from concord.language.codes import is_spaced
from concord.metrics._corpus import Counts
from concord.metrics._ngrams import shared, spell
from concord.metrics._tokens import Tokens, words
from concord.model import Text

Variant = Annotated[
    Literal["sacrebleu", "paper", "nltk"], "Whose BLEU: sacreBLEU's, that of Pesu et al. (2017), or NLTK's."
]

ORDER = 4
"""The most words of an n-gram."""

# The taggers that sacreBLEU would use for Japanese and Korean are extras; characters need nothing.
_TOKENISERS = {"zh": "zh", "yue": "zh", "wuu": "zh", "ko": "char"}


def similarity(a: Text, b: Text, *, variant: Variant = "sacrebleu", tokens: Tokens = "auto") -> float:
    """How much of the reference's wording (`a`) the hypothesis (`b`) has, in [0, 1]; higher is more similar."""
    return scored(counts(a, b, variant=variant, tokens=tokens), whole=False, variant=variant)


def counts(a: Text, b: Text, *, variant: Variant = "sacrebleu", tokens: Tokens = "auto") -> Counts:
    """The words of the reference (`a`) and of the hypothesis (`b`); then for each order the n-grams in both; then those
    that the hypothesis counts as having in a corpus."""
    reference, hypothesis = _CUTS[tokens](a, b, variant)
    matches = shared(*spell(reference, hypothesis), ORDER)
    matches += [0] * (ORDER - len(matches))
    # NLTK takes every hypothesis of a corpus to have at least one n-gram of each order.
    least = int(variant == "nltk")
    return len(reference), len(hypothesis), *matches, *(max(least, len(hypothesis) - n) for n in range(ORDER))


def scored(counts: Counts, *, whole: bool = True, variant: Variant = "sacrebleu", **_: object) -> float:
    """The score by the counts of one pair or, with `whole`, by their sums over many pairs.

    Of many, it is that of sacreBLEU and NLTK; without one run of four words in any hypothesis, sacreBLEU's is 0.
    """
    smooth = _SMOOTHINGS[variant]
    (reference, hypothesis), matches, totals = counts[:2], list(counts[2 : 2 + ORDER]), list(counts[2 + ORDER :])
    if not reference and not hypothesis:
        return 1.0
    if not any(matches) or (whole and variant == "sacrebleu" and not all(totals)):
        return 0.0
    if not whole:
        totals = [max(0, hypothesis - n) for n in range(ORDER)]
    return _mean(smooth(matches, totals), reference, hypothesis)


def _mean(precisions: list[float], reference: int, hypothesis: int) -> float:
    """The geometric mean of the precisions, less for a hypothesis that is shorter than the reference."""
    if not all(precisions):
        return 0.0
    brevity = min(0.0, 1 - reference / hypothesis)
    return min(1.0, exp_of(brevity + sum(map(log_of, precisions)) / len(precisions)))


def _as_the_authors(a: Text, b: Text, variant: Variant) -> tuple[list[str], list[str]]:
    tokenise = _tokeniser(a.lang.partition("-")[0]) if variant == "sacrebleu" else str.split
    return tokenise(a.words), tokenise(b.words)


_CUTS: dict[Tokens, Callable[[Text, Text, Variant], tuple[list[str], list[str]]]] = {
    "auto": _as_the_authors,
    "language": lambda a, b, _: (words(a), words(b)),
    "paper": lambda a, b, _: (a.words.split(), b.words.split()),
}

# Smoothing for n-grams that do not match (Chen and Cherry, 2014), as sacreBLEU, NLTK and Pesu et al. do it. Each
# function turns the number of matching n-grams and of all n-grams of the hypothesis, by order, into the precisions
# whose geometric mean is BLEU. The first order always has a match.


def _halving(matches: list[int], totals: list[int]) -> list[float]:
    """Each order without a match counts half as much as the one before; orders without n-grams do not count."""
    precisions, smoothed = [], 1.0
    for match, total in zip(matches, totals, strict=True):
        if total and not match:
            smoothed /= 2
        if total:
            precisions.append((match or smoothed) / total)
    return precisions


def _adding_one(matches: list[int], totals: list[int]) -> list[float]:
    """Add one to matches and totals. An order without n-grams counts as one n-gram that does not match, as published
    values imply."""
    return [(match + 1) / (max(1, total) + 1) for match, total in zip(matches, totals, strict=True)]


def _unsmoothed(matches: list[int], totals: list[int]) -> list[float]:
    """NLTK's method 0, but 0 stays 0 where NLTK takes the smallest positive number in order to have a logarithm."""
    return [match / max(1, total) for match, total in zip(matches, totals, strict=True)]


_SMOOTHINGS = {"sacrebleu": _halving, "paper": _adding_one, "nltk": _unsmoothed}


@cache
def _tokeniser(language: str) -> Callable[[str], list[str]]:
    name = _TOKENISERS.get(language, "13a" if is_spaced(language) else "char")
    tokenise: Callable[[str], str] = BLEU(tokenize=name).tokenizer

    def whole(text: str) -> list[str]:
        return tokenise(text.rstrip()).split()

    def block_by_block(text: str) -> list[str]:
        # 13a takes a blank for an edge, so blocks can be cut one by one, and most need no cutting at all.
        # Only a line break is different: it may join what is on either side.
        if "\n" in text:
            return whole(text)
        return [token for block in text.split() for token in ([block] if block.isalnum() else whole(block))]

    return block_by_block if name == "13a" else whole
