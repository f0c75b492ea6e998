"""RTT: what comes back from a round trip should resemble what was sent (Somers, ALTA 2005).

The oldest check without references, and the baseline that later methods compare with. A low score can
also be the fault of the way back, and a good one can hide two mistakes that cancel out.
"""

from __future__ import annotations

from concord.errors import UserError
from concord.metrics import similarity
from concord.model import Case, Metric, Plan, Text, Translate
from concord.relations._thresholds import share

DEFAULT = Metric("chrf")
LANGS = ("source", "target", "target", "source")


async def check(
    x: Text, translate: Translate, *, to: str, metric: Metric = DEFAULT, threshold: float = 0.4
) -> list[Case]:
    there = await translate(x, to)
    back = await translate(there, x.lang)
    return [compare(x, there, there, back, metric=metric, threshold=threshold)]


def plan(source: str, *, to: str, threshold: float, **_: object) -> Plan:
    share("rtt", threshold)
    if source == to:
        raise UserError(f"a round trip from {source} to {to} goes nowhere; choose another language to translate into")
    return Plan([(source, to), (to, source)])


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
