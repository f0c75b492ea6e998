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
from concord.language.substitutes._slot import NAMES, VERBS, Place, countable, frames
from concord.language.substitutes._word_vectors import word_vectors

# Weights of a logistic regression on readers' verdicts, so that a score is about the proportion of such substitutes
# that a reader accepts (docs/substitutes.md); `models/lexicon/score.py` fits them. The features are the cosine of the
# two words' vectors by GloVe, the semantic similarity of their meanings, the cosine of their vectors by MiniLM, and how
# much of the original's use is in one sense, each from 0 to 1; how much less similar than the original the word is to
# the rest of the sentence; how much rarer it is; and what makes a place harder or easier, or a relation safer.
WEIGHTS = {
    "base": -2.37, "cosine": 2.18, "semantic": 2.03, "vector": 1.74, "plain": 0.7, "strange": -6.44, "rarer": -0.27,
    "verb": -0.29, "plural": 0.52, "before of": -1.14, "owned": -0.75,
}  # fmt: skip
SAFER = {"synonym": 0.7, "co-hyponym": 0.79, "antonym": 1.6}
"""No verdict is about opposites; their weight is the author's."""
NEAR = 0.6
"""The least mean of `cosine` and `semantic` of words that mean much the same, unless they are synonyms."""
NEAREST, LEAST_COSINE = 80, 0.4
"""Candidates by GloVe: how many at most, and how near at least."""
NEAREST_VECTORS, LEAST_VECTOR = 40, 0.25
"""Candidates by MiniLM."""
OWNINGS = 21
"""A topic of WordNet. Words for money and rights have exact meanings, and similar words mean something else."""
TIMES_RARER, COMMON = 10, 6_000
"""A word may be this many times rarer than the original; nobody wonders at one that is common."""
MASS, COUNT = 4.0, 15.0
"""How much rarer the plural is than the singular: at least, of a mass noun; at most, of a count noun."""
_SLACK = 1e-3
"""The tolerance of a sum that is only a bound; a score near the least one is computed in full."""
_REMEMBERED = 10_000
"""The originals whose near forms are cached, at some five kilobytes each."""
_REASONS = ("", "repetition", "another kind of name", *UNFIT, "frequency", "frame", "countability", "person or thing")
"""Why a word does not fit a place; of several reasons the first is counted."""


class NearForms:
    """The candidates for an original: the forms with similar vectors, by GloVe or MiniLM, and their relations to it."""

    def __init__(self, lexicon: Lexicon, original: WordForm) -> None:
        self._lexicon, self._original = lexicon, original
        self._shelf = lexicon.shelf(original.tag)
        cosines, vectors = lexicon.cosines(original), word_vectors().cosines(original)
        near = np.union1d(_nearest(cosines, NEAREST, LEAST_COSINE), _nearest(vectors, NEAREST_VECTORS, LEAST_VECTOR))
        self.rows = near[self._shelf.lemmas[near] != original.lemma]
        self.cosines, self.vectors = cosines[self.rows], vectors[self.rows]
        self._related: dict[int, tuple[WordForm, str]] = {}

    @cached_property
    def semantic_similarities(self) -> NDArray[np.float64]:
        return self._lexicon.meanings.similarities(self._original.lemma, self._shelf.lemmas[self.rows])

    def words(self, indices: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.asarray(self._shelf.words[self.rows[indices]])

    def related(self, index: int) -> tuple[WordForm, str]:
        """A form, and how it is related to the original."""
        if index not in self._related:
            form = self._lexicon.form(self._shelf, int(self.rows[index]))
            self._related[index] = form, self._lexicon.kind(self._original, form)
        return self._related[index]

    def kind(self, index: int) -> str:
        """The kind of substitute that a form is: its relation, or `fitting` if it means something else."""
        _, relation = self.related(index)
        if relation in ("synonym", "antonym"):
            return relation
        near = self.cosines[index] + self.semantic_similarities[index] >= 2 * NEAR
        return relation if near else "fitting"


class Natural(NamedTuple):
    """A form that fits the place, the kind of substitute that it is, and how natural it would be, from 0 to 1."""

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
        """Substitutes for a word; its relations to them are looked up if they can still reach the least score."""
        near_forms = _near_forms(self._lexicon, original)
        indices = self.in_place(near_forms, original)
        features = self.features(near_forms, original, indices)
        evidence = np.zeros(len(indices))
        for name, values in features.items():
            evidence += WEIGHTS[name] * values
        safest = max(SAFER[name] for name in SAFER if name in kinds or name != "antonym")
        near = evidence + safest >= _evidence(least) - _SLACK
        self._rejected["similarity"] += int(len(indices) - near.sum())
        for index, without_relation in zip(indices[near].tolist(), evidence[near].tolist(), strict=True):
            form, relation = near_forms.related(index)
            kind = near_forms.kind(index)
            # Only the last bits of the C library's `exp` and `log` can differ here, on processors without FMA; a score
            # that is made of a dozen measured numbers does not come that near to a limit.
            score = _chance(without_relation + SAFER.get(relation, 0.0))
            if score < least or kind not in kinds:
                self._rejected["kind" if score >= least else "similarity"] += 1
            else:
                yield Natural(form, kind, score)

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

    def features(
        self, near_forms: NearForms, original: WordForm, indices: NDArray[np.intp]
    ) -> dict[str, float | NDArray[np.float64]]:
        """What is known of near forms in this place, by the names of `WEIGHTS`; relations between words left out."""
        place, lexicon = self._place, self._lexicon
        words, context = near_forms.words(indices), lexicon.mean(place.context())
        suits = lexicon.similarity_to_mean(np.append(words, original.number), context)
        return {
            "base": 1.0,
            "cosine": near_forms.cosines[indices],
            "semantic": near_forms.semantic_similarities[indices],
            "vector": near_forms.vectors[indices],
            "plain": float(lexicon.meanings.plainness[original.lemma]),
            "strange": np.maximum(suits[-1] - suits[:-1], 0),
            "rarer": np.maximum(log((lexicon.ranks[words] + 501) / (self._rank + 501)), 0),
            "verb": float(place.tag in VERBS),
            "plural": float(place.tag == "NNS"),
            "before of": float(place.word_at(1) == "of"),
            "owned": float(lexicon.topic(original) == OWNINGS),
        }

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


def _nearest(cosines: NDArray[np.float64], most: int, least: float) -> NDArray[np.intp]:
    near = np.flatnonzero(cosines >= least)
    # Stable: of several that are equally near, the same ones on every processor.
    return np.asarray(near[np.argsort(-cosines[near], kind="stable")[:most]])


def _among(numbers: NDArray[Any], members: NDArray[Any]) -> NDArray[np.bool_]:
    """Which numbers are among a few members; for so few, sorting would take longer."""
    return np.asarray((numbers[:, None] == members).any(axis=1))


def _chance(evidence: float) -> float:
    return 1 / (1 + exp_of(-evidence))


def _evidence(score: float) -> float:
    """The sum of evidence that gives a score."""
    return math.inf if score > 1 else -math.inf if score <= 0 else log_of(score / max(1 - score, 1e-9))
