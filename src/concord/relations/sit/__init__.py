"""SIT: sentences that are built alike have translations that are built alike (He, Meister and Su, ICSE 2020).

A noun or an adjective of the sentence is replaced by another that fits, such that the tree stays the same; the
translations of all such sentences are compared with that of the original. Of each sentence the `top` most distant pairs
are reported (the paper: 1 and 3), the most natural first among those that are equal to two decimals.

The paper's distance is an integer from 0 without an upper end. By `structure` it is the sum of the differences between
the counts of dependency relations (`relations`, as in the paper) or of phrase labels (`labels`), or the edits between
the characters of the translations (`characters`). `auto` is the first that the target language allows: relations by a
parser that has them, the chunks of a shallow parser, characters without any. The paper's `threshold` is 4 (a distance
of 5 is flagged), 1 for phrase labels and 20 for characters (8 in scripts without blanks); distances by different
structures cannot be compared.

`count` is the paper's k, which is 50 there and in `sit:paper`. Texts of more than 200 words and marks make no case.
"""

from collections.abc import Sequence
from random import Random
from typing import Annotated

from concord.language.codes import is_spaced
from concord.language.mutants import (
    KindsOfWords,
    MutantsPerWord,
    WordKind,
    WordsPerText,
    check_length,
    mutants,
    untested,
)
from concord.language.services import Depend, Parse, Substitutes
from concord.language.substitutes import FITTING
from concord.model import Case, Text, Traits, Translate
from concord.options import Count, Within
from concord.relations._spans import differing_marks
from concord.relations.sit import structures
from concord.relations.sit.structures import Features, Structure, differing, distance

KINDS: tuple[WordKind, ...] = ("noun", "adjective")
LIMITS: dict[Structure, float] = {"relations": 4, "labels": 1, "characters": 20}
UNSPACED = 8
"""The limit of `characters` where one of them is nearly a word."""
TRAITS = Traits(
    finds="words translated otherwise if a noun or adjective is replaced",
    distinct=True,
    worse_when_higher=("distance",),
    parses=("source", "target"),
    compares=True,
    paper={},
    published={"count": 50},
)
By = Annotated[Structure, "What is counted in the translations to tell how they are built."]
Limit = Annotated[float | None, Within(0), "Largest distance that is not flagged; by default the paper's."]
Top = Annotated[Count, "How many of the most distant pairs of a text are reported."]


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    depend: Depend,
    substitutes: Substitutes,
    rng: Random,
    *,
    to: str,
    structure: By = "auto",
    threshold: Limit = None,
    top: Top = 1,
    kinds: KindsOfWords = KINDS,
    most_words: WordsPerText = 5,
    count: MutantsPerWord = 5,
) -> list[Case]:
    structure = structures.resolved(structure, to, parse, depend)
    check_length(x)
    tree = await parse(x)
    variants = await mutants(
        tree, substitutes, kinds=kinds, most_words=most_words, count=count, rng=rng, offered=FITTING
    )
    if not variants:
        raise untested(tree, kinds)
    outputs = await translate.each([x, *(variant.text for variant in variants)], to)
    first, *variant_features = await structures.features(structure, outputs, parse, depend)
    cases = []
    for variant, output, second in zip(variants, outputs[1:], variant_features, strict=True):
        case = _case((x, variant.text, outputs[0], output), structure, (first, second), threshold)
        case.factors["word"] = variant.kind
        case.evidence |= variant.evidence
        if structure == "labels":
            case.evidence["trees"] = parse.kind(to)
        cases.append(case)
    return cases


def select(cases: Sequence[Case], *, top: Top) -> list[Case]:
    """The most distant pairs: flagged ones first, then by suspicion, the most natural first of those that are equal.

    Two decimals of a suspicion count: further ones depend on everything that the run has learnt from.
    """

    def order(case: Case) -> tuple[bool, float, float]:
        return not case.flagged, -round(case.suspicion, 2), -case.evidence["naturalness"]

    ranked = sorted(cases, key=order)[:top]
    for rank, case in enumerate(ranked, 1):
        case.evidence["rank"] = f"{rank} of {len(cases)}"
    return ranked


def services(*, structure: By) -> dict[str, str | None]:
    """Only `auto` may fall back on another structure; one that is named is used or refused."""
    if structure != "auto":
        return {"parse": "", "depend": "", "substitutes": None}
    by_paper = "the paper's distance is by"
    return {
        "parse": f"{by_paper} the characters of the translations",
        "depend": f"{by_paper} the phrases of the translations' trees, or by characters where there are none",
        "substitutes": None,
    }


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    structure: By = "auto",
    threshold: Limit = None,
) -> Case:
    """Judge one pair: the follow-up is the source with one word replaced."""
    texts = source, follow_up, source_output, follow_up_output
    structure, (first, second) = structures.embedded_features(structure, texts[2:])
    return _case(texts, structure, (first, second), threshold)


def limit(structure: Structure, lang: str) -> float:
    """The largest distance that is not flagged: the paper's, or for other structures ours."""
    return LIMITS[structure] if structure != "characters" or is_spaced(lang) else UNSPACED


def _case(
    texts: tuple[Text, Text, Text, Text],
    structure: Structure,
    pair: tuple[Features, Features],
    threshold: float | None,
) -> Case:
    apart = distance(*pair)
    counts = {"built otherwise": differing(*pair)} if structure != "characters" else {}
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=apart,
        threshold=limit(structure, texts[2].lang) if threshold is None else threshold,
        scores={"distance": apart},
        factors={"structure": structure},
        evidence={**counts, "marked": differing_marks(*texts)},
    )
