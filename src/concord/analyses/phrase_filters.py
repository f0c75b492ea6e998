"""Two filters of phrases, as He et al. (ICSE 2021) tuned them: at most so many words, at least so many that mean much.

The counts are of stored cases, so filters are as strict as those of the run, or stricter; nothing is translated.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from concord.labels.majority import UNDECIDED
from concord.language.phrases import content_words, is_word
from concord.language.tokens import split
from concord.model import Text

LONGEST, MOST_CONTENT = "max_words", "min_content"
"""The options of a relation that has these filters."""
WIDEST = 20
"""The highest limits of the grid: those of the paper are 20 words, and 10 of content."""


@dataclass(frozen=True, slots=True)
class FilterPoint:
    """What two limits leave: phrases, pairs and flagged pairs; of the latter those with a verdict, and the errors."""

    words: int
    content: int
    phrases: int
    pairs: int
    flagged: int
    decided: int
    erroneous: int

    @property
    def precision(self) -> float | None:
        return self.erroneous / self.decided if self.decided else None


def filter_grid(options: Mapping[str, Any], cases: Iterable[tuple[Text, bool, str]]) -> list[FilterPoint]:
    """Every pair of limits within those of a run, for cases as (phrase, whether flagged, what people say).

    It is empty for a relation without these filters.
    """
    if not {LONGEST, MOST_CONTENT} <= options.keys():
        return []
    every = [_Measured(phrase.words, *_sizes(phrase), flagged, verdict) for phrase, flagged, verdict in cases]
    longest = min(options[LONGEST], WIDEST)
    most = min(longest, max((case.content for case in every), default=0))
    return [
        _point(words, content, every)
        for words in range(2, longest + 1)
        for content in range(options[MOST_CONTENT], min(words, most) + 1)
    ]


class _Measured(NamedTuple):
    phrase: str
    words: int
    content: int
    flagged: bool
    verdict: str


def _sizes(phrase: Text) -> tuple[int, int]:
    words = [word for word in split(phrase) if is_word(word)]
    return len(words), content_words(words, phrase.lang)


def _point(words: int, content: int, cases: Sequence[_Measured]) -> FilterPoint:
    left = [case for case in cases if case.words <= words and case.content >= content]
    flagged = [case for case in left if case.flagged]
    decided = [case.verdict for case in flagged if case.verdict not in ("", UNDECIDED)]
    phrases = len({case.phrase for case in left})
    return FilterPoint(words, content, phrases, len(left), len(flagged), len(decided), decided.count("error"))
