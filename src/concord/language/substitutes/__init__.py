"""Substitutes: words that replace a word so that the sentence is still one that somebody could have written.

A source of substitutes is a plug-in, the class `Substitutes` of a file in this folder. It has an `id`; a `version()`,
which says what its answers depend on besides the slots; the `languages()` it knows (None if it does not say);
`rejected`, its counts of rejected candidates by reason; and `substitutes(slots)`, which answers a batch: for each slot
its substitutes, the most natural first, or an error that concerns that slot alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from concord.errors import ServiceError
from concord.language.trees import Tree
from concord.model import Text

NATURAL = ("similar", "synonym", "co-hyponym", "number", "masked")
"""The kinds that are asked for by default: the sentence goes on to mean much the same."""
FITTING = (*NATURAL, "fitting")
"""Also words that fit the place but may change the meaning."""
OTHER = ("fitting", "antonym", "masked")
"""Words that fit the place and mean something else."""
PHRASE = "phrase"
"""Other words for all of a phrase at once. Asked for alone; a source that knows only words has none."""
KINDS = (*FITTING, "antonym", PHRASE)
GOOD = 0.8
"""The score from which on a substitute is preferred; docs/substitutes.md says how many of these readers accept."""

Parse = Callable[[Sequence[Text]], Sequence[Tree | ServiceError]]
"""Trees for texts, one for each, by the parser that the slots' trees come from."""

Embed = Callable[[Sequence[Text]], Sequence[Any]]
"""Vectors for texts, one for each."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A span of a parsed sentence, and how many substitutes of which kinds to find for it.

    The span is a word or a phrase; of a phrase, its content words are replaced, one at a time. `least` is the smallest
    score that counts; it does not concern a masked model, whose scores are probabilities and no similarities.
    `together` are the spans of the tree that are asked for in one batch, this one included; substitutes for them may
    be tried in one sentence.
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
        # Equal trees have the same text; hashing all their nodes would take longer than finding most answers.
        return hash((self.tree.text, self.start, self.end, self.count, self.kinds, self.lang, self.least))


@dataclass(frozen=True, slots=True)
class Substitute:
    """The whole new sentence, in which `word` replaces `start:end` of the original.

    `score` is between 0 and 1; the higher, the more natural. An article before the word may have changed as well.
    """

    text: Text
    start: int
    end: int
    word: str
    score: float
    kind: str
