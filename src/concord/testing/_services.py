"""The language services, for tests of relations: they answer at once, from tables or by simple rules."""

from __future__ import annotations

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


class _Each(ABC):
    """Several texts, one after the other, and no language unknown."""

    @abstractmethod
    async def __call__(self, x: Text) -> Any:
        """The answer to one."""

    async def each(self, xs: Sequence[Text]) -> list[Any]:
        return [await self(x) for x in xs]

    def can(self, lang: str) -> bool:
        return True


class TreeTable(_Each):
    """A `parse` that has brackets for every text, whatever its language.

    `otherwise` gives those of a text that is not in the table; without it such a text is refused.
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
    found = re.findall(r"\w+|[^\w\s]", words) or ["-"]
    leaves = " ".join(f"({'NN' if word.isalnum() else '.'} {escaped(word)})" for word in found)
    return f"(ROOT (S (NP {leaves})))"


class AnalysisTable(_Each):
    """An `analyse` that has lemmas for some words, the others being their own; without a table it can do nothing."""

    def __init__(self, lemmas: Mapping[str, str] | None = None) -> None:
        self._lemmas = lemmas

    async def __call__(self, x: Text) -> list[Word]:
        if self._lemmas is None:
            raise Refused(f"words in {x.lang} cannot be analysed")
        found = re.finditer(r"\w+", x.words)
        return [Word(*each.span(), (Part(self._lemmas.get(each[0], each[0])),), x.words) for each in found]

    def can(self, lang: str) -> bool:
        return self._lemmas is not None


class DependTable(_Each):
    """A `depend` by head rules on the trees of a `TreeTable`."""

    def __init__(self, trees: TreeTable) -> None:
        self._trees = trees

    async def __call__(self, x: Text) -> list[Relation]:
        return relations(await self._trees(x))


class SubstituteTable:
    """A `substitutes` that has other words for some: `{"cat": ["dog", "bird"]}`, the most natural first."""

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
        found = []
        for leaf in tree.leaves():
            if start <= leaf.start and leaf.end <= end:
                for place, word in enumerate(self._words.get(leaf.words, ())):
                    text = Text(tree.text[: leaf.start] + word + tree.text[leaf.end :], lang)
                    found.append(Substitute(text, leaf.start, leaf.end, word, 1 / (place + 1), self._kind))
        good = [each for each in found if each.score >= least or each.kind == "masked"]
        return sorted(good, key=lambda each: -each.score)[:count]

    async def each(self, tree: Tree, spans: Sequence[tuple[int, int]], **options: Any) -> list[list[Substitute]]:
        return [await self(tree, start, end, **options) for start, end in spans]


class Untaught:
    """An `explain` that has learnt nothing: it goes by where words stand and how they are spelt."""

    async def __call__(self, source: Text, follow_up: Text, source_output: Text, follow_up_output: Text) -> Any:
        from concord.comparator import align, compare

        texts = (source, follow_up, source_output, follow_up_output)
        return compare(*texts, align([(source, source_output), (follow_up, follow_up_output)]))

    async def each(self, fours: Sequence[tuple[Text, Text, Text, Text]]) -> list[Any]:
        return [await self(*four) for four in fours]


class HashedVectors(_Each):
    """An `embed` whose vectors are near where texts share words; it knows nothing of their meaning."""

    def __init__(self, size: int = 64) -> None:
        self._size = size

    async def __call__(self, x: Text) -> Any:
        import numpy as np

        row = np.zeros(self._size)
        for word in re.findall(r"\w+", x.words.lower()) or [""]:
            number = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
            row[number % self._size] += 1
        return row / np.linalg.norm(row)
