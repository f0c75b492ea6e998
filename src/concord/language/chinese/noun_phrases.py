"""Noun phrases of Chinese, from words with LAC's tags.

A noun with its determiner, number, measure word and adjectives is a group. Groups that 的 joins are a phrase, the left
ones within it: [[公司 的 利润] 的 一半]. After a verb, 的 may as well end a relative clause, and
the groups stand alone.
"""

import re
from collections.abc import Iterator, Sequence

from concord.language import word_tables
from concord.language.chinese.words import TaggedWord, universal
from concord.language.trees import Tree

_TABLES = word_tables(__file__)
_LETTERS: dict[str, str] = {tag: letter for letter, tags in _TABLES["letters"].items() for tag in tags.split()}
_WORDS: dict[str, str] = {word: letter for letter, words in _TABLES["words"].items() for word in words.split()}
_GROUP = "(?:[RE]Q?)?(?:MQ?)?(?:D?AU?)*N+"
_MODIFIER = f"(?:{_GROUP}F?|[REM]Q?|M?T)U"
_PHRASE = re.compile(f"(?:{_MODIFIER}){{0,7}}{_GROUP}")
_JOINED = re.compile(_MODIFIER)


def sentence_tree(text: str, words: Sequence[TaggedWord]) -> Tree:
    """The words of a sentence with universal tags, and with its noun phrases as nodes labelled `NP`."""
    leaves = [Tree(universal(word.tag), word.start, word.end, (), text) for word in words]
    letters = "".join(_letter(leaf.words, word.tag) for leaf, word in zip(leaves, words, strict=True))
    children: list[Tree] = []
    end = 0
    for row in _PHRASE.finditer(letters):
        children += leaves[end : row.start()]
        children += _phrases(leaves, letters, row)
        end = row.end()
    children += leaves[end:]
    return _node("S", children)


def _letter(word: str, tag: str) -> str:
    return _WORDS.get(word) or _LETTERS.get(tag, " ")


def _phrases(leaves: Sequence[Tree], letters: str, row: re.Match[str]) -> list[Tree]:
    """The phrase of a row; or its parts, if the first 的 does not join it."""
    modifiers = list(_modifiers(letters, row))
    built: list[Tree] = []
    for start, end in modifiers:
        located = int(letters[end - 2] == "F")
        group = leaves[start : end - 1 - located]
        if built:
            built = [_node("NP", [*built, _node("NP", group)])]
        else:
            built = [_node("NP", group)] if "N" in letters[start:end] else [*group]
        built += leaves[end - 1 - located : end]
    head = _node("NP", leaves[modifiers[-1][1] if modifiers else row.start() : row.end()])
    if not built:
        return [head]
    return [*built, head] if _is_relative(letters, row.start()) else [_node("NP", [*built, head])]


def _modifiers(letters: str, row: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The spans of the words up to each 的 that joins groups, this one included."""
    start = row.start()
    while joined := _JOINED.match(letters, start, row.end()):
        yield joined.span()
        start = joined.end()


def _is_relative(letters: str, start: int) -> bool:
    """Whether the first 的 of a row may end a relative clause, or a phrase with "about", that begins before it.

    After a verb it does so one time in three, unless a pronoun begins the row.
    """
    before = letters[start - 1 : start]
    return before == "B" or (before == "V" and letters[start] != "R")


def _node(label: str, children: Sequence[Tree]) -> Tree:
    return Tree(label, children[0].start, children[-1].end, tuple(children), children[0].text)
