"""The services that relations are given besides `translate`, as they see them."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Protocol

from concord.language.analysis import Word
from concord.language.substitutes import Substitute
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text


class Parse(Protocol):
    """The trees of texts."""

    def __call__(self, x: Text) -> Awaitable[Tree]: ...

    def each(self, xs: Sequence[Text]) -> Awaitable[list[Tree]]: ...

    def can(self, lang: str) -> bool:
        """Whether there is a parser for the language."""

    def kind(self, lang: str) -> str:
        """`full` or `shallow`."""


class Analyse(Protocol):
    """The words of texts with their lemmas and tags."""

    def __call__(self, x: Text) -> Awaitable[list[Word]]: ...

    def each(self, xs: Sequence[Text]) -> Awaitable[list[list[Word]]]: ...

    def can(self, lang: str) -> bool:
        """Whether words of the language can be analysed."""


class Depend(Protocol):
    """The dependency relations between the words of texts."""

    def each(self, xs: Sequence[Text]) -> Awaitable[list[list[Relation]]]: ...

    def can(self, lang: str) -> bool:
        """Whether dependency relations of the language can be had."""


class Substitutes(Protocol):
    """Sentences with another word in a place of a tree, the most natural first."""

    def __call__(
        self,
        tree: Tree,
        start: int,
        end: int,
        *,
        lang: str = ...,
        count: int = ...,
        kinds: Sequence[str] = ...,
        least: float = ...,
    ) -> Awaitable[list[Substitute]]: ...

    def each(
        self,
        tree: Tree,
        spans: Sequence[tuple[int, int]],
        *,
        lang: str = ...,
        count: int = ...,
        kinds: Sequence[str] = ...,
        least: float = ...,
    ) -> Awaitable[list[list[Substitute]]]:
        """The same for several places of a tree, in one ask."""


class Embed(Protocol):
    """The vectors of texts, in which what means the same is near."""

    def each(self, xs: Sequence[Text]) -> Awaitable[list[Any]]: ...
