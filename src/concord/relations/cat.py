"""CAT: a word is replaced by one that means much the same in this context (Sun et al., ICSE 2022).

Such a replacement, which the paper calls isotopic, changes the translation in that place only. Words of every kind are
replaced by what the source of substitutes offers; the translations are compared as in `transrepair`.

The paper takes the words that a masked model proposes and keeps those whose contextual similarity is at least .85.
With `--substitutes masked:MODEL,meaning=0.85 --encoder ENCODER` the encoder compares the two sentences. Without a
model, the lexicon says which words mean much the same, and its score, which considers the rest of the sentence too,
must reach the option `similarity`, which does not apply to the probabilities of a masked model.
"""

from dataclasses import replace
from functools import partial

from concord.language.mutants import WORD_KINDS
from concord.relations import transrepair

TRAITS = replace(transrepair.TRAITS, finds="words translated otherwise if a word of any kind is replaced")
check = partial(transrepair.check, kinds=WORD_KINDS)
compare = transrepair.compare
plan = transrepair.plan
