"""TransRepair: a similar word in a slot should change the translation there only (Sun et al., ICSE 2020).

A word of the sentence is replaced by one that is used alike, or a number by another; the new sentence must have the
same tags and the same tree. Both are translated.

The paper's comparison leaves the replaced part out: of each translation, one span of up to three words that the other
lacks may be set aside, and the choice that makes them most similar counts. `lcs` is the longest common subsequence
and `ed` the edit distance, over words and divided by the longer text; `tfidf` weighs words by a `corpus` of the target
language; `bleu` is the better of both directions. Suspicion is 1 − similarity. The paper flags similarities below .963
(lcs, ed), .999 (tfidf) or .906 (bleu).

The paper asks two resources for vectors with a cosine above .9. The lexicon asks two as well, GloVe for distributional
and WordNet for semantic similarity: they must call a word a synonym or, together, similar enough. Its score, by which
such a word must also read well in its place, has a limit too; a masked model's probabilities have none. Texts of more
than 200 words and marks make no case.
"""

from random import Random
from typing import Annotated, Literal

from concord.errors import UserError
from concord.language.mutants import (
    KindsOfWords,
    MutantsPerWord,
    WordKind,
    WordsPerText,
    check_length,
    mutants,
    untested,
)
from concord.language.segmenters import note
from concord.language.services import Parse, Substitutes
from concord.language.substitutes import GOOD
from concord.metrics.tfidf import weights
from concord.model import ROLES, Case, Plan, Text, Traits, Translate
from concord.options import Share, Within
from concord.relations._plans import one_way
from concord.relations._spans import places
from concord.relations.transrepair.set_aside import Tokenised, compared, differences, measure, sides

Measure = Literal["lcs", "ed", "tfidf", "bleu"]
LEAST: dict[Measure, float] = {"lcs": 0.963, "ed": 0.963, "tfidf": 0.999, "bleu": 0.906}
"""The paper's thresholds of similarity, which its authors learned from labelled pairs."""
KINDS: tuple[WordKind, ...] = ("noun", "name", "adjective", "number")
TRAITS = Traits(
    finds="words translated otherwise if a noun, name or number is replaced", distinct=True, compares=True, paper={}
)
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
    similarity: Annotated[Share, "Least score of the new word."] = GOOD,
    kinds: KindsOfWords = KINDS,
    most_words: WordsPerText = 5,
    count: MutantsPerWord = 1,
    corpus: Corpus = "",
) -> list[Case]:
    check_length(x)
    tree = await parse(x)
    variants = await mutants(
        tree, substitutes, kinds=kinds, most_words=most_words, count=count, rng=rng, least=similarity
    )
    if not variants:
        raise untested(tree, kinds)
    first, *outputs = await translate.each([x, *(variant.text for variant in variants)], to)
    cases = []
    for variant, output in zip(variants, outputs, strict=True):
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
    unweighted = f"tfidf: every word weighs the same; a file of sentences in '{to}' weighs them: corpus=FILE"
    return one_way(source, to, [note(to) or "", unweighted if metric == "tfidf" and not corpus else ""], [corpus])


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
    """Judge one pair: the follow-up is the source with one word replaced."""
    texts = source, follow_up, source_output, follow_up_output
    before, after, *outputs = map(Tokenised, texts)
    result = compared(outputs[0].words, outputs[1].words, measure(metric, corpus, source_output.lang))
    old, new = sides(differences(before.words, after.words))
    by_role = list(zip(ROLES[2:], outputs, result.differing, ([span] for span in result.aside), strict=True))
    differing = {role: output.characters(spans) for role, output, spans, _ in by_role}
    aside = {role: output.characters(span) for role, output, _, span in by_role}
    return Case(
        *texts,
        compared=texts[2:],
        suspicion=round(1 - result.similarity, _DIGITS),
        threshold=round(1 - LEAST[metric], _DIGITS) if threshold is None else threshold,
        scores={metric: result.similarity},
        evidence={
            "replaced": f"{before.written(old)} → {after.written(new)}",
            "set aside": " → ".join(output.written(span) for _, output, _, span in by_role),
            "marked": {"source": before.characters(old), "follow_up": after.characters(new), **differing},
            "places": [
                *(place for role, spans in differing.items() for place in places(role, spans, "differs")),
                *(place for role, spans in aside.items() for place in places(role, spans, "aside", "set aside")),
            ],
        },
    )
