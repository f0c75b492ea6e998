"""Substitutes: other words in the place of a word, such that the sentence stays one that somebody could have written.

A source of substitutes is a plug-in, the class `Substitutes` of a file in this folder: it has an `id`, a `version()`
that says what its answers depend on besides the slots, the `languages()` it knows (None if it does not say), a count of
what it `rejected`, by reason, and `substitutes(slots)`, which answers a batch: for each slot its substitutes, the most
natural first, or an error that concerns that slot alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from concord.errors import ServiceError
from concord.language.trees import Tree
from concord.model import Text

KINDS = ("similar", "synonym", "antonym", "co-hyponym", "number", "masked")
NATURAL = tuple(kind for kind in KINDS if kind != "antonym")
"""What is asked for unless a relation says otherwise: an opposite often contradicts the rest of its sentence."""

Parse = Callable[[Sequence[Text]], Sequence[Tree | ServiceError]]
"""Trees for texts, one for each, by the parser that the slots' trees come from."""

Embed = Callable[[Sequence[Text]], Sequence[Any]]
"""Vectors for texts, one for each."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a parsed sentence, and how many substitutes are wanted for it, of which kinds.

    The span is a word or a phrase; of a phrase, its content words are replaced, one at a time. `least` is the smallest
    score that counts; it does not concern a masked model, whose scores are probabilities and no similarities.
    `together` are the spans of the tree that are asked for at once, this one included, in one batch; substitutes for
    them may be tried in one sentence.
    """

    tree: Tree
    start: int
    end: int
    count: int = 5
    kinds: tuple[str, ...] = NATURAL
    lang: str = "en"
    least: float = 0.0
    together: tuple[tuple[int, int], ...] = ()

    def __hash__(self) -> int:
        # Equal trees are of one text; to hash every node of them would take longer than to find most answers.
        return hash((self.tree.text, self.start, self.end, self.count, self.kinds, self.lang, self.least))


@dataclass(frozen=True, slots=True)
class Substitute:
    """The whole new sentence, and what was done: `word` stands where `start:end` of the original was.

    `score` is between 0 and 1; the higher, the more natural. An article before the word may have changed as well.
    """

    text: Text
    start: int
    end: int
    word: str
    score: float
    kind: str
