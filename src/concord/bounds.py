"""Bounds on the length of a text that is compared, and of an answer in proportion to its text.

The engine and the commands that read pairs from a file check these bounds before they compare: a case that exceeds one
is *not judged*, which is a row of its own kind, so that no text and no answer can keep a run busy for minutes.
"""

from typing import Any

from concord.errors import NotJudged
from concord.model import Text, revised

LONGEST_TEXT = 20_000
"""Characters of a text that is compared. The slowest comparison takes 25 µs a character, so half a second; hosted
services take 5,000 to 30,000 characters in a request, and a page of a book has 3,000."""
LONGEST_PARSED = 1_000
"""Words and marks of a text that is parsed. A parser takes up to 2 ms for each, and what a relation does with a tree
grows faster than the tree; a page of a book has 500."""
TIMES, MORE = 20, 10_000
"""An answer of TIMES the characters of its text and MORE is no translation: a system that repeats itself without end is
cut there, while the longest honest answers, of chatty models to one word, are shorter."""


def comparable(words: str, name: str = "the text") -> str:
    """The words, if they are short enough to be compared; raises NotJudged if not."""
    if len(words) > LONGEST_TEXT:
        raise NotJudged(f"{name} has {_too_many(words)}")
    return words


def parseable(words: str, count: int) -> str:
    """The words, if they are few enough to be parsed; raises NotJudged if not. `count` includes marks."""
    if count > LONGEST_PARSED:
        most = f"{count:,} words and marks; at most {LONGEST_PARSED:,} are parsed"
        raise NotJudged(f"the text has {most}. It begins: {quoted(words)}")
    return words


def judgeable(text: str, answer: str) -> str:
    """The answer to a text, if it can be compared; raises NotJudged, with its beginning, if not."""
    if is_cut(text, answer):
        answer = cut(text, answer)  # a workspace from before this bound has more of it
        most = f"{len(answer):,} characters, {TIMES} × {len(text):,} + {MORE:,}"
        why = f"is out of proportion and was cut at {most}. It begins: {quoted(answer)}"
    elif len(answer) > LONGEST_TEXT:
        why = f"has {_too_many(answer)}"
    else:
        return answer
    raise NotJudged(f"the answer to {quoted(text, 60)} {why}")


def is_judgeable(text: Text, answer: Text) -> bool:
    """Whether an answer to a text can be compared."""
    return not is_cut(text.words, answer.words) and len(answer.words) <= LONGEST_TEXT


def cut(text: str, answer: str) -> str:
    """The answer, or the beginning of one that is out of proportion to its text."""
    return revised(answer, answer[: _most(text)])


def is_cut(text: str, answer: str) -> bool:
    """Whether an answer was out of proportion. Its length alone says so, so that no store or process needs a flag."""
    return len(answer) >= _most(text)


def is_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists are nested more than `levels` deep."""
    if not isinstance(value, (dict, list)):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return not levels or any(is_deeper(part, levels - 1) for part in parts)


def quoted(words: str, most: int = 160) -> str:
    """Words, or the beginning of many, in quotation marks."""
    return f"“{words if len(words) <= most else f'{words[: most - 1]}…'}”"


def _most(text: str) -> int:
    return TIMES * len(text) + MORE


def _too_many(words: str) -> str:
    return f"{len(words):,} characters; at most {LONGEST_TEXT:,} are compared. It begins: {quoted(words)}"
