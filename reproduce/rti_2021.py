"""RTI on the sentences and errors that its authors published.

    python reproduce/rti_2021.py FOLDER

FOLDER is the data folder, with rti/sentences.jsonl and rti/published_errors_google.jsonl in it. Prints how many
phrases and pairs our parser gives (the paper: 335 and 620), how many of the phrases that the authors published
are among them and why the others are not, and how many of the pairs that can be rebuilt from the published
errors the distance flags. With pairs/labelled_google.csv there as well, also what the distance is worth on pairs
that others have labelled (relation "Purity").
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from concord.language.parse.concord_en import Parser
from concord.language.phrases import Sizes, bare, phrases
from concord.language.trees import Tree
from concord.model import Case, Text
from concord.relations.rti import compare
from concord.relations.rti.pairs import PhraseFilter, PhrasePair, phrase_pairs

PAPER = PhraseFilter(("NP",), Sizes(most_words=10, least_content=3))
THRESHOLDS = range(6)


@dataclass(frozen=True)
class Sentence:
    """A sentence with its tree; the published texts have blanks around an apostrophe, which are taken out."""

    text: Text
    tree: Tree

    @property
    def words(self) -> str:
        return self.text.words


def main(folder: Path) -> int:
    texts, published = folder / "rti" / "sentences.jsonl", folder / "rti" / "published_errors_google.jsonl"
    for file in (texts, published):
        if not file.is_file():
            print(f"{file} is missing")
            return 1
    sentences = parsed(row["text"] for row in rows(texts))
    errors = {repaired(row["source"]): row["target"] for row in rows(published)}
    print_sizes(sentences)
    whole = {bare(each.words) for each in sentences}
    print_published(sentences, [text for text in errors if bare(text) not in whole])
    print_flagged(errors)
    labelled = folder / "pairs" / "labelled_google.csv"
    if labelled.is_file():
        print_labelled(labelled)
    else:
        print(f"\n{labelled} is missing")
    return 0


def rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def repaired(text: str) -> str:
    return text.replace(" ' s ", "'s ").replace(" ' ", "' ")


def parsed(texts: Iterable[str]) -> list[Sentence]:
    given = [Text(repaired(text), "en") for text in texts]
    trees = Parser().parse(given)
    return [Sentence(text, tree) for text, tree in zip(given, trees, strict=True) if isinstance(tree, Tree)]


def found(sentences: Sequence[Sentence], wanted: PhraseFilter) -> dict[tuple[str, str], PhrasePair]:
    every = [pair for each in sentences for pair in phrase_pairs(each.text, each.tree, wanted)]
    return {(pair.container.words, pair.phrase.words): pair for pair in every}


def print_sizes(sentences: Sequence[Sentence]) -> None:
    for name, wanted in (("best trees", PAPER), ("phrases with P >= .1", likely(0.1))):
        pairs = found(sentences, wanted)
        count = len({phrase for _, phrase in pairs})
        print(f"{name}: {count} RTIs and {len(pairs)} pairs in {len(sentences)} sentences (paper: 335 and 620)")


def likely(at_least: float) -> PhraseFilter:
    return PhraseFilter(PAPER.labels, PAPER.sizes, at_least)


def print_published(sentences: Sequence[Sentence], published: Sequence[str]) -> None:
    best, wider = known(sentences, PAPER), known(sentences, likely(0.1))
    hits = [text for text in published if bare(text) in best]
    more = [text for text in published if bare(text) in wider]
    print(f"\npublished phrases: {len(published)}; among ours {len(hits)}, with P >= .1 {len(more)}. The others:")
    missed = [(reason(text, sentences, wider), text) for text in published if bare(text) not in best]
    for why, text in sorted(missed):
        print(f"  {why}: {text}")
    print("  in short:", ", ".join(f"{why} {count}" for why, count in Counter(why for why, _ in missed).most_common()))


def known(sentences: Sequence[Sentence], wanted: PhraseFilter) -> set[str]:
    return {bare(words) for pair in found(sentences, wanted) for words in pair}


def reason(text: str, sentences: Sequence[Sentence], wider: set[str]) -> str:
    """Why a published phrase is not among ours."""
    wanted = bare(text)
    homes = [each for each in sentences if wanted in bare(each.words)]
    if not homes:
        return "not in the sentences"
    for home in homes:
        nodes = [node for node in home.tree.nodes() if bare(node.words) == wanted]
        if any(bare(phrase.words) == wanted for phrase, _ in phrases(home.tree, ("NP",))):
            return "too short or too long"
        if nodes:
            return f"our parser says {nodes[0].label}"
    return "our parser has it at P >= .1" if wanted in wider else "no phrase for our parser"


def print_flagged(errors: dict[str, str]) -> None:
    pairs = [
        (whole, part) for whole in errors for part in errors if bare(part) != bare(whole) and bare(part) in bare(whole)
    ]
    distances = [
        compare(*(Text(words, "en") for words in pair), *(Text(errors[words], "zh") for words in pair)).suspicion
        for pair in pairs
    ]
    print(f"\npairs of two published texts, one in the other: {len(pairs)}")
    for d in THRESHOLDS:
        print(f"  d = {d}: {sum(distance > d for distance in distances)} flagged")


def print_labelled(file: Path) -> None:
    with file.open(newline="", encoding="utf-8") as lines:
        every = [row for row in csv.DictReader(lines) if row["relation"] == "Purity"]
    for (source, target), matches in {("en", "zh"): ["exact"], ("zh", "en"): ["exact", "stem", "lemma"]}.items():
        rows = [row for row in every if (row["source_lang"], row["target_lang"]) == (source, target)]
        violated = [row["violation"] == "1" for row in rows]
        for match in matches:
            found = [judged(row, match).suspicion for row in rows]
            auc = area(found, violated)
            print(f"\n{source}-{target}, match {match}: {len(rows)} pairs, {sum(violated)} violated; AUC {auc:.3f}")
            for d in THRESHOLDS:
                flagged = [right for distance, right in zip(found, violated, strict=True) if distance > d]
                print(f"  d = {d}: {len(flagged)} flagged, {sum(flagged)} of them violated")


def judged(row: dict[str, str], match: str) -> Case:
    source, target = row["source_lang"], row["target_lang"]
    texts = (Text(row["source"], source), Text(row["follow_up"], source))
    outputs = (Text(row["source_translation"], target), Text(row["follow_up_translation"], target))
    return compare(*texts, *outputs, match=match)  # type: ignore[arg-type]


def area(scores: Sequence[float], wanted: Sequence[bool]) -> float:
    """The area under the ROC curve: how often a violated pair scores higher than another one, ties half."""
    bad = [score for score, want in zip(scores, wanted, strict=True) if want]
    good = [score for score, want in zip(scores, wanted, strict=True) if not want]
    return sum((one > other) + 0.5 * (one == other) for one in bad for other in good) / (len(bad) * len(good))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python reproduce/rti_2021.py FOLDER")
    sys.exit(main(Path(sys.argv[1])))
