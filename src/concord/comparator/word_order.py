"""Word order: words that stand elsewhere in the other translation, and whose links to the source cross others for it.

Two words that both texts share stand in the same order in both. Where one translation keeps it and the other does not,
its links cross. How much that means depends on the languages and the system: with some, links cross all the time.
"""

from dataclasses import replace

import numpy as np

from concord.comparator.alignment import Side
from concord.comparator.differences import Compared, LeftOver
from concord.comparator.words import Difference

FAR = 12
"""The most words that a word has jumped over that are examined, the nearest first."""
Link = tuple[int, float]
Links = tuple[dict[int, Link], dict[int, Link]]
Twins = tuple[int, int]
NONE: Link = (-1, 0.0)


def ordered(compared: Compared) -> Compared:
    """The words that have moved, with how many words they jumped over and how surely they cross the links of one."""
    if not any(word.moved for word in compared.words):
        return compared
    links = (_links(compared.sides[0]), _links(compared.sides[1]))
    words = (_placed(word, compared, links) if word.moved else word for word in compared.words)
    return replace(compared, words=tuple(words))


def _placed(word: LeftOver, compared: Compared, links: Links) -> LeftOver:
    ways = [((word.place, index), _jumped(word, index, compared)) for index in word.elsewhere]
    moved, jumped = min(ways, key=lambda way: len(way[1]))
    near = sorted(jumped, key=lambda pair: abs(pair[0] - word.place))[:FAR]
    source, sure = _source(word.side, moved, links, compared.sources)
    crossed = 0.0
    for pair in near:
        other_source, as_sure = _source(word.side, pair, links, compared.sources)
        if (pair[0] < word.place) != (other_source < source) and other_source != source:
            crossed = max(crossed, sure * as_sure)
    return replace(word, jumped=len(jumped), crossed=crossed)


def _jumped(word: LeftOver, index: int, compared: Compared) -> list[Twins]:
    """The shared words that are before the word in one translation and after it in the other."""
    pairs = compared.outputs.shared[word.side].items()
    return [(ours, theirs) for ours, theirs in pairs if (ours < word.place) != (theirs < index)]


def _source(side: int, twins: Twins, links: Links, sources: Difference) -> Link:
    """The shared source word of a word that both translations have, by the surer link of the two.

    In a run that keeps the order, an alignment gives a crossing link little weight, and the other one more.
    """
    ours, theirs = links[side].get(twins[0], NONE), links[1 - side].get(twins[1], NONE)
    shared, back = sources.shared[side], sources.shared[1 - side]
    by_own = ours if ours[0] in shared else NONE
    by_other = (back[theirs[0]], theirs[1]) if theirs[0] in back else NONE
    return max(by_own, by_other, key=lambda link: link[1])


def _links(side: Side) -> dict[int, Link]:
    """The surest link of every word of the translation: the source word, and how sure both directions are of it."""
    if not side.says.size:
        return {}
    certainty = np.sqrt(side.says * side.says_back)
    best = certainty.argmax(axis=0)
    return {place: (int(source), float(certainty[source, place])) for place, source in enumerate(best)}
