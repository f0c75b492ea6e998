"""CAT: a word in its place can give way to one that means much the same there (Sun et al., ICSE 2022).

Such a replacement, which the paper calls isotopic, changes the translation in that place only. Candidates are what
the source of substitutes offers, for words of every kind; the translations are compared as in `transrepair`, with
the same `comparison`, `metric`, `threshold` and `corpus`: by default by what explains the difference, a chance from
0 to 1 that is flagged above 0.5, with the paper's suspicion in the score `paper`.

The paper takes the words that a masked model proposes and keeps those whose contextual similarity is at least .85.
With `--substitutes masked:MODEL --encoder ENCODER` it is the encoder that compares the two sentences, in the gate of
the substitutes: `masked:MODEL,meaning=0.85`. Without a model, the lexicon's score, which looks at the word's
neighbours too, is held to the same number by `similarity`; it does not concern the probabilities of a masked model.
"""

from __future__ import annotations

from random import Random

from concord.model import Case, Text, Translate
from concord.relations import transrepair
from concord.relations._explained import By as Comparison
from concord.relations._explained import Explain
from concord.relations.transrepair import By
from concord.text.mutants import WORD_KINDS, WordKind
from concord.text.services import Parse, Substitutes

PARSES = ("source",)
DISTINCT = True
"""A pair is one case wherever it occurs, and keeps its labels whatever the options."""

compare = transrepair.compare
plan = transrepair.plan
needs = transrepair.needs


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
    similarity: float = 0.85,
    kinds: tuple[WordKind, ...] = WORD_KINDS,
    most_words: int = 5,
    count: int = 1,
    corpus: str = "",
) -> list[Case]:
    return await transrepair.check(
        x,
        translate,
        parse,
        substitutes,
        explain,
        rng,
        to=to,
        comparison=comparison,
        metric=metric,
        threshold=threshold,
        similarity=similarity,
        kinds=kinds,
        most_words=most_words,
        count=count,
        corpus=corpus,
    )
