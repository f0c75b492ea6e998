"""Scores of a model file on a treebank: `python -m models.parser.evaluate DATA [MODEL]`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from concord.language.parse._model import ParserModel
from concord.language.parse._weights import read
from concord.language.parse.concord_en import SHIPPED, Parser
from concord.language.trees import Tree
from concord.model import Text
from models.parser.scoring import Score
from models.parser.treebank import Sentence, merged, treebank


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.parser.evaluate", description=__doc__)
    parser.add_argument("data", type=Path, help="folder with gum_SPLIT.ptb.gz and gum_SPLIT.spacing.tsv.gz")
    parser.add_argument("model", type=Path, nargs="?", default=SHIPPED)
    parser.add_argument("--split", default="dev")
    options = parser.parse_args()
    apart = treebank(options.data, options.split)
    whole = [merged(each) for each in apart]
    model = ParserModel(read(options.model))
    print("words of the treebank, hyphens merged:", score(model, whole))
    print("words of the treebank, hyphens apart: ", score(model, apart))
    print("running text, phrases by characters:  ", score_running(Parser(model=str(options.model)), whole))
    print(f"speed: {speed(model, whole):.0f} sentences of about 21 words per second of processor time")


def score(model: ParserModel, sentences: Sequence[Sentence]) -> Score:
    """The score on words that the treebank has cut."""
    total = Score()
    parsed = model.parsed([each.words for each in sentences])
    for each, found in zip(sentences, parsed, strict=True):
        total.add(each.spans, found.phrases, each.tags, found.tags)
    return total


def score_running(parser: Parser, sentences: Sequence[Sentence]) -> Score:
    """The score on running text, which the parser cuts into words itself; brackets and tags by characters."""
    total = Score()
    trees = parser.parse([Text(each.text, "en") for each in sentences])
    for each, tree in zip(sentences, trees, strict=True):
        if isinstance(tree, Tree):
            _add_running(total, each, tree)
        else:
            total.add(each.spans, (), each.tags, ["?"] * len(each.tags))
    return total


def _add_running(total: Score, gold: Sentence, tree: Tree) -> None:
    """Count by characters: each of them is a word of its own, with the tag of the word that it stands in."""
    places = []
    tags = [" "] * len(gold.text)
    at = 0
    for word, tag in zip(gold.words, gold.tags, strict=True):
        at = gold.text.index(word, at)
        places.append((at, at + len(word)))
        tags[at : at + len(word)] = [tag] * len(word)
        at += len(word)
    told = [" "] * len(tags)
    for leaf in tree.leaves():
        told[leaf.start : leaf.end] = [leaf.label] * (leaf.end - leaf.start)
    wanted = [(label, places[start][0], places[end - 1][1]) for label, start, end in gold.spans]
    found = [(node.label, node.start, node.end) for node in tree.nodes() if node.children and node.label != "ROOT"]
    total.add(wanted, found, tags, told)


def speed(model: ParserModel, sentences: Sequence[Sentence]) -> float:
    """Sentences per second of processor time, so that it does not matter how many cores take part."""
    near = [each.words for each in sentences if 19 <= len(each.words) <= 23] * 3
    list(model.parsed(near[:20]))
    began = time.process_time()
    list(model.parsed(near))
    return len(near) / (time.process_time() - began)


if __name__ == "__main__":
    main()
