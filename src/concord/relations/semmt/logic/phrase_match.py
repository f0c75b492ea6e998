"""Which phrases of two sentences stand for the same, by the words that they have in common."""

from __future__ import annotations

from concord.relations.semmt.logic.abstraction import Abstraction
from concord.relations.semmt.logic.formula import Repeat, symbols, walk
from concord.relations.semmt.logic.phrases import content, likeness, met

_LIKE = 0.25
"""The least share of common words that makes two phrases one symbol."""
_SAID = 0.5
"""The least share of common words that makes a phrase the same as one of which nothing is claimed."""
Pair = tuple[int | None, int | None]
"""The symbols of a phrase in both sentences; None where a sentence has none."""


def matched(left: Abstraction, right: Abstraction) -> tuple[list[Pair], frozenset[int]]:
    """The symbols that stand for the same, and which of these pairs have words in common.

    Best matches come first, then the rest in order.
    """
    ours, theirs = _used(left), _used(right)
    scores = _scores(left, right, ours, theirs)
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for score, _, one, other in sorted(scores, key=lambda each: (-each[0], *each[1:])):
        if score >= _LIKE and one not in partner and other not in taken:
            partner[one] = other
            taken.add(other)
    alike = frozenset(partner)
    single = [each for each in ours if each not in partner and left.phrases[each].fixed is None]
    others = [each for each in theirs if each not in taken and right.phrases[each].fixed is None]
    # As many on both sides: paraphrased beyond recognition, but in the same places.
    if len(single) == len(others) and not (_said_plainly(left, single, right) and _said_plainly(right, others, left)):
        partner |= dict(zip(single, others, strict=True))
        taken |= set(others)
    pairs: list[Pair] = [(each, partner.get(each)) for each in ours]
    pairs += [(None, each) for each in theirs if each not in taken]
    recognised = (at for at, pair in enumerate(pairs) if pair[0] in alike or _returns(left, right, pair))
    return pairs, frozenset(recognised)


def _returns(left: Abstraction, right: Abstraction, pair: Pair) -> bool:
    """Whether the words of a phrase without a counterpart are words of the other sentence."""
    one, other = pair
    lone = other if one is None else one
    if lone is None or None not in pair:
        return False
    side, back = (left, right) if other is None else (right, left)
    words = content(side.phrases[lone].text, side.lang)
    spoken = [word for phrase in back.phrases for word in content(phrase.text, back.lang)]
    return bool(words) and 2 * met(words, spoken) >= len(words)


def _said_plainly(side: Abstraction, claimed: list[int], other: Abstraction) -> bool:
    """Whether one of the phrases comes back as a phrase of which nothing is claimed: its denial has moved away.

    Numbers stand before whatever follows them, so that where they stand says little.
    """
    used = frozenset(_used(other))
    plain = [content(each.text, other.lang) for at, each in enumerate(other.phrases) if at not in used]
    repeats = [] if side.formula is None else [each for each in walk(side.formula) if isinstance(each, Repeat)]
    counted = {symbol for repeat in repeats for symbol in symbols(repeat)}
    return any(
        likeness(content(side.phrases[at].text, side.lang), each) >= _SAID
        for at in claimed
        if at not in counted
        for each in plain
    )


def _scores(
    left: Abstraction, right: Abstraction, ours: list[int], theirs: list[int]
) -> list[tuple[float, float, int, int]]:
    words = [content(left.phrases[each].text, left.lang) for each in ours]
    their_words = [content(right.phrases[each].text, right.lang) for each in theirs]
    made = []
    for place, one in enumerate(ours):
        for other_place, other in enumerate(theirs):
            fixed, other_fixed = left.phrases[one].fixed, right.phrases[other].fixed
            if fixed or other_fixed:
                score = float(fixed == other_fixed)
            else:
                score = likeness(words[place], their_words[other_place])
            made.append((score, abs(place / len(ours) - other_place / len(theirs)), one, other))
    return made


def _used(side: Abstraction) -> list[int]:
    return [] if side.formula is None else symbols(side.formula)
