"""Comparing two translations of texts that differ: is the difference explained by what differs in the texts?"""

import math
from dataclasses import dataclass

from concord.comparator import rule
from concord.comparator.alignment import Aligned
from concord.comparator.blame import Blame, blamed
from concord.comparator.differences import LeftOver, left_over
from concord.comparator.learned import Fitted
from concord.comparator.probability import probability
from concord.comparator.substitutions import exchanged
from concord.comparator.word_order import ordered
from concord.model import Text


@dataclass(frozen=True, slots=True)
class Comparison:
    """How suspicious two translations are, 0 to 1, and which of their words are to blame, the worst first.

    `probability` is how likely one of them is wrong: by `calibration` where the rule judges, and the suspicion itself
    for a fitted model, which is trained to give it. `words` are all words in which the translations differ: what a
    fitted model learns from.
    """

    suspicion: float
    probability: float
    blames: tuple[Blame, ...]
    words: tuple[LeftOver, ...]


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    aligned: Aligned,
    *,
    fitted: Fitted | None = None,
) -> Comparison:
    """Judge every word in which two translations differ, and by them the pair.

    Nothing explains a difference between translations of the same text; round trips and detours are compared so. The
    rule judges unless there is a fitted model that is better.

    Only what the translations have is judged. A change of the text that neither of them shows is not suspicious: on
    labelled pairs, it does not predict errors, since words that mean much the same share their translations.
    """
    sides = aligned.side(source, source_output), aligned.side(follow_up, follow_up_output)
    compared = ordered(exchanged(left_over(*sides, aligned)))
    taught = fitted if fitted is not None and fitted.better else None
    suspicions = taught.suspicions(compared.words) if taught else [rule.suspicion(word) for word in compared.words]
    pair = round(1 - math.prod(1 - suspicion for suspicion in suspicions), 6)
    likely = pair if taught else probability(pair)
    return Comparison(pair, likely, blamed(compared, suspicions), compared.words)
