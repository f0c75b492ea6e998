"""TransRepair: a similar word in its place changes the translation in that place only (Sun et al., ICSE 2020).

A word of the sentence is replaced by one that is used alike, or a number by another; the new sentence must have the
same tags and the same tree. Both are translated. `comparison` is `concord`, by what explains the difference: suspicion
is a chance from 0 to 1, flagged above `threshold` (0.5), and the paper's stays in the score `paper`.

`metric` and `corpus` decide only with `comparison=paper`; otherwise they make the score `paper`. With it, the
translations are compared by `metric` with the replaced part set aside: of either, one stretch of up to three words that
the other lacks may be left out, and the way that makes them most alike counts. `lcs` is the longest common subsequence
and `ed` the edit distance, over words and divided by the longer text; `tfidf` weighs words by a `corpus` of the target
language; `bleu` is the better of both directions.

Suspicion is then 1 − similarity. The paper flags what is less similar than .963 (lcs, ed), .999 (tfidf) or .906 (bleu):
`threshold` is by default what these leave of 1.

`similarity` is the least score of the new word. The paper asks two resources for vectors with a cosine above .9; the
lexicon's score weighs two resources as well, GloVe's company and WordNet's kinship, and is held to the same number; a
masked model's probabilities are not. `kinds` are the words to replace, of which up to `most_words` are taken at random,
each replaced by the `count` best. Texts of more than 200 words and marks make no case.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from concord.errors import UserError
from concord.language.mutants import WordKind, mutants, too_long
from concord.language.segmenters import note
from concord.language.services import Parse, Substitutes
from concord.metrics.tfidf import weights
from concord.model import Case, Plan, Text, Translate
from concord.relations._judgement import By as Comparison
from concord.relations._judgement import Explain, explained, needing, undecided
from concord.relations._options import abroad
from concord.relations._spans import places
from concord.relations.transrepair.set_aside import Cut, compared, differences, measure, sides

By = Literal["lcs", "ed", "tfidf", "bleu"]
LEAST: dict[By, float] = {"lcs": 0.963, "ed": 0.963, "tfidf": 0.999, "bleu": 0.906}
"""The paper's thresholds of similarity, which its authors learned from labelled pairs."""
KINDS: tuple[WordKind, ...] = ("noun", "name", "adjective", "number")
PARSES = ("source",)
DISTINCT = True
"""A pair is one case wherever it occurs, and keeps its labels whatever the options."""
_DIGITS = 12
"""Decimals of a suspicion: 1 − .963 and .037 are meant to be the same."""


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    substitutes: Substitutes,
    explain: Explain | None,
    rng: Random,
    *,
    to: str,
    comparison: Comparison = "concord",
    metric: By = "lcs",
    threshold: float | None = None,
    similarity: float = 0.9,
    kinds: tuple[WordKind, ...] = KINDS,
    most_words: int = 5,
    count: int = 1,
    corpus: str = "",
) -> list[Case]:
    if too_long(x):
        return []
    found = await mutants(
        await parse(x), substitutes, kinds=kinds, most_words=most_words, count=count, rng=rng, least=similarity
    )
    if not found:
        return []
    first, *others = await translate.each([x, *(each.text for each in found)], to)
    cases = []
    for mutant, output in zip(found, others, strict=True):
        case = compare(x, mutant.text, first, output, metric=metric, threshold=threshold, corpus=corpus)
        case.factors["word"] = mutant.kind
        case.evidence |= mutant.evidence
        case.evidence["marked"] |= {
            "source": [[mutant.start, mutant.end]],
            "follow_up": [[mutant.new_start, mutant.new_end]],
        }
        cases.append(case)
    return await explained(cases, explain, threshold)


needs = needing("parse", "substitutes")


def plan(
    source: str,
    *,
    to: str,
    metric: By,
    threshold: float | None,
    similarity: float,
    kinds: tuple[WordKind, ...],
    most_words: int,
    count: int,
    corpus: str,
    comparison: Comparison = "concord",
    **_: object,
) -> Plan:
    abroad(source, to)
    if not kinds:
        raise UserError("kinds names at least one kind of words, such as kinds=noun,number")
    for name, value in (("most_words", most_words), ("count", count)):
        if value < 1:
            raise UserError(f"{name} is at least 1, not {value}")
    if not 0 <= similarity <= 1:
        raise UserError(f"similarity, the least score of a new word, is 0 to 1, not {similarity:g}")
    limit(metric, threshold)
    if corpus and metric != "tfidf":
        raise UserError(f"a corpus is for metric=tfidf, not for metric={metric}; leave it out")
    weights(corpus, to)
    notes = [note(to) or ""]
    if metric == "tfidf" and not corpus:
        notes.append(f"tfidf: every word weighs the same; a file of sentences in '{to}' weighs them: corpus=FILE")
    notes += undecided(comparison, {"metric": (metric, "lcs")})
    return Plan([(source, to)], [each for each in notes if each], [corpus] if corpus else [])


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    metric: By = "lcs",
    threshold: float | None = None,
    corpus: str = "",
) -> Case:
    """Judge one pair: the follow-up is the source with another word in one place."""
    before, after, one, other = map(Cut, (source, follow_up, source_output, follow_up_output))
    found = compared(one.words, other.words, measure(metric, corpus, source_output.lang))
    old, new = sides(differences(before.words, after.words))
    left = {"source_output": one.places(found.differing[0]), "follow_up_output": other.places(found.differing[1])}
    aside = {"source_output": one.places(found.aside[:1]), "follow_up_output": other.places(found.aside[1:])}
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source_output, follow_up_output),
        suspicion=round(1 - found.similarity, _DIGITS),
        threshold=limit(metric, threshold),
        scores={metric: found.similarity},
        evidence={
            "replaced": f"{before.written(old)} → {after.written(new)}",
            "set aside": f"{one.written(found.aside[:1])} → {other.written(found.aside[1:])}",
            "marked": {
                "source": before.places(old),
                "follow_up": after.places(new),
                **left,
            },
            "places": [
                *(place for role, spans in left.items() for place in places(role, spans, "differs")),
                *(place for role, spans in aside.items() for place in places(role, spans, "aside", "set aside")),
            ],
        },
    )


def limit(metric: By, threshold: float | None) -> float:
    """The largest suspicion that is not flagged: as the user says, or what the paper's similarity leaves of 1."""
    if threshold is None:
        return round(1 - LEAST[metric], _DIGITS)
    if not 0 <= threshold <= 1:
        raise UserError(f"threshold is a suspicion, 1 − similarity, from 0 to 1, not {threshold:g}")
    return threshold
