"""Helpers of several parsers: trees with the spans that a library gives, and errors for single texts of a batch."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from concord.errors import BadAnswer, Refused, ServiceError, UserError
from concord.language.codes import base
from concord.language.trees import ROOTS, Tree, read_brackets, visible
from concord.model import Text
from concord.plural import plural

T = TypeVar("T")
Span = tuple[int, int]

MOST_CHARACTERS = 100_000


def placed(brackets: str, spans: Sequence[Span], text: str) -> Tree:
    """The tree that brackets describe, with one span for each of its words, in order."""
    try:
        drawn = read_brackets(brackets)
    except UserError as error:
        raise BadAnswer(str(error)) from None
    if len(drawn.leaves()) != len(spans):
        raise BadAnswer(f"the tree has {plural(len(drawn.leaves()), 'word')}, but the sentence has {len(spans)}")
    remaining = iter(reversed(spans))
    trees: dict[int, Tree] = {}
    # Children come before their parents, and the last word first.
    for node in reversed(list(drawn.nodes())):
        children = tuple(trees[id(child)] for child in node.children)
        start, end = (children[0].start, children[-1].end) if children else next(remaining)
        trees[id(node)] = Tree(node.label, start, end, children, text)
    return trees[id(drawn)]


def rooted(sentences: Iterable[Tree], text: str) -> Tree:
    """One tree for a text, with a child for every sentence, whose own root nodes are dropped."""
    children: list[Tree] = []
    for sentence in sentences:
        wrapped = sentence.label in ROOTS and bool(sentence.children)
        children += sentence.children if wrapped else (sentence,)
    if not children:
        raise no_word()
    return Tree("ROOT", children[0].start, children[-1].end, tuple(children), text)


def smoothed(text: str) -> tuple[str, list[int]]:
    """A text with single blanks, and the index of each of its characters in the original.

    spaCy makes words of longer blanks.
    """
    pieces: list[str] = []
    places: list[int] = []
    for word in re.finditer(r"\S+", text):
        if pieces:
            pieces.append(" ")
            places.append(word.start() - 1)
        pieces.append(word.group())
        places += range(word.start(), word.end())
    return "".join(pieces), places


def refused(text: Text, who: str, lang: str) -> Refused | None:
    """Why a text cannot be given to a parser of one language, if it cannot."""
    if base(text.lang) != base(lang):
        return Refused(f"{who} parses '{lang}' here, not '{text.lang}'")
    return too_long(text.words, who) or (None if any(map(visible, text.words)) else no_word())


def too_long(words: str, who: str) -> Refused | None:
    """Why a text is too much for a parser, if it is."""
    if len(words) <= MOST_CHARACTERS:
        return None
    return Refused(f"{who} is given up to {MOST_CHARACTERS} characters, not {len(words)}: cut the text")


def no_word() -> Refused:
    """The refusal of a text that holds nothing but blanks and invisible characters."""
    return Refused("there is no word in this text that could be parsed")


def parsed_each(
    texts: Sequence[str], parse_batch: Callable[[Sequence[str]], Sequence[T]], who: str
) -> list[T | ServiceError]:
    """The answers of a library for texts: for all at once if it can, otherwise for one at a time."""
    try:
        return list(parse_batch(texts))
    except Exception as error:  # a library can fail in any way; what the user can cure is not its failure
        if isinstance(error, UserError):
            raise
        if len(texts) == 1:
            return [error if isinstance(error, ServiceError) else Refused(f"{who} cannot parse this text: {error}")]
    return [answer for text in texts for answer in parsed_each([text], parse_batch, who)]


def answers(
    texts: Sequence[Text], who: str, lang: str, parse_batch: Callable[[Sequence[str]], Sequence[T]]
) -> list[T | ServiceError]:
    """One answer per text, in order; texts that cannot be given to the parser are refused beforehand."""
    reasons = [refused(text, who, lang) for text in texts]
    sent = [text.words for text, reason in zip(texts, reasons, strict=True) if reason is None]
    parsed = iter(parsed_each(sent, parse_batch, who) if sent else [])
    return [reason or next(parsed) for reason in reasons]
