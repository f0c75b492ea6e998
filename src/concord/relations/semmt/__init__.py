"""SemMT: quantifiers and logic survive a round trip (Cao et al., TOSEM 2021).

A sentence is translated and translated back. Its claims ("at least 3", "not only", "either … or") and those of the
back-translation are written as regular expressions and compared: by their tokens (`r`), by their languages (`d`), or by
both (`h` = k·r + (1 − k)·d). In ordinary text d compares claim by claim, numbers as numbers. A sentence without
quantifier or logic makes no case and is not translated.

Suspicion is 1 − similarity by `metric`. The paper flags similarities up to its threshold t; here these are suspicions
of at least `threshold` = 1 − t. `plural="ignore"` takes plurals for singulars (section 5.2),
`approximation` says how vague words such as "a few" are read (5.3), `mutants` adds up to two rewordings of the
sentence that claim the same (4.1), and `baselines` are the metrics that the paper compares with: also `dependency`
and `embedding`, by the parser and the encoder of the run (`--parser`, `--encoder`). `semmt:paper` measures d as the
paper does.
"""

from typing import Annotated, Literal

from concord.errors import Refused, Untested, UserError
from concord.language.services import Depend, Embed
from concord.metrics import similarity as textual
from concord.model import Case, Metric, Plan, Text, Traits, Translate
from concord.options import Share, Within
from concord.relations._plans import round_trip
from concord.relations.semmt.automata import Measure
from concord.relations.semmt.baselines import SERVED, served_baselines
from concord.relations.semmt.claims import claim_pair, claims_anything, knows
from concord.relations.semmt.evidence import claim_evidence
from concord.relations.semmt.logic.alignment import Plural
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.rewordings import reworded
from concord.relations.semmt.similarity import claim_similarities

By = Literal["r", "d", "h"]
BASELINES = (Metric("levenshtein"), Metric("bleu"), Metric("chrf"))
TRAITS = Traits(
    finds="quantities and logic that a round trip changes",
    langs=("source", "target", "target", "source"),
    operator=">=",
    answered=("read as",),
    paper={"measure": "paper"},
)
_DIGITS = 12
"""Decimals of a suspicion: 1 − 0.59 and 0.41 are meant to be the same."""
Deciding = Annotated[By, "Which similarity decides: of tokens (r), of languages (d), or both (h)."]
Limit = Annotated[float, Within(0, 1, above=True), "Smallest suspicion that is flagged."]
Weight = Annotated[Share, "Weight of r in h."]
Measured = Annotated[Measure, "How the sizes of two languages are compared."]
Plurals = Annotated[Plural, "Whether plurals count as singulars."]
Vague = Annotated[Approximation, "How vague words such as 'a few' are read."]
Baselines = Annotated[tuple[Metric, ...], "Metrics that are recorded beside it, and decide nothing."]


async def check(
    x: Text,
    translate: Translate,
    depend: Depend | None,
    embed: Embed | None,
    *,
    to: str,
    metric: Deciding = "h",
    threshold: Limit = 0.4,
    k: Weight = 0.5,
    measure: Measured = "geometric",
    plural: Plurals = "ignore",
    approximation: Vague = "range",
    baselines: Baselines = BASELINES,
    mutants: Annotated[int, Within(0, 2), "Rewordings that claim the same and are tested too."] = 0,
) -> list[Case]:
    if not claims_anything(x.words, lang=x.lang):
        raise Untested("no claim about quantity or logic")
    rewordings = reworded(x.words, lang=x.lang, most=mutants)
    sources = [x, *(Text(rewording.words, x.lang) for rewording in rewordings)]
    outputs = await translate.each(sources, to)
    backs = await translate.each(outputs, x.lang)
    served = await served_baselines(baselines, list(zip(sources, backs, strict=True)), depend, embed)
    cases = [
        compare(
            source,
            output,
            output,
            back,
            metric=metric,
            threshold=threshold,
            k=k,
            measure=measure,
            plural=plural,
            approximation=approximation,
            baselines=tuple(baseline for baseline in baselines if baseline not in served),
        )
        for source, output, back in zip(sources, outputs, backs, strict=True)
    ]
    for index, case in enumerate(cases):
        case.scores |= {name: scores[index] for name, scores in served.items()}
    for case, mutant in zip(cases[1:], rewordings, strict=True):
        case.factors["test"] = "mutant"
        case.evidence |= {"mutant_of": x.words, "reworded": mutant.change}
    return cases


def services(*, baselines: Baselines) -> dict[str, str | None]:
    return {SERVED[baseline]: None for baseline in baselines if baseline in SERVED}


def plan(source: str, *, to: str) -> Plan:
    if not knows(source):
        raise UserError(
            f"semmt reads the quantifiers and the logic of English, and '{source}' is another language. Give it English"
            " sentences (--from en); the language in between can be any"
        )
    return round_trip(source, to)


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    metric: Deciding = "h",
    threshold: Limit = 0.4,
    k: Weight = 0.5,
    measure: Measured = "geometric",
    plural: Plurals = "ignore",
    approximation: Vague = "range",
    baselines: Baselines = BASELINES,
) -> Case:
    """Judge one round trip: the follow-up is the translation, its output the back-translation.

    A source without quantifier or logic is refused, since `check` makes no case of it.
    """
    if not claims_anything(source.words, lang=source.lang):
        raise Refused("no quantifier and no logic in the source, so that semmt has nothing to compare")
    claims = claim_pair(
        source.words, follow_up_output.words, lang=source.lang, plural=plural, approximation=approximation
    )
    compared = claim_similarities(claims, measure=measure, k=k)
    scores: dict[str, float] = {"r": compared.r, "d": compared.d, "h": compared.h}
    texts = source, follow_up, source_output, follow_up_output
    return Case(
        *texts,
        compared=(source, follow_up_output),
        suspicion=round(1 - scores[metric], _DIGITS),
        threshold=round(threshold, _DIGITS) or threshold,
        steps={"intermediate": source_output, "back translation": follow_up_output},
        scores=scores | {baseline: textual(baseline, source, follow_up_output) for baseline in baselines},
        factors={"read as": claims.read_as, "test": "original"},
        evidence=claim_evidence(claims, compared, source, follow_up_output),
        operator=TRAITS.operator,
    )
