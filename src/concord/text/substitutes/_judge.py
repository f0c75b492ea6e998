"""Whether a word of the lexicon fits a place in a sentence, and how natural it would be there."""

from __future__ import annotations

import math
from collections.abc import Iterator

from concord.text.lexicon import Form, Lexicon, Neighbour, variants
from concord.text.stopwords import stop_words
from concord.text.substitutes._light import LIGHT
from concord.text.substitutes._place import NAMES, TIMES, VERBS, Place, countable, frames

# Fitted by logistic regression to readers' verdicts on candidates for the bundled corpus, so that a score is about
# the share of such substitutes that a reader accepts (docs/substitutes.md). Adding up: the company that the two
# words keep, the kinship of their meanings, how much of the original's use is in one sense, each from 0 to 1; what
# the word lacks in similarity to the rest of the sentence; how much rarer it is; and what makes a place harder or a
# relation safer.
BASE, COMPANY, KINSHIP, PLAIN, STRANGENESS, RARER = -4.32, 4.47, 2.77, 1.09, -6.11, -0.15
VERB, BEFORE_OF, OWNED = -0.75, -1.87, -0.85
SAFER = {"co-hyponym": 0.82, "antonym": 1.6}
PERSONS, OWNINGS = 18, 21
"""Topics of WordNet. Words for money and rights have exact meanings, and their neighbours say something else."""
USUAL, USUAL_VERB = 0.5, 0.3
"""The least share of a spelling's use that is under the part of speech in question; verbs are often nouns too."""
TIMES_RARER, COMMON = 10, 6_000
"""A word may be so many times rarer than the original; nobody wonders at one that is common."""
MASS, COUNT = 4.0, 15.0
"""How much rarer the plural is than the singular: at least, of a mass noun; at most, of a count noun."""
NEVER = 1e6


class Judge:
    """Judges words for one place; what the place asks for is found out once."""

    def __init__(self, place: Place, known: Lexicon) -> None:
        self._place = place
        self._known = known
        self._originals = known.forms(place.word, place.tag)
        self._frames = self._wanted_frames() if place.tag in VERBS else 0
        self._countable = countable(place)
        self._company = place.company()
        self._fit = self._fitting(place.word)
        self._others = place.others()
        self._ease = self._place_is_easy()
        self._light = LIGHT.get(place.tag[0], frozenset())
        self._person = any(known.topic(form) == PERSONS for form in self._originals)

    def verdicts(self) -> Iterator[tuple[str, float, Neighbour | None]]:
        """For each candidate why it is out of place, or else how natural it would be, from 0 to 1, and what it is."""
        for original in self._originals:
            for form, cosine in self._known.near(original):
                fault = self._fault(form)
                if fault:
                    yield fault, 0.0, None
                    continue
                neighbour = self._known.related(original, form, cosine)
                if self._place.tag not in NAMES:
                    yield "", self._score(original, neighbour), neighbour
                elif neighbour.kind in ("co-hyponym", "synonym"):
                    yield "", (1 + cosine) / 2, neighbour
                else:
                    yield "another kind of name", 0.0, None

    def _fault(self, form: Form) -> str:
        known = self._known
        if known.lemma(form) in self._others:
            return "repetition"
        if self._place.tag in NAMES:
            return ""
        if form.word[0].isupper() != self._originals[0].word[0].isupper():
            return "another kind of name"
        if known.lemma(form) in self._light or form.word in stop_words("en"):
            return "function word"
        if form.word in TIMES:
            return "measure"
        if known.share(form) < (USUAL_VERB if form.tag in VERBS else USUAL):
            return "part of speech"
        if (known.rank(form.word) or 0) > max(COMMON, TIMES_RARER * (known.rank(self._place.word) or 0)):
            return "frequency"
        if self._frames and not known.frames(form) & self._frames:
            return "frame"
        if self._countable is not None and not self._counted(form):
            return "countability"
        if (known.topic(form) == PERSONS) != self._person:
            return "person or thing"
        return "variant" if variants(self._place.word, form.word) else ""

    def _score(self, original: Form, neighbour: Neighbour) -> float:
        known, word = self._known, neighbour.form.word
        lost = max(0.0, self._fit - self._fitting(word))
        rarer = max(0.0, math.log((_rank(known, word) + 500) / (_rank(known, self._place.word) + 500)))
        evidence = self._ease + COMPANY * neighbour.similarity + KINSHIP * neighbour.kinship
        evidence += PLAIN * known.plainness(original) + OWNED * (known.topic(original) == OWNINGS)
        evidence += STRANGENESS * lost + RARER * rarer + SAFER.get(neighbour.kind, 0.0)
        return 1 / (1 + math.exp(-evidence))

    def _place_is_easy(self) -> float:
        return BASE + VERB * (self._place.tag in VERBS) + BEFORE_OF * (self._place.word_at(1) == "of")

    def _wanted_frames(self) -> int:
        """Those that the place asks for, as far as the original has them; a rare use is held to the original's own."""
        own = 0
        for form in self._originals:
            own |= self._known.frames(form)
        asked = frames(self._place)
        return asked if own & asked else own

    def _counted(self, form: Form) -> bool:
        many = self._known.inflected(form.lemma, "NNS")
        ratio = NEVER if many is None else _rank(self._known, many.word) / _rank(self._known, form.word)
        return ratio <= COUNT if self._countable else ratio >= MASS

    def _fitting(self, word: str) -> float:
        return float(self._known.similarity(word, self._company).mean()) if self._company else 0.0


def _rank(known: Lexicon, word: str) -> int:
    return 1 + (known.rank(word) or 0)
