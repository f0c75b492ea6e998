"""Mutants: a sentence with one word replaced by a natural substitute.

The `substitutes` service proposes the words. Its gate rejects substitutes that change the tags or the parse, are rare,
or (if there is an encoder) have another meaning, and counts them by reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Annotated, Any, Literal

from concord.errors import Untested, UserError
from concord.language.services import Substitutes
from concord.language.substitutes import GOOD, NATURAL, Substitute
from concord.language.substitutes._joint_parse import change
from concord.language.tokens import split
from concord.language.trees import Tree
from concord.model import Text
from concord.options import Count, NotEmpty

WordKind = Literal["noun", "name", "adjective", "number", "verb", "adverb"]

_TAGS: dict[WordKind, frozenset[str]] = {
    "noun": frozenset({"NN", "NNS", "NOUN"}),
    "name": frozenset({"NNP", "NNPS", "PROPN", "NR"}),
    "adjective": frozenset({"JJ", "JJR", "JJS", "ADJ", "VA"}),
    "number": frozenset({"CD", "NUM", "OD"}),
    "verb": frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "VERB", "VV"}),
    "adverb": frozenset({"RB", "RBR", "RBS", "ADV", "AD"}),
}
"""Penn's, the Chinese Treebank's and universal tags."""
WORD_KINDS: tuple[WordKind, ...] = tuple(_TAGS)
KindsOfWords = Annotated[tuple[WordKind, ...], NotEmpty(), "Kinds of words that are replaced."]
WordsPerText = Annotated[Count, "Words of a text, drawn at random, that are replaced."]
MutantsPerWord = Annotated[Count, "Substitutes for each word."]
LONGEST = 200
"""Words and marks of the longest text that is changed: the number of candidates grows faster than the text, and a
change of one word says little about a page."""
_KIND_OF = {tag: kind for kind, tags in _TAGS.items() for tag in tags}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A new sentence, with `new` at `new_start:new_end` in place of `word` at `start:end` of the original.

    `kind` is that of the replaced word, `substitute_kind` how the new word is related to it (`similar`, `synonym`,
    `number` …), and `score` its naturalness by the source of substitutes, from 0 to 1.
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
    substitute_kind: str

    @property
    def evidence(self) -> dict[str, Any]:
        """The evidence of a case with this mutant."""
        return {"replaced": f"{self.word} → {self.new}", "as": self.substitute_kind, "naturalness": self.score}


async def mutants(
    tree: Tree,
    substitutes: Substitutes,
    *,
    kinds: Sequence[WordKind],
    most_words: int,
    count: int,
    rng: Random | None = None,
    least: float = 0.0,
    offered: Sequence[str] = NATURAL,
) -> list[Mutant]:
    """Up to `count` mutants for each of up to `most_words` words of the given kinds, in the order of the text.

    The words are the first that have a mutant, or with `rng` a random sample of those; for each word the most natural
    mutants come first. `offered` are the kinds of substitutes. `least` is the lowest score that counts, and only in
    texts without a good mutant any that is not `GOOD`; scores do not apply to a masked model, which gives
    probabilities.
    """
    leaves = words(tree, kinds)
    if rng is not None:
        rng.shuffle(leaves)
    for limit in dict.fromkeys((max(least, GOOD), least)):
        by_start: dict[int, list[Mutant]] = {}
        waiting = iter(leaves)
        # A batch has as many words as are still needed, so that no request is wasted and all are parsed together.
        while batch := list(islice(waiting, max(0, most_words - len(by_start)))):
            spans = [(leaf.start, leaf.end) for leaf in batch]
            answers = await substitutes.each(tree, spans, count=count, kinds=offered, least=limit)
            for leaf, candidates in zip(batch, answers, strict=True):
                # A source of substitutes may ignore the least score.
                accepted = [choice for choice in candidates if choice.score >= limit or choice.kind == "masked"]
                if accepted:
                    by_start[leaf.start] = [_mutant(tree, choice, _KIND_OF[leaf.label]) for choice in accepted]
        if by_start:
            return [mutant for start in sorted(by_start) for mutant in by_start[start]]
    return []


def untested(tree: Tree, kinds: Sequence[WordKind]) -> Untested:
    """Why a sentence has no mutant with a word of these kinds replaced."""
    listed = " or ".join([", ".join(kinds[:-1]), kinds[-1]] if kinds[1:] else kinds)
    return Untested("no word with a substitute" if words(tree, kinds) else f"no {listed}")


def check_length(text: Text) -> None:
    """Untested if a text has more than `LONGEST` words and marks, and is not changed."""
    if too_long(text):
        raise Untested(f"more than {LONGEST} words and marks")


def all_replaced(text: Text, substitutes: Sequence[Substitute]) -> Text:
    """The text with several of its words replaced at once."""
    words = text.words
    for start, end, new in sorted((change(text.words, substitute) for substitute in substitutes), reverse=True):
        words = words[:start] + new + words[end:]
    return Text(words, text.lang)


def too_long(text: Text) -> bool:
    """Whether a text has more than `LONGEST` words and marks, and is not changed."""
    return len(split(text)) > LONGEST


def words(tree: Tree, kinds: Sequence[WordKind]) -> list[Tree]:
    """The words of the given kinds, from left to right."""
    unknown = [kind for kind in kinds if kind not in _TAGS]
    if unknown or not kinds:
        problem = f"not {', '.join(unknown)}" if unknown else "at least one"
        raise UserError(f"kinds of words are {', '.join(WORD_KINDS)}, {problem}")
    return [leaf for leaf in tree.leaves() if _KIND_OF.get(leaf.label) in kinds]


def _mutant(tree: Tree, substitute: Substitute, kind: WordKind) -> Mutant:
    # An article before the word may have changed its length; what follows the word is as it was.
    new_end = len(substitute.text.words) - (len(tree.text) - substitute.end)
    return Mutant(
        text=substitute.text,
        start=substitute.start,
        end=substitute.end,
        word=tree.text[substitute.start : substitute.end],
        new=substitute.word,
        new_start=new_end - len(substitute.word),
        new_end=new_end,
        score=substitute.score,
        kind=kind,
        substitute_kind=substitute.kind,
    )
