"""A text and its translation, as tokens, with the links between the words that translate each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from concord.model import Direction, Text
from concord.text.align import Link, Model, fit
from concord.text.tokens import Token, tokens

Pair = tuple[Text, Text]


@dataclass(frozen=True, slots=True)
class Aligned:
    """`links` number the tokens of both sides; `model` also knows words that do not stand in these texts."""

    source: tuple[Token, ...]
    target: tuple[Token, ...]
    links: tuple[Link, ...]
    model: Model

    def translating(self, start: int, end: int) -> list[Token]:
        """The tokens of the translation that translate what stands at `start:end` of the source."""
        within = {at for at, token in enumerate(self.source) if token.start < end and start < token.end}
        return [self.target[at] for at in sorted({link.target for link in self.links if link.source in within})]


def learnt(pairs: Sequence[Pair], *, langs: Direction) -> Model:
    """What texts and their translations tell about which words translate each other."""
    words = [([each.text for each in tokens(x)], [each.text for each in tokens(y)]) for x, y in pairs]
    return fit(words, langs=langs)


def aligned(model: Model, pairs: Iterable[Pair]) -> list[Aligned]:
    """Texts with their translations, aligned by what was learnt."""
    cut = [(tuple(tokens(x)), tuple(tokens(y))) for x, y in pairs]
    links = model.each([([each.text for each in x], [each.text for each in y]) for x, y in cut])
    return [Aligned(x, y, each, model) for (x, y), each in zip(cut, links, strict=True)]
