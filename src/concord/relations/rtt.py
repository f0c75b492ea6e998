"""RTT: what comes back from a round trip should resemble what was sent (Somers, ALTA 2005).

The oldest check without references, and the baseline that later methods compare with. A low score can
also be the fault of the way back, and a good one can hide two mistakes that cancel out.

With `comparison=concord` both texts are held to be translations of the text in between: words that only one of them
has, and for which the other has nothing alike, are to blame. `metric` decides nothing then: the suspicion by it stays
in the score `paper`. `threshold` is for either. It names the words, but flags much where a system words things anew on
the way back, and then ranks round trips no better than the metric.
"""

from __future__ import annotations

from concord.metrics import similarity
from concord.model import Case, Metric, Plan, Text, Translate
from concord.relations._judgement import By as Comparison
from concord.relations._judgement import Explain, Roles, explained, needing, undecided
from concord.relations._options import round_trip, share

DEFAULT = Metric("chrf")
LANGS = ("source", "target", "target", "source")
EXPLAINS: Roles = ("source_output", "source_output", "source", "follow_up_output")


async def check(
    x: Text,
    translate: Translate,
    explain: Explain | None,
    *,
    to: str,
    metric: Metric = DEFAULT,
    threshold: float = 0.4,
    comparison: Comparison = "paper",
) -> list[Case]:
    there = await translate(x, to)
    back = await translate(there, x.lang)
    case = compare(x, there, there, back, metric=metric, threshold=threshold)
    return await explained([case], explain, threshold, EXPLAINS)


needs = needing()


def plan(
    source: str,
    *,
    to: str,
    threshold: float,
    metric: Metric = DEFAULT,
    comparison: Comparison = "paper",
    **_: object,
) -> Plan:
    share("rtt", threshold)
    round_trip(source, to)
    return Plan([(source, to), (to, source)], undecided(comparison, {"metric": (metric, DEFAULT)}))


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    metric: Metric = DEFAULT,
    threshold: float = 0.4,
) -> Case:
    """Judge one round trip: the follow-up is the translation, its output what came back."""
    score = similarity(metric, source, follow_up_output)
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source, follow_up_output),
        suspicion=1 - score,
        threshold=share("rtt", threshold),
        scores={metric: score},
    )
