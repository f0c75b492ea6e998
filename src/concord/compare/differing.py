"""What two texts share, word by word in order, and what each has of its own."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from concord.compare.words import Sentence


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens that are shared, each with the other text's, for either side; and those that are not."""

    shared: tuple[dict[int, int], dict[int, int]]
    own: tuple[tuple[int, ...], tuple[int, ...]]


def difference(one: Sentence, other: Sentence) -> Difference:
    """The longest common row of words, and the rest."""
    here: dict[int, int] = {}
    left: tuple[list[int], list[int]] = ([], [])
    for step in LCSseq.opcodes(one.keys, other.keys):
        ours, theirs = one.places[step.src_start : step.src_end], other.places[step.dest_start : step.dest_end]
        if step.tag == "equal":
            here.update(zip(ours, theirs, strict=True))
        else:
            left[0].extend(ours)
            left[1].extend(theirs)
    there = {theirs: ours for ours, theirs in here.items()}
    return Difference((here, there), (tuple(left[0]), tuple(left[1])))
