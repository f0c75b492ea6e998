"""Sentences for a blind check of substitutes: 200 with one word replaced and 40 as they were, shuffled, unmarked.

    python reproduce/substitutes_blind.py SENTENCES.txt KEY.tsv

A reader of SENTENCES.txt says for each whether it is grammatical and natural; KEY.tsv tells what was done.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from concord.corpus import demo
from concord.engine.services import made
from concord.text.substitutes import Slot, Substitute
from concord.text.trees import Tree

REPLACED, CONTROLS, SEED = 200, 40, 20261117
CONTENT = ("NN", "NNS", "NNP", "CD", "JJ", "JJR", "JJS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "RB")


def main(sentences: Path, key: Path) -> None:
    rng = random.Random(SEED)
    parser = made("parsers", "concord_en")
    source = made("substitutes", "lexicon", parse=parser.parse)
    texts = [segment.text for segment in demo()]
    trees = [tree for tree in parser.parse(texts) if isinstance(tree, Tree)]
    slots = [Slot(tree, leaf.start, leaf.end) for tree in trees for leaf in tree.leaves() if leaf.label in CONTENT]
    rng.shuffle(slots)
    rows: list[tuple[str, str]] = []
    for slot in slots:
        found = source.substitutes([slot])[0]
        if isinstance(found, list) and found:
            rows.append(_row(slot, rng.choice(found)))
        if len(rows) == REPLACED:
            break
    rows += [(text.words, "as it was") for text in rng.sample(texts, CONTROLS)]
    rng.shuffle(rows)
    sentences.write_text("".join(f"{number}\t{words}\n" for number, (words, _) in enumerate(rows, 1)))
    key.write_text("".join(f"{number}\t{done}\t{words}\n" for number, (words, done) in enumerate(rows, 1)))


def _row(slot: Slot, found: Substitute) -> tuple[str, str]:
    before = slot.tree.text[found.start : found.end]
    return found.text.words, f"{before} -> {found.word} ({found.kind}, {found.score:.2f})"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
