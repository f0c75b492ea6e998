"""Whether a word of the lexicon fits a place in a sentence, and how natural it would be there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concord.arithmetic import exp_of, log, log_of
from concord.language.english.lexicon import Lexicon, WordForm
from concord.language.substitutes._form_features import PERSONS, UNFIT, Facts, facts
from concord.language.substitutes._neighbours import neighbours
from concord.language.substitutes._slot import NAMES, VERBS, Place, countable, frames

# Fitted by logistic regression to readers' verdicts on candidates for the bundled corpus, so that a score is about
# the share of such substitutes that a reader accepts (docs/substitutes.md). Adding up: the company that the two
# words keep, the kinship of their meanings, how much of the original's use is in one sense, each from 0 to 1; what
# the word lacks in similarity to the rest of the sentence; how much rarer it is; and what makes a place harder or a
# relation safer. What the word's neighbours say was fitted afterwards, with all else as it was.
BASE, COMPANY, KINSHIP, PLAIN, STRANGENESS, RARER = -4.32, 4.47, 2.77, 1.09, -6.11, -0.15
VERB, BEFORE_OF, OWNED = -0.75, -1.87, -0.85
SAFER = {"co-hyponym": 0.82, "antonym": 1.6}
HERE, MOST_LOST = 0.22, -3.0
"""What it takes from a word to be less usual beside its neighbours than the original. To be more usual adds nothing."""
OWNINGS = 21
"""A topic of WordNet. Words for money and rights have exact meanings, and their neighbours say something else."""
TIMES_RARER, COMMON = 10, 6_000
"""A word may be so many times rarer than the original; nobody wonders at one that is common."""
MASS, COUNT = 4.0, 15.0
"""How much rarer the plural is than the singular: at least, of a mass noun; at most, of a count noun."""
_SLACK = 1e-3
"""How far a sum may be off that is only a bound; a score near the least one is worked out."""
_REMEMBERED = 10_000
"""The originals whose neighbours are kept in mind, at two and a half kilobytes each."""
_REASONS = ("", "repetition", "another kind of name", *UNFIT, "frequency", "frame", "countability", "person or thing")
"""Why a word is out of place, if it is; of several reasons the first is told."""


class Circle:
    """The forms whose company is like an original's, and what they are to it."""

    def __init__(self, known: Lexicon, original: WordForm) -> None:
        self._known, self._original = known, original
        self._shelf = known.shelf(original.tag)
        self.rows, self.cosines = known.company(original)

    @cached_property
    def kinships(self) -> NDArray[np.float64]:
        return self._known.meanings.kinships(self._original.lemma, self._shelf.lemmas[self.rows])

    def words(self, some: NDArray[np.intp]) -> NDArray[np.intp]:
        return self._shelf.words[self.rows[some]]

    def related(self, at: int) -> tuple[WordForm, str]:
        """A form, and how it is related to the original."""
        form = self._known.form(self._shelf, int(self.rows[at]))
        return form, self._known.kind(self._original, form)


class Natural(NamedTuple):
    """A form that is in place, how it is related to the original, and how natural it would be, from 0 to 1."""

    form: WordForm
    kind: str
    score: float


class Judge:
    """Judges words for one place; what the place asks for is found out once. `rejected` counts reasons."""

    def __init__(self, place: Place, known: Lexicon, rejected: Counter[str]) -> None:
        self._place = place
        self._known = known
        self._rejected = rejected
        self._originals = known.forms(place.word, place.tag)
        self._rank = known.rank(place.word) or 0
        self._frames = self._wanted_frames() if place.tag in VERBS else 0
        self._countable = countable(place)
        self._others = known.numbers(place.others)
        self._ease = BASE + VERB * (place.tag in VERBS) + BEFORE_OF * (place.word_at(1) == "of")
        self._person = any(known.topic(form) == PERSONS for form in self._originals)

    def natural(self, least: float, kinds: Collection[str]) -> Iterator[Natural]:
        """Those whose score is at least `least`; other kinds than those given may be left out."""
        for original in self._originals:
            if self._place.tag in NAMES:
                yield from self._named(original, least)
            else:
                yield from self._worded(original, least, kinds)

    def _named(self, original: WordForm, least: float) -> Iterator[Natural]:
        circle = _circle(self._known, original)
        scores = (1 + circle.cosines) / 2
        repeated = _among(facts(self._known, original.tag).lemma[circle.rows], self._others)
        self._rejected["repetition"] += int(repeated.sum())
        self._rejected["similarity"] += int((scores[~repeated] < least).sum())
        for at in np.flatnonzero(~repeated & (scores >= least)).tolist():
            form, kind = circle.related(at)
            if kind in ("co-hyponym", "synonym"):
                yield Natural(form, kind, float(scores[at]))
            else:
                self._rejected["another kind of name"] += 1

    def _worded(self, original: WordForm, least: float, kinds: Collection[str]) -> Iterator[Natural]:
        """What costs most to find out comes last, and only for those that can still reach the least score."""
        circle = _circle(self._known, original)
        some = self.in_place(circle, original)
        evidence = self._ease + self._of_original(original) + self._of_each(circle, original, some)
        safest = max((SAFER.get(kind, 0.0) for kind in kinds), default=0.0)
        near = evidence + safest >= _evidence(least) - _SLACK
        self._rejected["similarity"] += int(len(some) - near.sum())
        for at, sure in zip(some[near].tolist(), evidence[near].tolist(), strict=True):
            form, kind = circle.related(at)
            by_itself = sure + SAFER.get(kind, 0.0)
            # Only the last bits of the C library's `exp` and `log` can differ here, on processors without FMA; a score
            # that is made of a dozen measured numbers does not come that near to a limit.
            score = _chance(by_itself + self._here(form.word))
            if score >= least:
                yield Natural(form, kind, score)
            else:
                self._rejected["place" if _chance(by_itself) >= least else "similarity"] += 1

    def in_place(self, circle: Circle, original: WordForm) -> NDArray[np.intp]:
        """Those of the circle that nothing speaks against."""
        of_each = facts(self._known, original.tag).of(circle.rows)
        reasons = self._reasons(of_each, capital=original.word[0].isupper())
        for number, count in enumerate(np.bincount(reasons).tolist()):
            if number and count:
                self._rejected[_REASONS[number]] += count
        return np.flatnonzero(reasons == 0)

    def _reasons(self, of_each: Facts, *, capital: bool) -> NDArray[np.int8]:
        """For each the number of the first reason why it is out of place, or 0."""
        found = np.zeros(len(of_each.rank), np.int8)
        found[of_each.person != self._person] = _REASONS.index("person or thing")
        if self._countable is not None:
            fine = of_each.plural <= COUNT if self._countable else of_each.plural >= MASS
            found[~fine] = _REASONS.index("countability")
        if self._frames:
            found[of_each.frames & np.uint64(self._frames) == 0] = _REASONS.index("frame")
        found[of_each.rank > max(COMMON, TIMES_RARER * self._rank)] = _REASONS.index("frequency")
        unfit = of_each.unfit > 0
        found[unfit] = of_each.unfit[unfit] + (_REASONS.index(UNFIT[0]) - 1)
        found[of_each.capital != capital] = _REASONS.index("another kind of name")
        found[_among(of_each.lemma, self._others)] = _REASONS.index("repetition")
        return found

    def _of_each(self, circle: Circle, original: WordForm, some: NDArray[np.intp]) -> NDArray[np.float64]:
        """What speaks for some of the circle, whatever stands next to them."""
        words = circle.words(some)
        rarer = log((self._known.ranks[words] + 501) / (self._rank + 501))
        suits = self._known.suit(np.append(words, original.number), self._known.middle(self._place.company()))
        lost = suits[-1] - suits[:-1]
        against = RARER * np.maximum(rarer, 0) + STRANGENESS * np.maximum(lost, 0)
        return np.asarray(COMPANY * circle.cosines[some] + KINSHIP * circle.kinships[some] + against)

    def _here(self, word: str) -> float:
        """What speaks against the word because of what stands next to it."""
        place = self._place
        lost = neighbours().lost(place.word, word, place.word_at(-1), place.word_at(1))
        return HERE * max(lost, MOST_LOST)

    def _of_original(self, original: WordForm) -> float:
        return PLAIN * self._known.plainness(original) + OWNED * (self._known.topic(original) == OWNINGS)

    def _wanted_frames(self) -> int:
        """Those that the place asks for, as far as the original has them; a rare use is held to the original's own."""
        own = 0
        for form in self._originals:
            own |= self._known.frames(form)
        asked = frames(self._place)
        return asked if own & asked else own


@lru_cache(maxsize=_REMEMBERED)
def _circle(known: Lexicon, original: WordForm) -> Circle:
    return Circle(known, original)


def _among(each: NDArray[Any], others: NDArray[Any]) -> NDArray[np.bool_]:
    """Which are among a few others; for so few it takes less time than to sort them."""
    return np.asarray((each[:, None] == others).any(axis=1))


def _chance(evidence: float) -> float:
    return 1 / (1 + exp_of(-evidence))


def _evidence(score: float) -> float:
    """What adds up to a score."""
    return math.inf if score > 1 else -math.inf if score <= 0 else log_of(score / max(1 - score, 1e-9))
