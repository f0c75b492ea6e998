"""Sentences for a blind check of substitutes: 200 with one word replaced and 40 as they were, shuffled, unmarked.

    python reproduce/substitutes_blind.py SENTENCES.txt KEY.tsv

A reader of SENTENCES.txt says for each whether it is grammatical and natural; KEY.tsv tells what was done, and
marks with "fitted" the words that the author's verdicts, to which the score was fitted, already contain. Places that
blind readers have judged before come last, marked with "again", and only with words that nobody has judged there.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from concord.corpus import demo
from concord.language.parse.concord_en import Parser
from concord.language.substitutes import Slot, Substitute
from concord.language.substitutes.lexicon import Substitutes
from concord.language.trees import Tree

REPLACED, CONTROLS, SEED = 200, 40, 20261119
CONTENT = ("NN", "NNS", "NNP", "CD", "JJ", "JJR", "JJS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "RB")
VERDICTS = Path(__file__).parents[1] / "models" / "lexicon" / "verdicts.tsv"


def main(sentences: Path, key: Path) -> None:
    rng = random.Random(SEED)
    parser = Parser()
    source = Substitutes(parse=parser.parse)
    segments = list(demo())
    places = [
        (segment.id, Slot(tree, leaf.start, leaf.end))
        for segment, tree in zip(segments, parser.parse([segment.text for segment in segments]), strict=True)
        if isinstance(tree, Tree)
        for leaf in tree.leaves()
        if leaf.label in CONTENT
    ]
    rng.shuffle(places)
    seen_places, seen_words = _judged()
    rows: list[tuple[str, str]] = []
    for segment, slot in sorted(places, key=lambda place: (place[0], place[1].start) in seen_places):
        if len(rows) == REPLACED:
            break
        again = (segment, slot.start) in seen_places
        found = [(each, (segment, slot.start, each.word.lower()) in seen_words) for each in _found(source, slot)]
        choices = [(each, known) for each, known in found if not (again and known)]
        if choices:
            chosen, known = rng.choice(choices)
            rows.append((chosen.text.words, _done(slot, chosen) + ", fitted" * known + ", again" * again))
    print(f"{len(rows)} sentences with one word replaced")
    rows += [(segment.text.words, "as it was") for segment in rng.sample(segments, CONTROLS)]
    rng.shuffle(rows)
    sentences.write_text("".join(f"{number}\t{words}\n" for number, (words, _) in enumerate(rows, 1)))
    key.write_text("".join(f"{number}\t{done}\t{words}\n" for number, (words, done) in enumerate(rows, 1)))


def _judged() -> tuple[set[tuple[str, int]], set[tuple[str, int, str]]]:
    """Places that blind readers have judged, and words in places that the author has."""
    lines = [line.split("\t") for line in VERDICTS.read_text().splitlines()[1:]]
    places = {(segment, int(start)) for segment, start, _, _, _, reader in lines if reader.startswith("blind")}
    return places, {(segment, int(start), word.lower()) for segment, start, _, word, _, _ in lines}


def _found(source: Substitutes, slot: Slot) -> list[Substitute]:
    answer = source.substitutes([slot])[0]
    return answer if isinstance(answer, list) else []


def _done(slot: Slot, found: Substitute) -> str:
    return f"{slot.tree.text[found.start : found.end]} -> {found.word} ({found.kind}, {found.score:.2f})"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
