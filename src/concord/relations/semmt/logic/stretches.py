"""The items of a sentence: quantifiers and logic, commas, phrases, and words that are kept unchanged."""

import re
from dataclasses import dataclass

from concord.relations.semmt.logic.phrases import SymbolPhrase, phrase
from concord.relations.semmt.logic.quantifier_spans import Finding

MOST_ITEMS = 100
"""The most items of a sentence that are read: formulas must stay small enough for automata."""
_COMMAS = re.compile(r"([,;:()]|\s[–—-]\s)")
"""In parentheses, so that each comma is a piece of its own when a text is cut there."""


@dataclass(frozen=True, slots=True)
class Item:
    """A quantifier, a comma, a phrase, or words that are kept; `symbol` is what an expression calls it."""

    kind: str
    text: str
    finding: Finding | None = None
    phrase: SymbolPhrase | None = None
    symbol: int = -1

    @property
    def silent(self) -> bool:
        return self.kind == "words"

    @property
    def quantity(self) -> Finding | None:
        """The quantity, if the item is one."""
        return self.finding if self.finding is not None and self.finding.family == "quantity" else None


def stretch(text: str, start: int, end: int) -> list[Item]:
    """The commas and phrases of a part of a text that has no quantifier."""
    row = []
    for piece in _COMMAS.split(text[start:end])[: 2 * MOST_ITEMS]:
        bare = piece.strip()
        if bare and bare[0] in ",;:()–—-" and len(bare) == 1:
            row.append(Item("comma", bare))
        elif bare:
            symbol_phrase = phrase(piece)
            row.append(Item("words", bare) if symbol_phrase is None else Item("phrase", bare, phrase=symbol_phrase))
    return row
