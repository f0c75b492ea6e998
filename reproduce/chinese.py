"""The figures of docs/chinese.md: `python reproduce/chinese.py DATA` with the extra `zh`; DATA has `pairs/`.

The processor time and memory of words, trees, relations and substitutes; how well the distance of `sit:paper` tells
broken translations, by UDPipe's relations and by characters.
"""

from __future__ import annotations

import csv
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from concord.language.chinese.words import tagged_words
from concord.language.mutants import WORD_KINDS, words
from concord.language.parse.lac import Parser
from concord.language.substitutes import Slot
from concord.language.substitutes.lexicon_zh import Substitutes
from concord.language.trees import Tree
from concord.model import Text
from concord.relations.sit.structures import distance, embedded_features

SENTENCES = 200
MOST_WORDS = 10


def main(data: Path) -> None:
    with (data / "pairs" / "labelled_google.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    chinese = sorted({row["source"].strip() for row in rows if row["source_lang"] == "zh"})
    drawn = np.random.default_rng(7).choice(len(chinese), SENTENCES, replace=False)
    texts = [Text(chinese[number], "zh") for number in drawn]
    parser = Parser()
    timed("words", lambda each: [tagged_words(text.words) for text in each], texts)
    timed("trees", parser.parse, texts)
    timed("relations", parser.depend, texts)
    source = Substitutes(parse=parser.parse)
    slots = [slot for tree in parser.parse(texts) if isinstance(tree, Tree) for slot in slots_of(tree)]
    answers = timed("substitutes", source.substitutes, slots)
    print(sum(bool(answer) for answer in answers), "of", len(slots), "words have a substitute;", source.rejected)
    for relation in ("SIT", "CAT", "CIT"):
        told = [row for row in rows if (row["relation"], row["source_lang"]) == (relation, "en")]
        areas = {structure: area_of(told, structure) for structure in ("relations", "characters")}
        print(relation, len(told), {name: round(area, 3) for name, area in areas.items()})


def area_of(rows: Sequence[dict[str, str]], structure: str) -> float:
    pairs = [(Text(row["source_translation"], "zh"), Text(row["follow_up_translation"], "zh")) for row in rows]
    distances = [distance(*embedded_features(structure, pair)[1]) for pair in pairs]
    broken = np.array([row["violation"] == "1" for row in rows])
    _, places, counts = np.unique(distances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    above = ranks[broken].sum() - broken.sum() * (broken.sum() + 1) / 2
    return float(above / (broken.sum() * (~broken).sum()))


def slots_of(tree: Tree) -> list[Slot]:
    spans = tuple((leaf.start, leaf.end) for leaf in words(tree, WORD_KINDS)[:MOST_WORDS])
    return [Slot(tree, *span, 3, lang="zh", together=spans) for span in spans]


def timed(name: str, work: Callable, items: list) -> list:
    begun = time.process_time()
    work(items[:1])
    first = time.process_time() - begun
    begun = time.process_time()
    answers = work(items)
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name}: first {first:.2f} s, then {len(items) / seconds:.0f} a second, peak so far {peak} MB")
    return list(answers)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
