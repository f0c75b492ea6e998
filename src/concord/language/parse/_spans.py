"""What parsers share: trees with the spans that a library gives, and one bad text that spoils no other."""

from __future__ import annotations

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
    """The tree that brackets describe, its words at the spans given for them, one for each, in order."""
    try:
        drawn = read_brackets(brackets)
    except UserError as error:
        raise BadAnswer(str(error)) from None
    if len(drawn.leaves()) != len(spans):
        raise BadAnswer(f"the tree has {plural(len(drawn.leaves()), 'word')}, but the sentence has {len(spans)}")
    remaining = iter(reversed(spans))
    made: dict[int, Tree] = {}
    # Children come before their parents, and the last word first.
    for node in reversed(list(drawn.nodes())):
        children = tuple(made[id(child)] for child in node.children)
        start, end = (children[0].start, children[-1].end) if children else next(remaining)
        made[id(node)] = Tree(node.label, start, end, children, text)
    return made[id(drawn)]


def rooted(sentences: Iterable[Tree], text: str) -> Tree:
    """One tree for a text, with a child for every sentence, whatever root these came with."""
    children: list[Tree] = []
    for sentence in sentences:
        wrapped = sentence.label in ROOTS and bool(sentence.children)
        children += sentence.children if wrapped else (sentence,)
    if not children:
        raise no_word()
    return Tree("ROOT", children[0].start, children[-1].end, tuple(children), text)


def smoothed(text: str) -> tuple[str, list[int]]:
    """A text with single blanks, and where its characters stand in the original: spaCy makes words of longer blanks."""
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
    """What is said of a text that holds nothing but blanks and what cannot be seen."""
    return Refused("there is no word in this text that could be parsed")


def each(texts: Sequence[str], some: Callable[[Sequence[str]], Sequence[T]], who: str) -> list[T | ServiceError]:
    """What a library makes of texts: of all together if it can, otherwise of one at a time."""
    try:
        return list(some(texts))
    except Exception as error:  # a library can fail in any way; what the user can cure is not its failure
        if isinstance(error, UserError):
            raise
        if len(texts) == 1:
            return [error if isinstance(error, ServiceError) else Refused(f"{who} cannot parse this text: {error}")]
    return [answer for text in texts for answer in each([text], some, who)]


def answers(
    texts: Sequence[Text], who: str, lang: str, some: Callable[[Sequence[str]], Sequence[T]]
) -> list[T | ServiceError]:
    """One answer per text, in order, where those that cannot be given to the parser are refused beforehand."""
    reasons = [refused(text, who, lang) for text in texts]
    sent = [text.words for text, reason in zip(texts, reasons, strict=True) if reason is None]
    found = iter(each(sent, some, who) if sent else [])
    return [reason or next(found) for reason in reasons]
