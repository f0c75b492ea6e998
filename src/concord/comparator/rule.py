"""The rule: how suspicious a left-over word is, by hand-set weights; no labels are needed.

A word weighs more the rarer it is, the less a change of the text explains it, and the less it resembles what the other
translation has in its place. It counts more if it is a likely translation of a word that both texts share, and still
more if the other translation has nothing in its place.
"""

import math
from collections.abc import Iterable

from concord.arithmetic import power_of
from concord.comparator.differences import LEAST_LINK, LeftOver

MOST = 0.8
"""How suspicious a word can be."""
FUNCTION = 0.5
"""The weight of a stop word; negations are stop words, but count fully, as they invert claims."""
RARITY_POWER = 0.7
LIKELY = 0.7
OMITTED = 1.4
POWER = 1.25
LEAST_MOVED = 0.02
MOVED, CROSSED = 0.1, 0.5
"""The suspicion of a word that has moved, and of one whose link crosses others, in a run where links never cross."""
NEARBY = 4
LOOSE = 0.8
"""If at most this share of links is in order, order is not judged."""
SURE = 0.5
LEFT, COVERED = 0.98, 0.9
UNLINKED = 0.2


def suspicion(word: LeftOver) -> float:
    """How suspicious a left-over word is, 0 to `MOST`."""
    doubt = (1 - explained(word)) * (1 - resembled(word))
    unexplained = power_of(weight(word) * doubt, POWER)
    return MOST * min(1.0, max(unexplained, misplaced(word)))


def misplaced(word: LeftOver) -> float:
    """How suspicious the word's place is: the more, the more surely its link crosses others in a run where few do.

    A function word that is far away is another one, and an alignment hardly knows whose translation it is.
    """
    if not word.moved:
        return 0.0
    strict = max(0.0, word.in_order - LOOSE) / (1 - LOOSE)
    if word.function:
        return strict * MOVED if word.jumped <= NEARBY else 0.0
    return max(LEAST_MOVED if word.like < SURE else 0.0, strict * (MOVED + CROSSED * word.crossed))


def total(words: Iterable[LeftOver]) -> float:
    """How suspicious two translations are: the chance that at least one of their words is wrong."""
    return 1 - math.prod(1 - suspicion(word) for word in words)


def explained(word: LeftOver) -> float:
    """How well a change in the source explains the word, 0 to 1; 0 if the word is repeated immediately."""
    if word.again:
        return 0.0
    by_context = max(word.changed_near, word.changed_share if word.link < UNLINKED else 0.0)
    return min(1.0, max(word.changed_link, word.changed_word, word.changed_place, by_context))


def resembled(word: LeftOver) -> float:
    """How similar the most similar word of the other translation is."""
    return max(word.like, LEFT * word.like_left, COVERED * word.covered)


def weight(word: LeftOver) -> float:
    """How much the word matters; its frequency does not count if it is repeated immediately."""
    if word.again:
        return FUNCTION if word.function else 1.0
    weight = power_of(word.rarity, RARITY_POWER)
    linked = word.shared_link > SURE
    slight = word.function and not word.negation
    if slight and not (linked and word.shared_word > UNLINKED):
        weight *= FUNCTION
    weight *= 1 + LIKELY * (word.shared_word * min(1.0, word.shared_link) - 0.5)
    if linked and word.counterpart_link < LEAST_LINK:
        weight *= OMITTED
    return min(1.0, weight)
