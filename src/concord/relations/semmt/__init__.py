"""SemMT: quantifiers and logic survive a round trip (Cao et al., TOSEM 2021).

A sentence is translated and translated back. What it claims ("at least 3", "not only", "either … or") and what came
back claims are written as regular expressions and compared: by their tokens (`r`), by their languages (`d`), or by
both (`h` = k·r + (1 − k)·d). In ordinary text d compares claim by claim, numbers as numbers. A sentence without
quantifier or logic makes no case and is not translated.

Suspicion is 1 − similarity by `metric`. The paper flags what is at most as similar as its threshold t; here that is
a suspicion of at least `threshold` = 1 − t. `plural="ignore"` takes plurals for singulars (section 5.2),
`approximation` says how vague words such as "a few" are read (5.3), `mutants` adds up to two rewordings of the
sentence that claim the same (4.1), and `baselines` are the metrics that the paper compares with: also `dependency`
and `embedding`, by the parser and the encoder of the run (`--parser`, `--encoder`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal

from concord.errors import Refused, UserError
from concord.language.services import Depend, Embed
from concord.metrics import dependency, embedding
from concord.metrics import similarity as textual
from concord.model import Case, Metric, Operator, Plan, Text, Translate
from concord.relations._options import round_trip
from concord.relations._spans import places
from concord.relations.semmt.automata import Measure, Similarities
from concord.relations.semmt.claims import ClaimPair, claim_pair, claims_anything, differing, knows
from concord.relations.semmt.logic import find
from concord.relations.semmt.logic.alignment import Plural
from concord.relations.semmt.logic.kinds import Approximation
from concord.relations.semmt.rewordings import reworded
from concord.relations.semmt.similarity import claim_similarities

By = Literal["r", "d", "h"]
BASELINES = (Metric("levenshtein"), Metric("bleu"), Metric("chrf"))
SERVED = {Metric("dependency"): "depend", Metric("embedding"): "embed"}
"""The baselines that a service answers. One that names a parser or an encoder of its own is computed with that."""
LANGS = ("source", "target", "target", "source")
OPERATOR: Operator = ">="
ANSWERED = ("read as",)
"""Factors that say what came out, and so are no part of the question: both sides are read in the same way."""
MOST_MUTANTS = 2
_DIGITS = 12
"""Decimals of a suspicion: 1 − 0.59 and 0.41 are meant to be the same."""


async def check(
    x: Text,
    translate: Translate,
    depend: Depend | None,
    embed: Embed | None,
    *,
    to: str,
    metric: By = "h",
    threshold: float = 0.4,
    k: float = 0.5,
    measure: Measure = "geometric",
    plural: Plural = "ignore",
    approximation: Approximation = "range",
    baselines: tuple[Metric, ...] = BASELINES,
    mutants: int = 0,
) -> list[Case]:
    if not claims_anything(x.words, lang=x.lang):
        return []
    rewordings = reworded(x.words, lang=x.lang, most=mutants)
    sources = [x, *(Text(rewording.words, x.lang) for rewording in rewordings)]
    forth = await translate.each(sources, to)
    back = await translate.each(forth, x.lang)
    served = await _served(baselines, list(zip(sources, back, strict=True)), depend, embed)
    cases = [
        compare(
            source,
            there,
            there,
            again,
            metric=metric,
            threshold=threshold,
            k=k,
            measure=measure,
            plural=plural,
            approximation=approximation,
            baselines=tuple(baseline for baseline in baselines if baseline not in served),
        )
        for source, there, again in zip(sources, forth, back, strict=True)
    ]
    for at, case in enumerate(cases):
        case.scores |= {name: values[at] for name, values in served.items()}
    for case, mutant in zip(cases[1:], rewordings, strict=True):
        case.factors["test"] = "mutant"
        case.evidence |= {"mutant_of": x.words, "reworded": mutant.change}
    return cases


def needs(*, baselines: tuple[Metric, ...], **_: object) -> Collection[str]:
    return {SERVED[baseline] for baseline in baselines if baseline in SERVED}


def plan(source: str, *, to: str, threshold: float, k: float, mutants: int, **_: object) -> Plan:
    _limit(threshold)
    round_trip(source, to)
    if not knows(source):
        raise UserError(
            f"semmt reads the quantifiers and the logic of English, and '{source}' is another language. Give it English"
            " sentences (--from en); the language in between can be any"
        )
    if not 0 <= mutants <= MOST_MUTANTS:
        raise UserError(f"semmt: mutants is 0 to {MOST_MUTANTS}, not {mutants}")
    _weight(k)
    return Plan([(source, to), (to, source)])


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    metric: By = "h",
    threshold: float = 0.4,
    k: float = 0.5,
    measure: Measure = "geometric",
    plural: Plural = "ignore",
    approximation: Approximation = "range",
    baselines: tuple[Metric, ...] = BASELINES,
) -> Case:
    """Judge one round trip: the follow-up is the translation, its output what came back.

    A source without quantifier or logic is refused, since `check` makes no case of it.
    """
    if not claims_anything(source.words, lang=source.lang):
        raise Refused("no quantifier and no logic in the source, so that semmt has nothing to compare")
    found = claim_pair(
        source.words, follow_up_output.words, lang=source.lang, plural=plural, approximation=approximation
    )
    compared = claim_similarities(found, measure=measure, k=_weight(k))
    scores: dict[str, float] = {"r": compared.r, "d": compared.d, "h": compared.h}
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source, follow_up_output),
        suspicion=round(1 - scores[metric], _DIGITS),
        threshold=_limit(threshold),
        steps={"intermediate": source_output, "back translation": follow_up_output},
        scores=scores | {baseline: textual(baseline, source, follow_up_output) for baseline in baselines},
        factors={"read as": found.read_as, "test": "original"},
        evidence=_evidence(found, compared, source, follow_up_output),
        operator=OPERATOR,
    )


async def _served(
    baselines: Collection[Metric],
    pairs: Sequence[tuple[Text, Text]],
    depend: Depend | None,
    embed: Embed | None,
) -> dict[str, list[float]]:
    """What services answer of the baselines, for every pair."""
    found: dict[str, list[float]] = {}
    if depend is not None and "dependency" in baselines:
        found["dependency"] = await dependency.similarity_asked(pairs, depend)
    if embed is not None and "embedding" in baselines:
        found["embedding"] = await embedding.similarity_asked(pairs, embed)
    return found


def _limit(threshold: float) -> float:
    """The smallest suspicion that is flagged, with as many decimals as suspicions have."""
    if not 0 < threshold <= 1:
        raise UserError(
            f"semmt: threshold is above 0 and at most 1, not {threshold:g}: 0 would flag what agrees in everything; "
            "to flag every difference, take 0.000001"
        )
    return round(threshold, _DIGITS) or threshold


def _weight(k: float) -> float:
    if not 0 <= k <= 1:
        raise UserError(f"semmt: k, the weight of r in h, is 0 to 1, not {k}")
    return k


def _evidence(found: ClaimPair, compared: Similarities, source: Text, back: Text) -> dict[str, Any]:
    sides = {"source": found.left, "back": found.right}
    shown: dict[str, Any] = {f"{side} expression": claims.regex for side, claims in sides.items()}
    shown |= {f"{side} reading": claims.reading for side, claims in sides.items()}
    if found.symbols:
        shown["symbols"] = {name: list(words) for name, words in found.symbols.items()}
    if found.left.approximate or found.right.approximate:
        shown["approximate"] = True
    if compared.equal:
        return shown | {"marked": {}}
    extra = differing(find(source.words, lang=source.lang), find(back.words, lang=back.lang))
    for side, text, spans in zip(sides, (source, back), extra, strict=True):
        shown[f"only in {side}"] = [text.words[start:end] for start, end in spans]
    if any(extra):
        both = dict(zip(("source", "follow_up_output"), (list(map(list, spans)) for spans in extra), strict=True))
        said = dict(zip(both, ("only in the source", "only in what came back"), strict=True))
        shown["marked"] = both
        shown["places"] = [
            place for role, spans in both.items() for place in places(role, spans, "differs", said[role])
        ]
    return shown
