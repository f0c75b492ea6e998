"""The ranker of substitutes: whether a word of the lexicon fits a place in a sentence, and how natural it is there."""

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

# Weights of a logistic regression on readers' verdicts on candidates for the bundled corpus, so that a score is about
# the proportion of such substitutes that a reader accepts (docs/substitutes.md). The features are the cosine of the
# two words' vectors, the semantic similarity of their meanings, how much of the original's use is in one sense, each
# from 0 to 1; how much less similar than the original the word is to the rest of the sentence; how much rarer it is;
# and what makes a place harder or a relation safer. The weight of the neighbours was fitted last, the others fixed.
BASE, COSINE, SEMANTIC, PLAIN, STRANGENESS, RARER = -4.32, 4.47, 2.77, 1.09, -6.11, -0.15
VERB, BEFORE_OF, OWNED = -0.75, -1.87, -0.85
SAFER = {"co-hyponym": 0.82, "antonym": 1.6}
NEIGHBOURS, MOST_LOST = 0.22, -3.0
"""The penalty for being less usual beside the neighbours than the original. To be more usual adds nothing."""
OWNINGS = 21
"""A topic of WordNet. Words for money and rights have exact meanings, and similar words mean something else."""
TIMES_RARER, COMMON = 10, 6_000
"""A word may be this many times rarer than the original; nobody wonders at one that is common."""
MASS, COUNT = 4.0, 15.0
"""How much rarer the plural is than the singular: at least, of a mass noun; at most, of a count noun."""
_SLACK = 1e-3
"""The tolerance of a sum that is only a bound; a score near the least one is computed in full."""
_REMEMBERED = 10_000
"""The originals whose near forms are cached, at two and a half kilobytes each."""
_REASONS = ("", "repetition", "another kind of name", *UNFIT, "frequency", "frame", "countability", "person or thing")
"""Why a word does not fit a place; of several reasons the first is counted."""


class NearForms:
    """The forms with vectors similar to an original's, and their relations to it."""

    def __init__(self, lexicon: Lexicon, original: WordForm) -> None:
        self._lexicon, self._original = lexicon, original
        self._shelf = lexicon.shelf(original.tag)
        self.rows, self.cosines = lexicon.nearest(original)

    @cached_property
    def semantic_similarities(self) -> NDArray[np.float64]:
        return self._lexicon.meanings.similarities(self._original.lemma, self._shelf.lemmas[self.rows])

    def words(self, indices: NDArray[np.intp]) -> NDArray[np.intp]:
        return self._shelf.words[self.rows[indices]]

    def related(self, index: int) -> tuple[WordForm, str]:
        """A form, and how it is related to the original."""
        form = self._lexicon.form(self._shelf, int(self.rows[index]))
        return form, self._lexicon.kind(self._original, form)


class Natural(NamedTuple):
    """A form that fits the place, its relation to the original, and how natural it would be, from 0 to 1."""

    form: WordForm
    kind: str
    score: float


class Judge:
    """The judge of words for one place, whose requirements it finds out once. `rejected` counts reasons."""

    def __init__(self, place: Place, lexicon: Lexicon, rejected: Counter[str]) -> None:
        self._place = place
        self._lexicon = lexicon
        self._rejected = rejected
        self._originals = lexicon.forms(place.word, place.tag)
        self._rank = lexicon.rank(place.word) or 0
        self._frames = self._required_frames() if place.tag in VERBS else 0
        self._countable = countable(place)
        self._other_words = lexicon.numbers(place.other_words)
        self._ease = BASE + VERB * (place.tag in VERBS) + BEFORE_OF * (place.word_at(1) == "of")
        self._person = any(lexicon.topic(form) == PERSONS for form in self._originals)

    def natural(self, least: float, kinds: Collection[str]) -> Iterator[Natural]:
        """The forms whose score is at least `least`; kinds other than `kinds` may be left out."""
        for original in self._originals:
            if self._place.tag in NAMES:
                yield from self._name_substitutes(original, least)
            else:
                yield from self._word_substitutes(original, least, kinds)

    def _name_substitutes(self, original: WordForm, least: float) -> Iterator[Natural]:
        near_forms = _near_forms(self._lexicon, original)
        scores = (1 + near_forms.cosines) / 2
        repeated = _among(facts(self._lexicon, original.tag).lemma[near_forms.rows], self._other_words)
        self._rejected["repetition"] += int(repeated.sum())
        self._rejected["similarity"] += int((scores[~repeated] < least).sum())
        for index in np.flatnonzero(~repeated & (scores >= least)).tolist():
            form, kind = near_forms.related(index)
            if kind in ("co-hyponym", "synonym"):
                yield Natural(form, kind, float(scores[index]))
            else:
                self._rejected["another kind of name"] += 1

    def _word_substitutes(self, original: WordForm, least: float, kinds: Collection[str]) -> Iterator[Natural]:
        """Substitutes for a word; the costliest evidence comes last, for forms that can still reach the least score."""
        near_forms = _near_forms(self._lexicon, original)
        indices = self.in_place(near_forms, original)
        plain = PLAIN * float(self._lexicon.meanings.plainness[original.lemma])
        owned = OWNED * (self._lexicon.topic(original) == OWNINGS)
        evidence = self._ease + (plain + owned) + self._word_evidence(near_forms, original, indices)
        safest = max((SAFER.get(kind, 0.0) for kind in kinds), default=0.0)
        near = evidence + safest >= _evidence(least) - _SLACK
        self._rejected["similarity"] += int(len(indices) - near.sum())
        for index, sum_so_far in zip(indices[near].tolist(), evidence[near].tolist(), strict=True):
            form, kind = near_forms.related(index)
            by_itself = sum_so_far + SAFER.get(kind, 0.0)
            # Only the last bits of the C library's `exp` and `log` can differ here, on processors without FMA; a score
            # that is made of a dozen measured numbers does not come that near to a limit.
            score = _chance(by_itself + self._neighbour_evidence(form.word))
            if score >= least:
                yield Natural(form, kind, score)
            else:
                self._rejected["place" if _chance(by_itself) >= least else "similarity"] += 1

    def in_place(self, near_forms: NearForms, original: WordForm) -> NDArray[np.intp]:
        """The indices of the near forms that nothing speaks against."""
        forms = facts(self._lexicon, original.tag).take(near_forms.rows)
        reasons = self._reasons(forms, capital=original.word[0].isupper())
        for number, count in enumerate(np.bincount(reasons).tolist()):
            if number and count:
                self._rejected[_REASONS[number]] += count
        return np.flatnonzero(reasons == 0)

    def _reasons(self, forms: Facts, *, capital: bool) -> NDArray[np.int8]:
        """For each form the number of the first reason why it does not fit, or 0."""
        reasons = np.zeros(len(forms.rank), np.int8)
        reasons[forms.person != self._person] = _REASONS.index("person or thing")
        if self._countable is not None:
            suitable = forms.plural <= COUNT if self._countable else forms.plural >= MASS
            reasons[~suitable] = _REASONS.index("countability")
        if self._frames:
            reasons[forms.frames & np.uint64(self._frames) == 0] = _REASONS.index("frame")
        reasons[forms.rank > max(COMMON, TIMES_RARER * self._rank)] = _REASONS.index("frequency")
        unfit = forms.unfit > 0
        reasons[unfit] = forms.unfit[unfit] + (_REASONS.index(UNFIT[0]) - 1)
        reasons[forms.capital != capital] = _REASONS.index("another kind of name")
        reasons[_among(forms.lemma, self._other_words)] = _REASONS.index("repetition")
        return reasons

    def _word_evidence(
        self, near_forms: NearForms, original: WordForm, indices: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """The evidence for near forms that does not depend on their neighbours."""
        words, context = near_forms.words(indices), self._lexicon.mean(self._place.context())
        rarer = log((self._lexicon.ranks[words] + 501) / (self._rank + 501))
        suits = self._lexicon.similarity_to_mean(np.append(words, original.number), context)
        lost = suits[-1] - suits[:-1]
        against = RARER * np.maximum(rarer, 0) + STRANGENESS * np.maximum(lost, 0)
        similar = COSINE * near_forms.cosines[indices] + SEMANTIC * near_forms.semantic_similarities[indices]
        return np.asarray(similar + against)

    def _neighbour_evidence(self, word: str) -> float:
        """The evidence against the word because of its neighbours."""
        place = self._place
        lost = neighbours().lost(place.word, word, place.word_at(-1), place.word_at(1))
        return NEIGHBOURS * max(lost, MOST_LOST)

    def _required_frames(self) -> int:
        """The frames that the place requires; all those of the original if it has none of them, as in a rare use."""
        own = 0
        for form in self._originals:
            own |= int(self._lexicon.all_frames[form.lemma])
        required = frames(self._place)
        return required if own & required else own


@lru_cache(maxsize=_REMEMBERED)
def _near_forms(lexicon: Lexicon, original: WordForm) -> NearForms:
    return NearForms(lexicon, original)


def _among(numbers: NDArray[Any], members: NDArray[Any]) -> NDArray[np.bool_]:
    """Which numbers are among a few members; for so few, sorting would take longer."""
    return np.asarray((numbers[:, None] == members).any(axis=1))


def _chance(evidence: float) -> float:
    return 1 / (1 + exp_of(-evidence))


def _evidence(score: float) -> float:
    """The sum of evidence that gives a score."""
    return math.inf if score > 1 else -math.inf if score <= 0 else log_of(score / max(1 - score, 1e-9))
