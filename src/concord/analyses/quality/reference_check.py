"""Whether references belong to the sentences that they stand beside: they fit better than those of other sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from concord.analyses.quality.observations import Observed
from concord.metrics import similarity_many
from concord.model import Text
from concord.stats.bootstrap_sentences import Floats

FEWEST = 5
MOST = 200
"""Sentences that are looked at; more would say the same."""
SURE = 2.0
"""Standard errors: references in a wrong order fit better than the next ones by as much one time in forty."""


def misplaced(seen: Observed, references: Mapping[int, str]) -> Iterator[str]:
    """A word where translations are no more like their own reference than like that of the next sentence, by chrF."""
    following = _following(references)
    outputs = {place: words for place, words in seen.outputs.items() if place[1] in following}
    if len({sentence for _, sentence in outputs}) < FEWEST:
        return
    own, other = (_likeness(outputs, chosen, seen.target) for chosen in (references, following))
    gain = own - other
    if gain.mean() <= SURE * gain.std(ddof=1) / np.sqrt(len(gain)):
        yield (
            f"{seen.direction}: translations are no more like their own references than like those of the next"
            f" sentences (chrF {own.mean():.2f} and {other.mean():.2f}). Are the references in the order of the corpus,"
            f" and in '{seen.target}'?"
        )


def _likeness(outputs: Mapping[tuple[int, int], str], references: Mapping[int, str], lang: str) -> Floats:
    """By sentence, the mean over systems."""
    pairs = [(Text(references[sentence], lang), Text(words, lang)) for (_, sentence), words in outputs.items()]
    found: dict[int, list[float]] = {}
    for (_, sentence), score in zip(outputs, similarity_many("chrf", pairs), strict=True):
        found.setdefault(sentence, []).append(score)
    return np.array([sum(scores) / len(scores) for scores in found.values()])


def _following(references: Mapping[int, str]) -> dict[int, str]:
    """For each sentence the reference of the next; the first follows the last. One that is the same tells nothing."""
    numbers = sorted(references)[:MOST]
    around = zip(numbers, [*numbers[1:], *numbers[:1]], strict=True)
    return {number: references[after] for number, after in around if references[after] != references[number]}
