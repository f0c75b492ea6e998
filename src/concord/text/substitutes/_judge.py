"""Whether a word of the lexicon fits a place in a sentence, and how natural it would be there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from concord.text.lexicon import Form, Lexicon, Neighbour
from concord.text.stopwords import stop_words
from concord.text.substitutes._light import LIGHT
from concord.text.substitutes._neighbours import neighbours
from concord.text.substitutes._place import NAMES, TIMES, VERBS, Place, countable, frames

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
PERSONS, OWNINGS = 18, 21
"""Topics of WordNet. Words for money and rights have exact meanings, and their neighbours say something else."""
USUAL, USUAL_VERB = 0.5, 0.3
"""The least share of a spelling's use that is under the part of speech in question; verbs are often nouns too."""
TIMES_RARER, COMMON = 10, 6_000
"""A word may be so many times rarer than the original; nobody wonders at one that is common."""
MASS, COUNT = 4.0, 15.0
"""How much rarer the plural is than the singular: at least, of a mass noun; at most, of a count noun."""
NEVER = 1e6


_SLACK = 1e-3
"""How much a sum may be off that is only a bound; what is near the least score is added up once more."""
_SHARES = 1.02
"""What the shares of a word's senses add up to at most, rounded as they are."""
_REMEMBERED, _WORDS = 1_000, 50_000
"""The originals whose neighbours are kept in mind, and the words of which something is."""


class Facts(NamedTuple):
    """What is asked of a form wherever it is to stand: `reason` says why it stands nowhere, if it does not.

    No kinship with the form exceeds `most_kinship`.
    """

    lemma: str
    capital: bool
    rank: int
    reason: str
    person: bool = False
    most_kinship: float = 0.0


class Possible(NamedTuple):
    """A form that is not out of place, by its number, with the evidence for it as far as that is cheap to come by."""

    at: int
    form: Form
    cosine: float
    rarer: float
    evidence: float


class Circle:
    """The forms whose company is like an original's, and what they are to it as far as that was asked."""

    def __init__(self, known: Lexicon, original: Form) -> None:
        self._known, self._original = known, original
        self.near = [(form, cosine, _facts(known, form)) for form, cosine in known.near(original)]
        self._kinship: dict[int, float] = {}
        self._related: dict[int, Neighbour] = {}

    def kinship(self, at: int) -> float:
        found = self._kinship.get(at)
        if found is None:
            found = self._kinship[at] = self._known.kinship(self._original, self.near[at][0])
        return found

    def related(self, at: int) -> Neighbour:
        found = self._related.get(at)
        if found is None:
            form, cosine, _ = self.near[at]
            found = self._related[at] = self._known.related(self._original, form, cosine)
        return found


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
        self._others = place.others()
        self._ease = self._place_is_easy()
        self._person = any(_person(known, form) for form in self._originals)

    def natural(self, least: float, kinds: Collection[str]) -> Iterator[tuple[float, Neighbour]]:
        """Those that are in place and how natural they would be, from `least` to 1; other kinds may be left out."""
        for original in self._originals:
            if self._place.tag in NAMES:
                yield from self._named(original, least)
            else:
                yield from self._worded(original, least, kinds)

    def _named(self, original: Form, least: float) -> Iterator[tuple[float, Neighbour]]:
        circle = _circle(self._known, original)
        for at, (_, cosine, facts) in enumerate(circle.near):
            if facts.lemma in self._others:
                self._rejected["repetition"] += 1
                continue
            neighbour = circle.related(at)
            if neighbour.kind not in ("co-hyponym", "synonym"):
                self._rejected["another kind of name"] += 1
            elif (score := (1 + cosine) / 2) < least:
                self._rejected["similarity"] += 1
            else:
                yield score, neighbour

    def _worded(self, original: Form, least: float, kinds: Collection[str]) -> Iterator[tuple[float, Neighbour]]:
        """What costs most to find out comes last, and only for those that can still reach the least score."""
        of_original = self._of_original(original)
        safest = max((SAFER.get(kind, 0.0) for kind in kinds), default=0.0)
        wanted = _evidence(least) - _SLACK - self._ease - of_original - safest
        circle = _circle(self._known, original)
        for each in self._possible(circle, original, wanted):
            reason = "similarity"
            akin = each.evidence + KINSHIP * circle.kinship(each.at)
            if akin >= wanted and akin + STRANGENESS * (lost := self._lost(each.form.word)) >= wanted:
                neighbour = circle.related(each.at)
                evidence = self._evidence(each, neighbour, of_original, lost)
                if (score := _chance(evidence + self._here(each.form.word))) >= least:
                    yield score, neighbour
                    continue
                if _chance(evidence) >= least:
                    reason = "place"
            self._rejected[reason] += 1

    def _possible(self, circle: Circle, original: Form, wanted: float) -> list[Possible]:
        """The neighbours that nothing speaks against, and whose kinship may be enough for what is wanted."""
        found = []
        rarest, capital = max(COMMON, TIMES_RARER * self._rank), original.word[0].isupper()
        others, rejected = self._others, self._rejected
        for at, (form, cosine, (lemma, upper, rank, reason, person, most_kinship)) in enumerate(circle.near):
            if lemma in others:
                reason = "repetition"
            elif upper != capital:
                reason = "another kind of name"
            elif not reason:
                reason = "frequency" if rank > rarest else self._fault(form, person)
            if not reason:
                rarer = max(0.0, math.log((rank + 501) / (self._rank + 501)))
                evidence = COMPANY * cosine + RARER * rarer
                if evidence + KINSHIP * most_kinship >= wanted:
                    found.append(Possible(at, form, cosine, rarer, evidence))
                    continue
                reason = "similarity"
            rejected[reason] += 1
        return found

    def _fault(self, form: Form, person: bool) -> str:
        if self._frames and not self._known.frames(form) & self._frames:
            return "frame"
        if self._countable is not None:
            ratio = _plural(self._known, form)
            if not (ratio <= COUNT if self._countable else ratio >= MASS):
                return "countability"
        return "person or thing" if person != self._person else ""

    def _evidence(self, each: Possible, neighbour: Neighbour, of_original: float, lost: float) -> float:
        evidence = self._ease + COMPANY * each.cosine + KINSHIP * neighbour.kinship
        evidence += of_original
        return evidence + STRANGENESS * lost + RARER * each.rarer + SAFER.get(neighbour.kind, 0.0)

    def _lost(self, word: str) -> float:
        """How much less the word suits the rest of the sentence than the original."""
        return max(0.0, self._fit - self._fitting(word))

    def _here(self, word: str) -> float:
        """What speaks against the word because of what stands next to it."""
        place = self._place
        lost = neighbours().lost(place.word, word, place.word_at(-1), place.word_at(1))
        return HERE * max(lost, MOST_LOST)

    def _of_original(self, original: Form) -> float:
        return PLAIN * self._known.plainness(original) + OWNED * (self._known.topic(original) == OWNINGS)

    def _place_is_easy(self) -> float:
        return BASE + VERB * (self._place.tag in VERBS) + BEFORE_OF * (self._place.word_at(1) == "of")

    def _wanted_frames(self) -> int:
        """Those that the place asks for, as far as the original has them; a rare use is held to the original's own."""
        own = 0
        for form in self._originals:
            own |= self._known.frames(form)
        asked = frames(self._place)
        return asked if own & asked else own

    @cached_property
    def _fit(self) -> float:
        return self._fitting(self._place.word)

    @cached_property
    def _company(self) -> list[str]:
        return self._place.company()

    def _fitting(self, word: str) -> float:
        return float(self._known.similarity(word, self._company).mean()) if self._company else 0.0


@lru_cache(maxsize=_REMEMBERED)
def _circle(known: Lexicon, original: Form) -> Circle:
    return Circle(known, original)


@lru_cache(maxsize=_WORDS)
def _facts(known: Lexicon, form: Form) -> Facts:
    lemma = known.lemma(form)
    facts = Facts(lemma, form.word[0].isupper(), known.rank(form.word) or 0, _unfit(known, form, lemma))
    if facts.reason:
        return facts
    # A sense counts by the root of its share, as much as the original's do.
    most_kinship = _SHARES * math.sqrt(known.plainness(form))
    return facts._replace(person=_person(known, form), most_kinship=most_kinship)


def _unfit(known: Lexicon, form: Form, lemma: str) -> str:
    if lemma in LIGHT.get(form.tag[0], frozenset()) or form.word in stop_words("en"):
        return "function word"
    if form.word in TIMES:
        return "measure"
    return "part of speech" if known.share(form) < (USUAL_VERB if form.tag in VERBS else USUAL) else ""


def _person(known: Lexicon, form: Form) -> bool:
    return known.topic(form) == PERSONS


@lru_cache(maxsize=_WORDS)
def _plural(known: Lexicon, form: Form) -> float:
    """How many times rarer a noun's plural is."""
    many = known.inflected(form.lemma, "NNS")
    return NEVER if many is None else _rank(known, many.word) / _rank(known, form.word)


def _chance(evidence: float) -> float:
    return 1 / (1 + math.exp(-evidence))


def _evidence(score: float) -> float:
    """What adds up to a score."""
    return math.inf if score > 1 else -math.inf if score <= 0 else math.log(score / max(1 - score, 1e-9))


def _rank(known: Lexicon, word: str) -> int:
    return 1 + (known.rank(word) or 0)
