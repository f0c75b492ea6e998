"""MCMT: a detour through another language should not change the outcome (Pesu et al., MET 2018).

The direct translation of a sentence is compared with the one that goes through a pivot language, drawn at random for
each sentence (the Monte Carlo part) or each in turn. Score: the mean of Levenshtein, BLEU and cosine similarity. The
paper ranks systems by it and sets no threshold; the default of 0.5 flags a detour that keeps less than half of the
outcome. `pivot:paper` has the BLEU that the authors took, NLTK's.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Annotated, Literal

from concord.errors import UserError
from concord.language.codes import normalise
from concord.metrics import similarity
from concord.model import Case, Direction, Metric, Plan, Text, Traits, Translate
from concord.options import NotEmpty, Share

METRICS = (Metric("levenshtein"), Metric("bleu"), Metric("cosine"))
PUBLISHED = (Metric("levenshtein"), Metric("bleu:variant=nltk"), Metric("cosine"))
TRAITS = Traits(
    finds="sentences that a detour through a third language changes",
    langs=("source", "pivot", "target", "target"),
    compared=("source", "source", "source_output", "follow_up_output"),
    paper={"metrics": PUBLISHED},
)
Pivots = Annotated[tuple[str, ...], "Languages of the detours; by default all that the system can take."]
By = Annotated[tuple[Metric, ...], NotEmpty(), "Metrics whose mean compares the two translations."]
Limit = Annotated[Share, "Largest suspicion, 1 − the mean similarity, that is not flagged."]


async def check(
    x: Text,
    translate: Translate,
    rng: Random,
    *,
    to: str,
    pivots: Pivots = (),
    allocation: Annotated[Literal["random", "every"], "One pivot drawn for each text, or all of them."] = "random",
    metrics: By = METRICS,
    threshold: Limit = 0.5,
) -> list[Case]:
    choices = usable(pivots or translate.between(x.lang, to), x.lang, to)
    direct = await translate(x, to)
    cases = []
    for pivot in [rng.choice(choices)] if allocation == "random" else choices:
        detour = await translate(x, pivot)
        via = await translate(detour, to)
        case = compare(x, detour, direct, via, metrics=metrics, threshold=threshold)
        case.steps["pivot"] = detour
        cases.append(case)
    return cases


def plan(source: str, *, to: str, between: Callable[[str, str], Sequence[str]], pivots: Pivots) -> Plan:
    choices = usable(pivots or between(source, to), source, to)
    detours: list[Direction] = [direction for pivot in choices for direction in ((source, pivot), (pivot, to))]
    notes = [f"there is only one pivot: {choices[0]}"] if len(choices) == 1 else []
    return Plan(detours if source == to else [(source, to), *detours], notes)


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    metrics: By = METRICS,
    threshold: Limit = 0.5,
) -> Case:
    """Judge one detour: the follow-up is the text in the pivot language."""
    scores: dict[str, float] = {metric: similarity(metric, source_output, follow_up_output) for metric in metrics}
    texts = source, follow_up, source_output, follow_up_output
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=1 - sum(scores.values()) / len(scores),
        threshold=threshold,
        scores=scores,
        factors={"pivot": follow_up.lang, "path": f"{follow_up.lang}→{source_output.lang}"},
    )


def usable(pivots: Sequence[str], source: str, target: str) -> Sequence[str]:
    """The codes of the pivots; source and target are refused."""
    if not pivots:
        raise UserError(f"no pivot language is known between {source} and {target}; name some: pivot,pivots=fr,de")
    codes = [normalise(pivot) for pivot in pivots]
    wrong = sorted({source, target} & set(codes))
    if wrong:
        raise UserError(f"{', '.join(wrong)} cannot be a pivot between {source} and {target}; choose other pivots")
    return codes
