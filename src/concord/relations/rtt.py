"""RTT: what comes back from a round trip should resemble what was sent (Somers, ALTA 2005).

The oldest check without references, and the baseline that later methods compare with. A low score can also be the
fault of the way back, and a good one can hide two mistakes that cancel out.
"""

from typing import Annotated

from concord.metrics import similarity
from concord.model import Case, Metric, Plan, Text, Traits, Translate
from concord.options import Share
from concord.relations._plans import round_trip

ROUND_TRIP = ("source", "target", "target", "source")
TRAITS = Traits(
    finds="sentences that a round trip changes",
    langs=ROUND_TRIP,
    compared=("source_output", "source_output", "source", "follow_up_output"),
)
DEFAULT = Metric("chrf")
By = Annotated[Metric, "Metric that compares the text with its back-translation."]
Limit = Annotated[Share, "Largest suspicion, 1 − similarity, that is not flagged."]


async def check(x: Text, translate: Translate, *, to: str, metric: By = DEFAULT, threshold: Limit = 0.4) -> list[Case]:
    output = await translate(x, to)
    back = await translate(output, x.lang)
    return [compare(x, output, output, back, metric=metric, threshold=threshold)]


def plan(source: str, *, to: str) -> Plan:
    return round_trip(source, to)


def compare(
    source: Text, follow_up: Text, output: Text, back: Text, *, metric: By = DEFAULT, threshold: Limit = 0.4
) -> Case:
    """Judge one round trip: the follow-up is the translation, its output the back-translation."""
    score = similarity(metric, source, back)
    return Case(source, follow_up, output, back, (source, back), 1 - score, threshold, scores={metric: score})
