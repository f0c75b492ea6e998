"""What is known of all answers of a run: their usual length, and the answers that different texts got."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

from concord.language.identification import UNITS, words_of
from concord.language.scripts import scripts_of
from concord.model import Text

Pair = tuple[Text, Text]

SMOOTHING = 12
"""Characters that are added to both lengths: a word more or less in a short text is no sign."""
LEAST_PAIRS = 30
"""Fewer pairs do not tell the usual length."""
WIDEST = 3.0
"""How many times longer or shorter than usual an answer may be in any case."""
ALPHABETS = frozenset({"Latn", "Cyrl", "Grek"})
USUAL = (0.7, 1.6)
"""The ratios of lengths between languages with alphabets."""
LEAST_TEXTS = 3
LEAST_WORDS = 30
"""Different texts with the same answer, and their different words, that are more than chance: a language may have a
dozen short sentences that are one in another, as French has of "You're the oldest."."""
LONGEST_REPEATED = 500
MOST_REPEATED = 1_000


@dataclass(frozen=True, slots=True)
class AnswerProfile:
    """The usual ratio of lengths, with how far from it an answer may be, and repeated answers with their counts."""

    usual: float = 0.0
    times: float = WIDEST
    answers: Mapping[str, int] = field(default_factory=dict)

    def backward(self) -> AnswerProfile:
        """What is known of the way back: the length."""
        return AnswerProfile(1 / self.usual if self.usual else 0.0, self.times)

    def repeated(self, answer: str) -> int:
        """How many different texts got this answer, if they are too many."""
        return self.answers.get(_normal(answer), 0)

    def out_of_proportion(self, text: Text, answer: Text) -> tuple[int, int] | None:
        """The least and the greatest length that was to be expected of an answer, if its own is beyond."""
        usual, times = self.usual, self.times
        if _alphabetic(text) and _alphabetic(answer):
            # As it can be: a system that cuts off every answer, or many, must not make that usual.
            usual, times = min(max(usual or 1.0, USUAL[0]), USUAL[1]), WIDEST
        size = len(text.words) + SMOOTHING
        low, high = size * usual / times - SMOOTHING, size * usual * times - SMOOTHING
        if not usual or low <= len(answer.words) <= high:
            return None
        return max(1, round(low)), round(high)


def profile(pairs: Iterable[Pair]) -> AnswerProfile:
    """The profile of texts with their answers; the order does not matter."""
    pairs = [(text, answer) for text, answer in pairs if answer.words.strip()]
    ratios = sorted((len(answer.words) + SMOOTHING) / (len(text.words) + SMOOTHING) for text, answer in pairs)
    repeated = _repeated(pairs)
    if len(ratios) < LEAST_PAIRS:
        return AnswerProfile(answers=repeated)
    usual = median(ratios)
    spread = max(ratios[len(ratios) * 19 // 20] / usual, usual / ratios[len(ratios) // 20])
    return AnswerProfile(round(usual, 3), round(max(WIDEST, spread * spread), 3), repeated)


def _alphabetic(text: Text) -> bool:
    return frozenset() < scripts_of(text.lang) <= ALPHABETS


def _repeated(pairs: Iterable[Pair]) -> dict[str, int]:
    """The answers that at least three texts got that have little in common."""
    texts: dict[str, set[str]] = defaultdict(set)
    for text, answer in pairs:
        if len(answer.words) <= LONGEST_REPEATED:
            texts[_normal(answer.words)].add(_normal(text.words))
    counts = {answer: len(group) for answer, group in texts.items() if len(group) >= LEAST_TEXTS and _differ(group)}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_REPEATED])


def _differ(texts: Iterable[str]) -> bool:
    """Whether texts of several words have few words in common."""
    sets = [set(UNITS.findall(text)) for text in sorted(texts)]
    shared, every = set.intersection(*sets), set.union(*sets)
    mean = sum(map(len, sets)) / len(sets)
    return mean >= 3 and 3 * len(shared) < mean and len(every) >= max(LEAST_WORDS, 2 * mean)


def _normal(words: str) -> str:
    return " ".join(words_of(words)) or words.strip()
