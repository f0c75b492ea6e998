"""What two texts share, word by word in order, and what each has of its own."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from concord.comparator.words import Sentence


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens that are shared, each with the other text's, for either side; and those that are not.

    Those between the same shared words have the same number in `gaps`.
    """

    shared: tuple[dict[int, int], dict[int, int]]
    own: tuple[tuple[int, ...], tuple[int, ...]]
    gaps: tuple[dict[int, int], dict[int, int]]


def difference(one: Sentence, other: Sentence) -> Difference:
    """The longest common row of words, and the rest."""
    here: dict[int, int] = {}
    gaps: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for step in LCSseq.opcodes(one.keys, other.keys):
        ours, theirs = one.places[step.src_start : step.src_end], other.places[step.dest_start : step.dest_end]
        if step.tag == "equal":
            here.update(zip(ours, theirs, strict=True))
        else:
            gaps[0].update(dict.fromkeys(ours, len(here)))
            gaps[1].update(dict.fromkeys(theirs, len(here)))
    there = {theirs: ours for ours, theirs in here.items()}
    return Difference((here, there), (tuple(gaps[0]), tuple(gaps[1])), gaps)
