"""Protocols of the services that relations can ask for besides `translate`."""

from collections.abc import Awaitable, Sequence
from typing import Any, Protocol, TypeVar

from concord.language.analysis import Word
from concord.language.substitutes import Substitute
from concord.language.trees import Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text

T = TypeVar("T")


class TextService(Protocol[T]):
    """A service that answers one question about a text."""

    def __call__(self, x: Text) -> Awaitable[T]: ...

    def each(self, xs: Sequence[Text]) -> Awaitable[list[T]]: ...

    def can(self, lang: str) -> bool:
        """Whether the service can answer for texts in the language."""


Analyse = TextService[list[Word]]
"""The words of texts with their lemmas and tags."""
Depend = TextService[list[Relation]]
"""The dependency relations between the words of texts."""
Embed = TextService[Any]
"""The vectors of texts; texts of similar meaning have near vectors."""


class Parse(TextService[Tree], Protocol):
    """The trees of texts."""

    def kind(self, lang: str) -> str:
        """`full` or `shallow`."""


class Substitutes(Protocol):
    """Sentences with one word of a tree replaced, the most natural first."""

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
        """The substitutes for each of several spans of a tree, in one request."""
