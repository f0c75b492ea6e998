"""Mutants: a sentence with one word replaced, such that somebody could have written it.

What may stand in the place of a word is the business of the `substitutes` service, whose gate turns away what is
tagged or parsed otherwise, rare, or (where an encoder is chosen) of another meaning, and counts it by reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Annotated, Any, Literal

from concord.errors import UserError
from concord.language.services import Substitutes
from concord.language.substitutes import NATURAL, Substitute
from concord.language.tokens import split
from concord.language.trees import Tree
from concord.model import Text
from concord.options import Count, NotEmpty

WordKind = Literal["noun", "name", "adjective", "number", "verb", "adverb"]

_TAGS: dict[WordKind, frozenset[str]] = {
    "noun": frozenset({"NN", "NNS", "NOUN"}),
    "name": frozenset({"NNP", "NNPS", "PROPN"}),
    "adjective": frozenset({"JJ", "JJR", "JJS", "ADJ"}),
    "number": frozenset({"CD", "NUM"}),
    "verb": frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "VERB"}),
    "adverb": frozenset({"RB", "RBR", "RBS", "ADV"}),
}
"""Penn's and universal tags."""
WORD_KINDS: tuple[WordKind, ...] = tuple(_TAGS)
KindsOfWords = Annotated[tuple[WordKind, ...], NotEmpty(), "Kinds of words that are replaced."]
WordsPerText = Annotated[Count, "Words of a text, drawn at random, that are replaced."]
MutantsPerWord = Annotated[Count, "Substitutes for each word."]
LONGEST = 200
"""Words and marks of the longest text that is changed: what is tried grows faster than the text does, and a change of
one word says little about a page."""
_KIND_OF = {tag: kind for kind, tags in _TAGS.items() for tag in tags}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A new sentence: `new` stands at `new_start:new_end` of it, where `word` was at `start:end` of the original.

    `kind` is the replaced word's, `way` how the new word is related to it (`similar`, `synonym`, `number` …), and
    `score` how natural the source of substitutes holds it to be, from 0 to 1.
    """

    text: Text
    start: int
    end: int
    word: str
    new: str
    new_start: int
    new_end: int
    score: float
    kind: WordKind
    way: str

    @property
    def evidence(self) -> dict[str, Any]:
        """What a case says of it."""
        return {"replaced": f"{self.word} → {self.new}", "as": self.way, "naturalness": self.score}


async def mutants(
    tree: Tree,
    substitutes: Substitutes,
    *,
    kinds: Sequence[WordKind],
    most_words: int,
    count: int,
    rng: Random | None = None,
    ways: Sequence[str] = NATURAL,
    least: float = 0.0,
) -> list[Mutant]:
    """Up to `count` mutants for each of up to `most_words` words of some kinds, in the order of the text.

    The words are the first that have a mutant at all, or with `rng` a sample of those; for each the most natural
    mutants come first. `ways` are the kinds of substitutes that are asked for, and `least` is the smallest score that
    counts; it does not concern a masked model, whose scores are probabilities and no similarities.
    """
    places = words(tree, kinds)
    if rng is not None:
        rng.shuffle(places)
    found: dict[int, list[Mutant]] = {}
    waiting = iter(places)
    # As many places at once as words are missing: none is asked for in vain, and all are parsed together.
    while some := list(islice(waiting, max(0, most_words - len(found)))):
        spans = [(place.start, place.end) for place in some]
        answers = await substitutes.each(tree, spans, count=count, kinds=ways, least=least)
        for place, asked in zip(some, answers, strict=True):
            # A source may not know of a least score.
            made = [each for each in asked if each.score >= least or each.kind == "masked"]
            if made:
                found[place.start] = [_mutant(tree, each, _KIND_OF[place.label]) for each in made]
    return [mutant for start in sorted(found) for mutant in found[start]]


def too_long(text: Text) -> bool:
    """Whether a text is left alone, as it has more than `LONGEST` words and marks."""
    return len(split(text)) > LONGEST


def words(tree: Tree, kinds: Sequence[WordKind]) -> list[Tree]:
    """The words of some kinds, from left to right."""
    unknown = [kind for kind in kinds if kind not in _TAGS]
    if unknown or not kinds:
        given = f"not {', '.join(unknown)}" if unknown else "at least one"
        raise UserError(f"kinds of words are {', '.join(WORD_KINDS)}, {given}")
    return [leaf for leaf in tree.leaves() if _KIND_OF.get(leaf.label) in kinds]


def _mutant(tree: Tree, made: Substitute, kind: WordKind) -> Mutant:
    # An article before the word may have changed its length; what follows the word is as it was.
    new_end = len(made.text.words) - (len(tree.text) - made.end)
    return Mutant(
        text=made.text,
        start=made.start,
        end=made.end,
        word=tree.text[made.start : made.end],
        new=made.word,
        new_start=new_end - len(made.word),
        new_end=new_end,
        score=made.score,
        kind=kind,
        way=made.kind,
    )
