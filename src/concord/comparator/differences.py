"""The words in which two translations differ, each with the evidence for and against it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from concord.comparator.alignment import Aligned, Shares, Side
from concord.comparator.repetitions import copies, said_again
from concord.comparator.word_classes import classes, negations
from concord.comparator.words import COUNTED, Difference, Sentence, difference, is_number, key
from concord.language.codes import is_spaced
from concord.language.stopwords import stop_words

Sides = tuple[Side, Side]
LEAST_LINK = 0.1
NEAR = 2
MOST = 250
"""The most words of a side that are judged, and the most source words that they are compared with."""
# So far as they are sure that a sign or a unit, not a word of its own, is what a number's translation lacks.
UNIT_LINK, UNIT_LIKE = 0.2, 0.9
SAME = 0.99
"""The largest similarity of words that are not forms of one word."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """The other translation's word for the same source word: its place, the weight of its link, and its similarity."""

    source: int
    place: int
    link: float
    like: float


def likeliest(counterparts: Iterable[Counterpart]) -> Counterpart | None:
    """The most likely counterpart; the most similar if several are equally likely."""
    return max(counterparts, key=lambda counterpart: (counterpart.link, counterpart.like), default=None)


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A word that only one of two translations has: `side` 0 is the source's, 1 the follow-up's; `place` is its token.

    Whether a change explains it: `changed_link` is how surely it translates the changed source words together,
    `changed_word` how likely it translates one of them, `changed_near` how surely its neighbours translate changed
    words, `changed_place` how far a change explains what the other translation has in its place, and `changed_share`
    the proportion of the source text that is changed. `shared_link` and `shared_word` are the same for the source words
    that both texts share; `link` is the surest link to any source word.

    Whether it has a counterpart: `counterparts` are those by the alignment, and `like` is the best likeness among them.
    `like_left` is the best likeness to a word that only the other translation has, lowered where a change explains that
    word, and `like_spare` is the same without lowering. `covered` is the proportion of its characters among those
    words, where words are not `spaced`. `length` and `left` count the words of its source and those left over on its
    side, `beside` the left-over words next to it; `rarity` is how rare it is in the run.

    Whether it is one too many: `copy` says that the other translation has the word, but not as often, so that other
    copies of it are no counterparts; `again` that it is repeated immediately. Whether it has `moved`: it is `elsewhere`
    in the other translation too, has `jumped` over that many words, and its link to the source has `crossed` the link
    of one of these, as surely as both links are; `in_order` is the share of links in the run that do not cross.

    What only a fitted model uses: `of_function`, whether its surest source word is a function word; `present`, whether
    the other translation has it anywhere, in what both share too (of its characters the share, where words are not
    spaced); and the `classes` that it can belong to.
    """

    side: int
    place: int
    word: str
    rarity: float
    function: bool
    number: bool
    negation: bool
    changed_link: float
    changed_word: float
    changed_share: float
    shared_link: float
    shared_word: float
    link: float
    counterparts: tuple[Counterpart, ...]
    covered: float
    spaced: bool
    length: int
    left: int
    beside: int
    changed_near: float = 0.0
    changed_place: float = 0.0
    like_left: float = 0.0
    like_spare: float = 0.0
    like: float = 0.0
    copy: bool = False
    again: bool = False
    elsewhere: tuple[int, ...] = ()
    jumped: int = 0
    crossed: float = 0.0
    in_order: float = 0.0
    of_function: bool = False
    present: float = 0.0
    classes: frozenset[str] = frozenset()

    @property
    def moved(self) -> bool:
        """Whether the same word differs in the other translation, too, at another position."""
        return bool(self.elsewhere)

    @property
    def counterpart_link(self) -> float:
        """How sure the surest counterpart is."""
        return max((counterpart.link for counterpart in self.counterparts), default=0.0)


@dataclass(frozen=True, slots=True)
class Compared:
    """Both sides, what differs in the sources, what differs in the translations, and the left-over words."""

    sides: tuple[Side, Side]
    sources: Difference
    outputs: Difference
    words: tuple[LeftOver, ...]


def left_over(source_side: Side, follow_up_side: Side, aligned: Aligned) -> Compared:
    """The words that differ between two translations, given what differs in the texts."""
    sides = (source_side, follow_up_side)
    sources = difference(source_side.source, follow_up_side.source)
    outputs = difference(source_side.output, follow_up_side.output)
    by_side = [_side(side, sides, (sources, outputs), aligned) for side in (0, 1)]
    matched = [*_matched(by_side[0], by_side[1], aligned), *_matched(by_side[1], by_side[0], aligned)]
    return Compared(sides, sources, outputs, tuple(matched))


def _side(number: int, sides: Sides, differ: tuple[Difference, Difference], aligned: Aligned) -> list[LeftOver]:
    side, sources = sides[number], differ[0]
    changed, shared = list(sources.own[number]), list(sources.shared[number])
    by_changed, by_shared, surest = side.said_by(changed), side.said_by(shared), side.surest()
    lang, mine = side.output.text.lang, differ[1].gaps[number]
    other_text = "".join(sides[1 - number].output.tokens[place].text for place in differ[1].own[1 - number])
    cut = sides[0].output, sides[1].output
    more, again = copies(number, cut, differ[1]), said_again(number, cut, differ[1], side.source)
    left_overs = []
    for place in differ[1].own[number][:MOST]:
        word = side.output.tokens[place].text
        left_overs.append(
            LeftOver(
                side=number,
                place=place,
                word=word,
                rarity=aligned.rarity(word),
                function=word.casefold() in stop_words(lang),
                number=is_number(word),
                negation=word.casefold() in negations(lang),
                changed_link=float(by_changed[place]),
                changed_word=_likeliest(side, changed, word, aligned),
                changed_share=len(changed) / max(1, len(side.source.places)),
                shared_link=float(by_shared[place]),
                shared_word=_likeliest(side, shared, word, aligned),
                link=float(surest[place]),
                counterparts=tuple(_counterparts(number, place, sides, sources, aligned)),
                covered=0.0 if is_spaced(lang) else sum(character in other_text for character in word) / len(word),
                spaced=is_spaced(lang),
                length=len(side.source.places),
                left=len(differ[1].own[number]),
                beside=(place - 1 in mine) + (place + 1 in mine),
                copy=place in more,
                again=place in again,
                in_order=aligned.in_order,
                of_function=_of_function(side, place),
                present=_presence(word, sides[1 - number].output),
                classes=classes(word, lang),
            )
        )
    return _near(left_overs, by_changed, side)


def _of_function(side: Side, place: int) -> bool:
    """Whether the surest source word of a word is a function word."""
    column = side.of_output(place)
    if column.max(initial=0.0) <= LEAST_LINK:
        return False
    source_word = side.source.tokens[int(column.argmax())].text
    return source_word.casefold() in stop_words(side.source.text.lang)


def _presence(word: str, other: Sentence) -> float:
    """Whether a translation has the word, in any form; where words are not spaced, the share of its characters."""
    lang = other.text.lang
    if is_spaced(lang):
        return float(key(word, lang) in other.keys)
    return sum(character in other.text.words for character in word) / len(word)


def _likeliest(side: Side, places: Sequence[int], word: str, aligned: Aligned) -> float:
    tokens = side.source.tokens
    return max((aligned.likely(tokens[place].text, word) for place in places[:MOST]), default=0.0)


def _counterparts(
    number: int, place: int, sides: Sides, sources: Difference, aligned: Aligned
) -> Iterator[Counterpart]:
    side, other_side = sides[number], sides[1 - number]
    word, tokens = side.output.tokens[place].text, other_side.output.tokens
    column = side.of_output(place)
    for source in np.flatnonzero(column > LEAST_LINK).tolist():
        twin = sources.shared[number].get(source)
        if twin is None:
            continue
        row = other_side.of_source(twin)
        for other_index in np.flatnonzero(row > LEAST_LINK).tolist():
            if tokens[other_index].kind in COUNTED:
                like = aligned.like(word, tokens[other_index].text)
                yield Counterpart(source, other_index, float(column[source] * row[other_index]), like)


def _near(left_overs: list[LeftOver], by_changed: Shares, side: Side) -> list[LeftOver]:
    """The words with `changed_near`: how well a change explains their neighbours, if these differ as well."""
    places = side.output.places
    left = {word.place for word in left_overs}
    number = {place: index for index, place in enumerate(places)}
    explained = [float(by_changed[place]) if place in left else 0.0 for place in places]
    with_neighbours = []
    for word in left_overs:
        index = number[word.place]
        around = explained[max(0, index - NEAR) : index] + explained[index + 1 : index + 1 + NEAR]
        with_neighbours.append(replace(word, changed_near=sum(around) / len(around) if around else 0.0))
    return with_neighbours


def _matched(ours: list[LeftOver], theirs: list[LeftOver], aligned: Aligned) -> Iterator[LeftOver]:
    for word in ours:
        # Of a copy too many, the other copies are no counterparts.
        most = SAME if word.copy else 1.0
        likes = [(like, left) for left in theirs if (like := aligned.like(word.word, left.word)) <= most]
        linked = [
            counterpart.like
            for counterpart in word.counterparts
            if counterpart.link > LEAST_LINK and counterpart.like <= most
        ]
        yield replace(
            word,
            like_left=max((like * (1 - min(1.0, left.changed_link)) for like, left in likes), default=0.0),
            like_spare=max((like for like, _ in likes), default=0.0),
            like=max([*linked, _as_a_unit(word, theirs)]),
            elsewhere=tuple(left.place for like, left in likes if like == 1.0),
        )


def _as_a_unit(word: LeftOver, theirs: list[LeftOver]) -> float:
    """The likeness of "percent" to "42%": what one translation writes as a word may be a sign in the other."""
    signs = {other_word.place for other_word in theirs if other_word.number and not other_word.word.isdigit()}
    written = any(counterpart.place in signs and counterpart.link > UNIT_LINK for counterpart in word.counterparts)
    return UNIT_LIKE if written and not word.number else 0.0
