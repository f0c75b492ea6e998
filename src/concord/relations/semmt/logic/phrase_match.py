"""Match the phrases of two sentences by the words that they have in common."""

from concord.relations.semmt.logic.abstraction import Abstraction
from concord.relations.semmt.logic.formula import Repeat, symbols, walk
from concord.relations.semmt.logic.phrases import content, likeness, met

_LIKE = 0.25
"""The least proportion of common words that makes two phrases one symbol."""
_SAID = 0.5
"""The least proportion of common words that makes a phrase the same as one without a claim."""
Pair = tuple[int | None, int | None]
"""The symbols of a phrase in both sentences; None where a sentence has none."""


def matched(left: Abstraction, right: Abstraction) -> tuple[list[Pair], frozenset[int]]:
    """The pairs of symbols that mean the same thing, and the indices of the pairs that have words in common.

    Best matches come first, then the rest in order.
    """
    ours, theirs = _used(left), _used(right)
    scores = _scores(left, right, ours, theirs)
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for score, _, left_symbol, right_symbol in sorted(scores, key=lambda scored: (-scored[0], *scored[1:])):
        if score >= _LIKE and left_symbol not in partner and right_symbol not in taken:
            partner[left_symbol] = right_symbol
            taken.add(right_symbol)
    alike = frozenset(partner)
    left_alone = [symbol for symbol in ours if symbol not in partner and left.phrases[symbol].fixed is None]
    right_alone = [symbol for symbol in theirs if symbol not in taken and right.phrases[symbol].fixed is None]
    # As many on both sides: paraphrased beyond recognition, but in the same places.
    as_many = len(left_alone) == len(right_alone)
    if as_many and not (_unclaimed(left, left_alone, right) and _unclaimed(right, right_alone, left)):
        partner |= dict(zip(left_alone, right_alone, strict=True))
        taken |= set(right_alone)
    pairs: list[Pair] = [(symbol, partner.get(symbol)) for symbol in ours]
    pairs += [(None, symbol) for symbol in theirs if symbol not in taken]
    recognised = (number for number, pair in enumerate(pairs) if pair[0] in alike or _returns(left, right, pair))
    return pairs, frozenset(recognised)


def _returns(left: Abstraction, right: Abstraction, pair: Pair) -> bool:
    """Whether the words of a phrase without a counterpart are words of the other sentence."""
    left_symbol, right_symbol = pair
    symbol = right_symbol if left_symbol is None else left_symbol
    if symbol is None or None not in pair:
        return False
    side, back = (left, right) if right_symbol is None else (right, left)
    words = content(side.phrases[symbol].text, side.lang)
    spoken = [word for phrase in back.phrases for word in content(phrase.text, back.lang)]
    return bool(words) and 2 * met(words, spoken) >= len(words)


def _unclaimed(side: Abstraction, claimed: list[int], back: Abstraction) -> bool:
    """Whether a phrase with a claim has none in the other sentence, because a negation has moved.

    Counted phrases are left out, because a number can precede any phrase.
    """
    used = frozenset(_used(back))
    unclaimed = [content(phrase.text, back.lang) for symbol, phrase in enumerate(back.phrases) if symbol not in used]
    formulas = () if side.formula is None else walk(side.formula)
    counted = {symbol for formula in formulas if isinstance(formula, Repeat) for symbol in symbols(formula)}
    return any(
        likeness(content(side.phrases[symbol].text, side.lang), words) >= _SAID
        for symbol in claimed
        if symbol not in counted
        for words in unclaimed
    )


def _scores(
    left: Abstraction, right: Abstraction, ours: list[int], theirs: list[int]
) -> list[tuple[float, float, int, int]]:
    left_words = [content(left.phrases[symbol].text, left.lang) for symbol in ours]
    right_words = [content(right.phrases[symbol].text, right.lang) for symbol in theirs]
    scores = []
    for left_rank, left_symbol in enumerate(ours):
        for right_rank, right_symbol in enumerate(theirs):
            left_fixed, right_fixed = left.phrases[left_symbol].fixed, right.phrases[right_symbol].fixed
            if left_fixed or right_fixed:
                score = float(left_fixed == right_fixed)
            else:
                score = likeness(left_words[left_rank], right_words[right_rank])
            scores.append((score, abs(left_rank / len(ours) - right_rank / len(theirs)), left_symbol, right_symbol))
    return scores


def _used(side: Abstraction) -> list[int]:
    return [] if side.formula is None else symbols(side.formula)
