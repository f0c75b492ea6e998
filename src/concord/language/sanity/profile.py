"""What is known of all answers of a run: their usual length, and the answers that different texts got."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os.path import commonprefix
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
_SENTENCE_MARKS = ".,!?…。！？、¿¡।؟"
_INNER_END = re.compile(rf"[\w{_SENTENCE_MARKS}]+$")
"""What may belong to the answers, which may begin or end alike."""
_NO_WRAPPER = re.compile(rf"\w*[\s{_SENTENCE_MARKS}]*\w*")
"""A single word, or how sentences end."""
NEARLY_ALL = 0.95
LONGEST_REPEATED = 500
MOST_REPEATED = 1_000


@dataclass(frozen=True, slots=True)
class AnswerProfile:
    """The usual ratio of lengths, with how far from it an answer may be, repeated answers with their counts, and what
    nearly all answers, but not the texts, begin or end with."""

    usual: float = 0.0
    times: float = WIDEST
    answers: Mapping[str, int] = field(default_factory=dict)
    prefix: str = ""
    suffix: str = ""

    def wrapped(self, text: str, answer: str) -> list[list[int]]:
        """The spans of an answer that nearly all answers have at these places, if its text has not."""
        begins = self.prefix and answer.startswith(self.prefix) and not text.startswith(self.prefix)
        ends = self.suffix and answer.endswith(self.suffix) and not text.endswith(self.suffix)
        size = len(answer)
        return [[0, len(self.prefix)]] * bool(begins) + [[size - len(self.suffix), size]] * bool(ends)

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
    backward = [(text.words[::-1], answer.words[::-1]) for text, answer in pairs]
    prefix, suffix = _wrapper([(text.words, answer.words) for text, answer in pairs]), _wrapper(backward)[::-1]
    usual = median(ratios)
    spread = max(ratios[len(ratios) * 19 // 20] / usual, usual / ratios[len(ratios) // 20])
    return AnswerProfile(round(usual, 3), round(max(WIDEST, spread * spread), 3), repeated, prefix, suffix)


def _wrapper(pairs: list[tuple[str, str]]) -> str:
    """What nearly all different answers begin with although their texts do not begin alike."""
    texts, answers = ({pair[side] for pair in pairs} for side in (0, 1))
    return "" if _shared(texts, 0.5) or len(answers) < LEAST_PAIRS else _shared(answers, NEARLY_ALL)


def _shared(words: Iterable[str], share: float) -> str:
    """The longest beginning that a share of the texts have, in whole words; empty if it tells nothing."""
    ordered = sorted(words)
    size = math.ceil(share * len(ordered))
    ends = zip(ordered, ordered[size - 1 :], strict=False)
    longest = max((commonprefix(pair) for pair in ends), key=len)  # noqa: RUF071 - character by character is meant
    whole = _INNER_END.sub("", longest)
    return "" if _NO_WRAPPER.fullmatch(whole) else whole


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
