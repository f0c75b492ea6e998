"""Builds pairs of trees: of a sentence's translation, and of its translation with other words in the sentence.

A word, or every content word of a phrase, is replaced so that the tree of the sentence stays the same.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from concord.errors import BadAnswer, Refused, Untested
from concord.language.mutants import LONGEST, all_replaced, too_long
from concord.language.services import Parse, Substitutes
from concord.language.substitutes import FITTING, PHRASE, Substitute
from concord.language.trees import Tree
from concord.model import Text, Translate
from concord.relations.mgmt.deep_select import DeepNode, deep_phrases, deep_words, draws, no_phrase

CHOICES = 5
"""How many substitutes of a word, or other wordings of a phrase, are drawn from."""
MOST_TRIED = 4
"""How many of those are parsed before a word or phrase counts as one that cannot be replaced."""


@dataclass(frozen=True, slots=True)
class TreePair:
    """A sentence with other words, its translation, and the trees of the first translation and of this one.

    `drawn` is the word or phrase that was drawn; `before` and `after` are the trees of the sentence.
    """

    drawn: DeepNode
    before: Tree
    after: Tree
    follow_up: Text
    output: Text
    trees: tuple[Tree, Tree]

    def replaced(self) -> list[tuple[Tree, Tree]]:
        """The words that were replaced, each with its substitute."""
        pairs = zip(self.before.leaves(), self.after.leaves(), strict=True)
        inside = [pair for pair in pairs if self.drawn.node.start <= pair[0].start < self.drawn.node.end]
        return [(old, new) for old, new in inside if old.words != new.words]


class TreePairs:
    """Builds the tree pairs of one sentence; it is parsed only once, and its substitutes are asked for only once."""

    def __init__(self, x: Text, output: Text, translate: Translate, parse: Parse, substitutes: Substitutes) -> None:
        self._x = x
        self._output = output
        self._translate = translate
        self._parse = parse
        self._substitutes = substitutes
        self._trees: tuple[Tree, Tree] | None = None
        self._choices: dict[int, list[Substitute]] | None = None

    async def build(self, labels: tuple[str, ...] | None, candidates: int, rng: Random) -> TreePair:
        """The pair with a phrase of these labels replaced, or a word if None; Untested says why there is none.

        It is drawn from the first candidates. An error of the translator is raised as it is: the system was asked, and
        failed.
        """
        with _untested():
            before, translated = self._trees = self._trees or await self._parsed()
            lang = self._x.lang
            nodes = deep_words(before, lang) if labels is None else deep_phrases(before, lang, labels)
            for drawn in draws(nodes, candidates, rng):
                after = await self._replaced(before, drawn, rng)
                if after:
                    break
            else:
                raise Untested(_reason(before, nodes, labels))
        follow_up = Text(after.text, lang)
        output = await self._translate(follow_up, self._output.lang)
        with _untested():
            trees = translated, await self._parse(output)
        return TreePair(drawn, before, after, follow_up, output, trees)

    async def _parsed(self) -> tuple[Tree, Tree]:
        if too_long(self._x):
            raise Untested(f"the text has more than {LONGEST} words and marks")
        lacking = [text.lang for text in (self._x, self._output) if not self._parse.can(text.lang)]
        if lacking:
            raise Untested(f"there is no parser for '{lacking[0]}'")
        return await self._parse(self._x), await self._parse(self._output)

    async def _replaced(self, before: Tree, drawn: DeepNode, rng: Random) -> Tree | None:
        """The tree with other words in place of all content words of the node, built as before."""
        for text in await self._other_texts(before, drawn, rng):
            with contextlib.suppress(Refused, BadAnswer):
                after = await self._parse(text)
                if after.shape() == before.shape():
                    return after
        return None

    async def _other_texts(self, before: Tree, drawn: DeepNode, rng: Random) -> list[Text]:
        """Sentences with other words in place of the node, in random order."""
        if drawn.node.children:
            span = drawn.node.start, drawn.node.end
            kinds, lang = (PHRASE,), self._x.lang
            wordings = await self._substitutes(before, *span, lang=lang, count=CHOICES, kinds=kinds)
            if wordings:
                return [wording.text for wording in rng.sample(wordings, len(wordings))][:MOST_TRIED]
        self._choices = self._choices or await self._word_choices(before)
        choices = [self._choices[index] for index in drawn.words]
        return [all_replaced(self._x, each) for each in islice(_combinations(choices, rng), MOST_TRIED)]

    async def _word_choices(self, tree: Tree) -> dict[int, list[Substitute]]:
        """The substitutes for each content word, asked for together: they do not depend on what is drawn."""
        leaves, lang = tree.leaves(), self._x.lang
        indices = sorted(index for deep in deep_words(tree, lang) for index in deep.words)
        spans = [(leaves[index].start, leaves[index].end) for index in indices]
        answers = await self._substitutes.each(tree, spans, lang=lang, count=CHOICES, kinds=FITTING)
        return {
            index: [choice for choice in answer if choice.word.casefold() != leaves[index].words.casefold()]
            for index, answer in zip(indices, answers, strict=True)
        }


def _combinations(choices: Sequence[Sequence[Substitute]], rng: Random) -> Iterator[list[Substitute]]:
    """One substitute for each word, then another one for each: if possible, none stands for two of the words."""
    shuffled = [rng.sample(words, len(words)) for words in choices]
    for turn in range(max(map(len, shuffled)) if all(shuffled) else 0):
        drawn: list[Substitute] = []
        for words in shuffled:
            turned = words[turn % len(words) :] + words[: turn % len(words)]
            used = {choice.word.casefold() for choice in drawn}
            drawn.append(next((choice for choice in turned if choice.word.casefold() not in used), turned[0]))
        yield drawn


def _reason(tree: Tree, nodes: Sequence[DeepNode], labels: tuple[str, ...] | None) -> str:
    """Why nothing was replaced."""
    if labels is None:
        return "no word can be replaced" if nodes else "the sentence has no content word"
    return "no phrase can be replaced as a whole" if nodes else no_phrase(tree, labels)


@contextlib.contextmanager
def _untested() -> Iterator[None]:
    try:
        yield
    except (Refused, BadAnswer) as error:
        raise Untested(str(error)) from error
