"""CAT: a word is replaced by one that means much the same in this context (Sun et al., ICSE 2022).

Such a replacement, which the paper calls isotopic, changes the translation in that place only. Candidates are what
the source of substitutes offers, for words of every kind; the translations are compared as in `transrepair`.

The paper takes the words that a masked model proposes and keeps those whose contextual similarity is at least .85. With
`--substitutes masked:MODEL --encoder ENCODER` it is the encoder that compares the two sentences, in the gate of the
substitutes: `masked:MODEL,meaning=0.85`. Without a model, `similarity` is the least score that the lexicon, which looks
at neighbouring words too, must give; it has no effect on the probabilities of a masked model.
"""

from __future__ import annotations

from functools import partial

from concord.language.mutants import WORD_KINDS
from concord.relations import transrepair

TRAITS = transrepair.TRAITS
check = partial(transrepair.check, similarity=0.85, kinds=WORD_KINDS)
compare = transrepair.compare
plan = transrepair.plan
