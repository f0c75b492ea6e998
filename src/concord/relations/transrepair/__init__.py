"""TransRepair: a similar word in a slot should change the translation there only (Sun et al., ICSE 2020).

A word of the sentence is replaced by one that is used alike, or a number by another; the new sentence must have the
same tags and the same tree. Both are translated.

The paper's comparison ignores the replaced part: in each translation, one stretch of up to three words that the other
lacks may be set aside, and the choice with the highest similarity counts. `lcs` is the longest common subsequence and
`ed` the edit distance, over words and divided by the longer text; `tfidf` weighs words by a `corpus` of the target
language; `bleu` is the better of both directions. Suspicion is 1 − similarity. The paper flags what is less similar
than .963 (lcs, ed), .999 (tfidf) or .906 (bleu).

The paper asks two resources for vectors with a cosine above .9. The lexicon's score also combines two resources,
GloVe's distributional and WordNet's semantic similarity, and must reach the same value; a masked model's
probabilities need not. Texts of more than 200 words and marks make no case.
"""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal

from concord.errors import UserError
from concord.language.mutants import KindsOfWords, MutantsPerWord, WordKind, WordsPerText, mutants, too_long
from concord.language.segmenters import note
from concord.language.services import Parse, Substitutes
from concord.metrics.tfidf import weights
from concord.model import Case, Plan, Text, Traits, Translate
from concord.options import Share, Within
from concord.relations._plans import one_way
from concord.relations._spans import places
from concord.relations.transrepair.set_aside import Cut, compared, differences, measure, sides

Measure = Literal["lcs", "ed", "tfidf", "bleu"]
LEAST: dict[Measure, float] = {"lcs": 0.963, "ed": 0.963, "tfidf": 0.999, "bleu": 0.906}
"""The paper's thresholds of similarity, which its authors learned from labelled pairs."""
KINDS: tuple[WordKind, ...] = ("noun", "name", "adjective", "number")
TRAITS = Traits(distinct=True, compares=True, paper={})
_DIGITS = 12
"""Decimals of a suspicion: 1 − .963 and .037 are meant to be the same."""
By = Annotated[Measure, "Similarity of the translations without what was set aside."]
Limit = Annotated[float | None, Within(0, 1), "Largest suspicion that is not flagged; by default the paper's."]
Corpus = Annotated[str, "File of sentences in the target language, by which tfidf weighs words."]


async def check(
    x: Text,
    translate: Translate,
    parse: Parse,
    substitutes: Substitutes,
    rng: Random,
    *,
    to: str,
    metric: By = "lcs",
    threshold: Limit = None,
    similarity: Annotated[Share, "Least score of the new word."] = 0.9,
    kinds: KindsOfWords = KINDS,
    most_words: WordsPerText = 5,
    count: MutantsPerWord = 1,
    corpus: Corpus = "",
) -> list[Case]:
    if too_long(x):
        return []
    variants = await mutants(
        await parse(x), substitutes, kinds=kinds, most_words=most_words, count=count, rng=rng, least=similarity
    )
    if not variants:
        return []
    first, *others = await translate.each([x, *(variant.text for variant in variants)], to)
    cases = []
    for variant, output in zip(variants, others, strict=True):
        case = compare(x, variant.text, first, output, metric=metric, threshold=threshold, corpus=corpus)
        case.factors["word"] = variant.kind
        case.evidence |= variant.evidence
        case.evidence["marked"] |= {
            "source": [[variant.start, variant.end]],
            "follow_up": [[variant.new_start, variant.new_end]],
        }
        cases.append(case)
    return cases


def plan(source: str, *, to: str, metric: By = "lcs", corpus: Corpus = "") -> Plan:
    if corpus and metric != "tfidf":
        raise UserError(f"a corpus is for metric=tfidf, not for metric={metric}; leave it out")
    weights(corpus, to)
    bare = f"tfidf: every word weighs the same; a file of sentences in '{to}' weighs them: corpus=FILE"
    return one_way(source, to, [note(to) or "", bare if metric == "tfidf" and not corpus else ""], [corpus])


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    metric: By = "lcs",
    threshold: Limit = None,
    corpus: Corpus = "",
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
        threshold=round(1 - LEAST[metric], _DIGITS) if threshold is None else threshold,
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
