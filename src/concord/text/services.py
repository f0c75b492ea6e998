"""The services that relations are given besides `translate`, as they see them."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from concord.model import Text
from concord.text.analysis import Word
from concord.text.trees import Tree


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
