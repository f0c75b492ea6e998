"""SIT: sentences that are built alike have translations that are built alike (He, Meister and Su, ICSE 2020).

A noun or an adjective of the sentence is replaced by another that can stand there, the sentence keeping its tree; the
translations of all such sentences are compared with the first. Of each sentence the `top` most distant pairs are
reported (the paper: 1 and 3), the most natural first among those that are equal to two decimals.

`comparison` is `concord`, by what explains the difference: suspicion is a chance from 0 to 1, flagged above `threshold`
(0.5), and the paper's, by `structure`, stays in the score `paper` and decides nothing; the most distant pairs are then
the most suspicious ones.

With `comparison=paper` suspicion is the paper's distance, an integer from 0 without an upper end: by `structure` the
sum of the differences between the counts of dependency relations (`relations`, as in the paper) or of phrase labels
(`labels`), or the edits between the characters of the translations (`characters`). `auto` is the first that can be had
for the target: relations by a parser that tells them, the chunks of a shallow one, characters without any. `threshold`
is then 4 (what differs by 5 and more is flagged), 1 for phrase labels and 20 for characters (8 in scripts without
blanks); distances of two structures are never to be compared.

`count` is the paper's k, which is 50 there; `kinds` are the words to replace, of which up to `most_words` are taken at
random. Texts of more than 200 words and marks make no case.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from concord.errors import UserError
from concord.language.codes import is_spaced
from concord.language.mutants import WordKind, mutants, too_long
from concord.language.services import Depend, Parse, Substitutes
from concord.language.word_diff import differing_spans
from concord.model import ROLES, Case, Plan, Text, Translate
from concord.relations._judgement import By as Comparison
from concord.relations._judgement import Explain, check_threshold, explained, needing, undecided
from concord.relations._options import abroad
from concord.relations.sit.structures import Made, Structure, built, built_here, chosen, differing, distance

KINDS: tuple[WordKind, ...] = ("noun", "adjective")
LIMITS: dict[Structure, float] = {"relations": 4, "labels": 1, "characters": 20}
UNSPACED = 8
"""The limit of `characters` where one of them is nearly a word."""
WORSE_WHEN_HIGHER = ("distance",)
"""Scores of which higher numbers speak for a bug."""
PARSES = ("source", "target")
DISTINCT = True
"""A pair is one case wherever it occurs, and keeps its labels whatever the options."""


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    depend: Depend,
    substitutes: Substitutes,
    explain: Explain | None,
    rng: Random,
    *,
    to: str,
    comparison: Comparison = "concord",
    structure: Structure = "auto",
    threshold: float | None = None,
    top: int = 1,
    kinds: tuple[WordKind, ...] = KINDS,
    most_words: int = 5,
    count: int = 5,
) -> list[Case]:
    way = chosen(structure, to, parse, depend)
    if too_long(x):
        return []
    found = await mutants(await parse(x), substitutes, kinds=kinds, most_words=most_words, count=count, rng=rng)
    if not found:
        return []
    outputs = await translate.each([x, *(each.text for each in found)], to)
    first, *others = await built(way, outputs, parse, depend)
    cases = []
    for mutant, output, made in zip(found, outputs[1:], others, strict=True):
        case = _case((x, mutant.text, outputs[0], output), way, (first, made), threshold)
        case.factors["word"] = mutant.kind
        case.evidence |= mutant.evidence
        if way == "labels":
            case.evidence["trees"] = parse.kind(to)
        cases.append(case)
    cases = await explained(cases, explain, threshold)
    ranked = sorted(range(len(cases)), key=lambda at: (*_place(cases[at]), -found[at].score, at))[:top]
    for rank, at in enumerate(ranked, 1):
        cases[at].evidence["rank"] = f"{rank} of {len(cases)}"
    return [cases[at] for at in ranked]


needs = needing("parse", "depend", "substitutes")


def optional(*, comparison: Comparison = "concord", structure: Structure = "auto", **_: object) -> Mapping[str, str]:
    """What explains a difference asks for no tree of the translations; the paper's distance does.

    A structure that is chosen by name is there or refused, and never another one instead.
    """
    if structure != "auto":
        return {"depend": "", "parse": ""}
    if comparison == "concord":
        alone = "suspicion does not depend on it; the score `paper` is then"
        return {
            "depend": f"{alone} by the phrases of trees, or by characters where there are none",
            "parse": f"{alone} by characters",
        }
    return {
        "depend": "translations are compared by the phrases of their trees, or by characters where there are none",
        "parse": "translations are compared by their characters",
    }


def plan(
    source: str,
    *,
    to: str,
    comparison: Comparison,
    threshold: float | None,
    top: int,
    kinds: tuple[WordKind, ...],
    most_words: int,
    count: int,
    structure: Structure = "auto",
    **_: object,
) -> Plan:
    abroad(source, to)
    if not kinds:
        raise UserError("sit: kinds names at least one kind of words, such as kinds=noun,adjective")
    for name, value in (("top", top), ("most_words", most_words), ("count", count)):
        if value < 1:
            raise UserError(f"sit: {name} is at least 1, not {value}")
    check_threshold("sit", comparison, threshold)
    limit("relations", to, threshold)
    return Plan([(source, to)], undecided(comparison, {"structure": (structure, "auto")}))


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    structure: Structure = "auto",
    threshold: float | None = None,
) -> Case:
    """Judge one pair, by the embedded parsers: the follow-up is the source with another word in one place."""
    texts = source, follow_up, source_output, follow_up_output
    way, (one, other) = built_here(structure, texts[2:])
    return _case(texts, way, (one, other), threshold)


def limit(structure: Structure, lang: str, threshold: float | None) -> float:
    """The largest distance that is not flagged."""
    if threshold is not None and threshold < 0:
        raise UserError(
            f"sit: threshold is a distance, at least 0, not {threshold:g}: 0 flags whatever is built otherwise"
        )
    if threshold is not None:
        return threshold
    return LIMITS[structure] if structure != "characters" or is_spaced(lang) else UNSPACED


def _case(
    texts: tuple[Text, Text, Text, Text], structure: Structure, made: tuple[Made, Made], threshold: float | None
) -> Case:
    source, follow_up, output, other = texts
    far = distance(*made)
    marked = dict(zip(ROLES, (*differing_spans(source, follow_up), *differing_spans(output, other)), strict=True))
    told = {"built otherwise": differing(*made)} if structure != "characters" else {}
    return Case(
        *texts,
        compared=(output, other),
        suspicion=far,
        threshold=limit(structure, output.lang, threshold),
        scores={"distance": far},
        factors={"structure": structure},
        evidence={**told, "marked": marked},
    )


def _place(case: Case) -> tuple[bool, float]:
    """Flagged ones first, then by suspicion, of which further decimals depend on all that a run has learnt from."""
    return not case.violated, -round(case.suspicion, 2)
