"""Pairs of a phrase and a container, for `rti`."""

from collections.abc import Iterator
from dataclasses import dataclass

from concord.language.phrases import Phrase, Sizes, bare, containers, phrases
from concord.language.trees import Tree
from concord.model import Text


@dataclass(frozen=True, slots=True)
class PhrasePair:
    """A phrase and its container. `label` is the phrase's, `where` the kind of the container.

    The phrase begins at `start` of the container, and the container at `container_start` of the whole text.
    """

    container: Text
    phrase: Text
    start: int
    label: str
    where: str
    container_start: int = 0

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
class PhraseFilter:
    """Which phrases are tested: their labels, their sizes, and their least probability by the parser."""

    labels: tuple[str, ...]
    sizes: Sizes
    at_least: float | None = None


def phrase_pairs(x: Text, tree: Tree, phrase_filter: PhraseFilter) -> list[PhrasePair]:
    """Every phrase of the filter with its sentence and with every longer phrase around it, each pair once."""
    pairs: dict[tuple[Text, Text], PhrasePair] = {}
    for sentence in tree.children if tree.label == "ROOT" and len(tree.children) > 1 else (tree,):
        for pair in _sentence_pairs(x, sentence, phrase_filter):
            pairs.setdefault((pair.container, pair.phrase), pair)
    return list(pairs.values())


def around(tree: Tree, start: int, end: int) -> Tree:
    """The smallest node that holds the span, or the part of it that lies within the tree."""
    start, end = max(start, tree.start), min(end, tree.end)
    while True:
        inner = next((child for child in tree.children if child.start <= start and end <= child.end), None)
        if inner is None:
            return tree
        tree = inner


def _sentence_pairs(x: Text, sentence: Tree, phrase_filter: PhraseFilter) -> Iterator[PhrasePair]:
    alone_in_text = sentence.label == "ROOT"
    start, end = (0, len(x.words)) if alone_in_text else (sentence.start, sentence.end)
    whole = Phrase("S", start, end, x.words)
    labelled = phrases(sentence, phrase_filter.labels, at_least=phrase_filter.at_least)
    all_words = bare(whole.words)
    inner = [(phrase, leaves) for phrase, leaves in labelled if bare(phrase.words) != all_words]
    outer = [phrase for phrase, _ in inner]
    for phrase, leaves in inner:
        if phrase_filter.sizes.fit(leaves, x.lang):
            yield _pair(x, phrase, whole, "sentence")
            yield from (_pair(x, phrase, container, "phrase") for container in containers(phrase, outer))


def _pair(x: Text, phrase: Phrase, container: Phrase, where: str) -> PhrasePair:
    start = phrase.start - container.start
    texts = Text(container.words, x.lang), Text(phrase.words, x.lang)
    return PhrasePair(*texts, start, phrase.label, where, container.start)
