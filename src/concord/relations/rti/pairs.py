"""The pairs of a text for `rti`: each phrase with each text that contains it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from concord.language.phrases import Phrase, Sizes, bare, containers, phrases
from concord.language.trees import Tree
from concord.model import Text


@dataclass(frozen=True, slots=True)
class PhrasePair:
    """A phrase, and a text that holds it from `start` on. `label` is the phrase's, `where` the container's kind.

    The container itself begins at `place` of the whole text.
    """

    container: Text
    phrase: Text
    start: int
    label: str
    where: str
    place: int = 0

    def plain(self) -> dict[str, object]:
        """The pair as plain data."""
        return {
            "phrase": self.phrase.words,
            "container": self.container.words,
            "start": self.start,
            "label": self.label,
            "where": self.where,
        }


@dataclass(frozen=True, slots=True)
class WantedPhrases:
    """Which phrases count: their labels, their sizes, and how probable the parser must hold them to be."""

    labels: tuple[str, ...]
    sizes: Sizes
    at_least: float | None = None


def referents(x: Text, tree: Tree, wanted: WantedPhrases) -> list[PhrasePair]:
    """Every wanted phrase with its sentence and with every longer phrase around it, each pair once."""
    found: dict[tuple[Text, Text], PhrasePair] = {}
    for sentence in tree.children if tree.label == "ROOT" and len(tree.children) > 1 else (tree,):
        for pair in _of_sentence(x, sentence, wanted):
            found.setdefault((pair.container, pair.phrase), pair)
    return list(found.values())


def around(tree: Tree, start: int, end: int) -> Tree:
    """The smallest node that holds the span, as far as it lies within the tree."""
    start, end = max(start, tree.start), min(end, tree.end)
    while True:
        inner = next((child for child in tree.children if child.start <= start and end <= child.end), None)
        if inner is None:
            return tree
        tree = inner


def _of_sentence(x: Text, sentence: Tree, wanted: WantedPhrases) -> Iterator[PhrasePair]:
    alone_in_text = sentence.label == "ROOT"
    start, end = (0, len(x.words)) if alone_in_text else (sentence.start, sentence.end)
    whole = Phrase("S", start, end, x.words)
    itself = bare(whole.words)
    found = [
        each for each in phrases(sentence, wanted.labels, at_least=wanted.at_least) if bare(each[0].words) != itself
    ]
    outer = [phrase for phrase, _ in found]
    for phrase, leaves in found:
        if wanted.sizes.fit(leaves, x.lang):
            yield _pair(x, phrase, whole, "sentence")
            yield from (_pair(x, phrase, container, "phrase") for container in containers(phrase, outer))


def _pair(x: Text, phrase: Phrase, container: Phrase, where: str) -> PhrasePair:
    start = phrase.start - container.start
    texts = Text(container.words, x.lang), Text(phrase.words, x.lang)
    return PhrasePair(*texts, start, phrase.label, where, container.start)
