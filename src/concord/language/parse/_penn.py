"""Words as the Penn treebank cuts them, with their spans in the text, sentence by sentence.

They are Concord's own tokens, but for amounts: a treebank writes "$ 5" and "8 %".
"""

import re
from collections.abc import Iterator, Sequence

from concord.language.sentences import spans
from concord.language.tokens import Token, tokens
from concord.language.trees import visible
from concord.model import Text

Span = tuple[int, int]
MOST_WORDS = 100
"""A longer sentence is cut, at a punctuation mark if possible: the parser's time grows with the cube of its length."""

_AMOUNT = re.compile(r"(?P<before>[^\w.+−±-]*)(?P<number>.*?)(?P<after>[%‰$¢£¥₠-⃀]*)")
_MARKS = frozenset(",;:.!?…—–)”\"'")


def sentences(text: str) -> Iterator[list[Span]]:
    """The spans of the words of every sentence; no sentence is empty or longer than `MOST_WORDS`."""
    for start, end in spans(Text(text, "en")):
        words = [(start + a, start + b) for a, b in _words(text[start:end])]
        while words:
            cut = len(words) if len(words) <= MOST_WORDS else _cut(text, words[:MOST_WORDS])
            yield words[:cut]
            words = words[cut:]


def _words(sentence: str) -> Iterator[Span]:
    for token in tokens(Text(sentence, "en")):
        if token.kind == "number":
            yield from _amount(token)
        elif token.kind != "blank":
            yield from _visible_span(token)


def _amount(token: Token) -> Iterator[Span]:
    match = _AMOUNT.fullmatch(token.text)
    for part in ("before", "number", "after"):
        start, end = match.span(part) if match else (0, 0)
        if start < end:
            yield token.start + start, token.start + end


def _visible_span(token: Token) -> Iterator[Span]:
    """The token from its first to its last visible character, if it has one."""
    if token.text.isprintable():
        yield token.start, token.end
        return
    offsets = [offset for offset, character in enumerate(token.text) if visible(character)]
    if offsets:
        yield token.start + offsets[0], token.start + offsets[-1] + 1


def _cut(text: str, words: Sequence[Span]) -> int:
    """How many words to take: up to the last punctuation mark in the second half, or all of them."""
    for count in range(len(words), len(words) // 2, -1):
        start, end = words[count - 1]
        if text[start:end] in _MARKS:
            return count
    return len(words)
