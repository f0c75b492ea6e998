"""Language services for tests of relations: they answer at once, from tables or by simple rules."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from concord.errors import Refused
from concord.language.analysis import Part, Word
from concord.language.substitutes import NATURAL, Substitute
from concord.language.trees import Tree, escaped, read_brackets
from concord.language.trees.dependencies import Relation, relations
from concord.model import Text


class _Service(ABC):
    """A service that answers texts one after the other, in any language."""

    @abstractmethod
    async def __call__(self, x: Text) -> Any:
        """The answer to one text."""

    async def each(self, xs: Sequence[Text]) -> list[Any]:
        return [await self(x) for x in xs]

    def can(self, lang: str) -> bool:
        return True


class TreeTable(_Service):
    """A `parse` that takes trees in brackets from a table, whatever the language.

    `otherwise` makes the brackets of a text that is not in the table; without it such a text is refused.
    """

    def __init__(
        self,
        brackets: Mapping[str, str],
        *,
        kind: Literal["full", "shallow"] = "full",
        otherwise: Callable[[str], str] | None = None,
    ) -> None:
        self._brackets = brackets
        self._kind = kind
        self._otherwise = otherwise
        self.asked: list[str] = []

    async def __call__(self, x: Text) -> Tree:
        self.asked.append(x.words)
        if x.words in self._brackets:
            return read_brackets(self._brackets[x.words], x.words)
        if self._otherwise is None:
            raise Refused(f"the table has no tree of {x.words!r}")
        return read_brackets(self._otherwise(x.words), x.words)

    def kind(self, lang: str) -> str:
        return self._kind


def flat(words: str) -> str:
    """Brackets for any text: all of its words are nouns of one phrase."""
    tokens = re.findall(r"\w+|[^\w\s]", words) or ["-"]
    leaves = " ".join(f"({'NN' if token.isalnum() else '.'} {escaped(token)})" for token in tokens)
    return f"(ROOT (S (NP {leaves})))"


class AnalysisTable(_Service):
    """An `analyse` with a table of lemmas; other words are their own lemma. Without a table it refuses every text."""

    def __init__(self, lemmas: Mapping[str, str] | None = None) -> None:
        self._lemmas = lemmas

    async def __call__(self, x: Text) -> list[Word]:
        if self._lemmas is None:
            raise Refused(f"words in {x.lang} cannot be analysed")
        words = re.finditer(r"\w+", x.words)
        return [Word(*word.span(), (Part(self._lemmas.get(word[0], word[0])),), x.words) for word in words]

    def can(self, lang: str) -> bool:
        return self._lemmas is not None


class DependTable(_Service):
    """A `depend` that applies head rules to the trees of a `TreeTable`."""

    def __init__(self, trees: TreeTable) -> None:
        self._trees = trees

    async def __call__(self, x: Text) -> list[Relation]:
        return relations(await self._trees(x))


class SubstituteTable:
    """A `substitutes` with a table of words: `{"cat": ["dog", "bird"]}`, the most natural first."""

    def __init__(self, words: Mapping[str, Sequence[str]], kind: str = "similar") -> None:
        self._words = words
        self._kind = kind

    async def __call__(
        self,
        tree: Tree,
        start: int,
        end: int,
        *,
        lang: str = "en",
        count: int = 5,
        kinds: Sequence[str] = NATURAL,
        least: float = 0.0,
    ) -> list[Substitute]:
        if self._kind not in kinds:
            return []
        substitutes = []
        for leaf in tree.leaves():
            if start <= leaf.start and leaf.end <= end:
                for rank, word in enumerate(self._words.get(leaf.words, ()), start=1):
                    text = Text(tree.text[: leaf.start] + word + tree.text[leaf.end :], lang)
                    substitutes.append(Substitute(text, leaf.start, leaf.end, word, 1 - (rank - 1) / 100, self._kind))
        good = [word for word in substitutes if word.score >= least or word.kind == "masked"]
        return sorted(good, key=lambda word: -word.score)[:count]

    async def each(self, tree: Tree, spans: Sequence[tuple[int, int]], **options: Any) -> list[list[Substitute]]:
        return [await self(tree, start, end, **options) for start, end in spans]


class Untaught:
    """An `explain` without training: it aligns words by their position and spelling only."""

    async def __call__(self, source: Text, follow_up: Text, source_output: Text, follow_up_output: Text) -> Any:
        from concord.comparator import align, compare

        texts = (source, follow_up, source_output, follow_up_output)
        return compare(*texts, align([(source, source_output), (follow_up, follow_up_output)]))

    async def each(self, fours: Sequence[tuple[Text, Text, Text, Text]]) -> list[Any]:
        return [await self(*four) for four in fours]


class HashedVectors(_Service):
    """An `embed` whose vectors are close if texts share words; it knows nothing of their meaning."""

    def __init__(self, size: int = 64) -> None:
        self._size = size

    async def __call__(self, x: Text) -> Any:
        import numpy as np

        row = np.zeros(self._size)
        for word in re.findall(r"\w+", x.words.lower()) or [""]:
            number = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
            row[number % self._size] += 1
        return row / np.linalg.norm(row)
