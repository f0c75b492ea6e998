"""The phrases between the cues of a sentence: most become symbols, some have a fixed expression of their own."""

import re
from dataclasses import dataclass
from functools import lru_cache

from concord.language.english.inflection import lemmas, plural
from concord.language.stopwords import stop_words
from concord.relations.semmt.logic.english import COLLECTIONS, EDGES, TERMINALS
from concord.relations.semmt.logic.words import Words

_LITERAL = re.compile(r"[\"'“‘]\s?(\w+)\s?[\"'”’]\Z|(<M\d+>)\Z")
_LONGEST = 60
"""Words of a phrase that are compared; a phrase is rarely longer."""


@dataclass(frozen=True, slots=True)
class SymbolPhrase:
    """Words that a symbol represents; `fixed` is the expression of those that need no symbol."""

    text: str
    fixed: str | None = None


def phrase(text: str) -> SymbolPhrase | None:
    """The phrase of a piece of text; None if it has only function words or the name of a collection."""
    sentence = Words(text)
    first, last = 0, len(sentence.words)
    while first < last and sentence.words[first] in EDGES:
        first += 1
    while first < last and sentence.words[last - 1] in EDGES:
        last -= 1
    words = sentence.words[first:last]
    if all(word in COLLECTIONS or word in EDGES for word in words):
        return None
    inner = text[sentence.start(first) : sentence.end(last - 1)]
    return SymbolPhrase(inner, _fixed(inner, words)) if any(word.isalnum() for word in words) else None


def _fixed(inner: str, words: list[str]) -> str | None:
    literal = _LITERAL.search(inner)
    if literal is not None:
        before = Words(inner[: literal.start()]).words
        introduced = all(word in COLLECTIONS or word in EDGES for word in before)
        return (literal[1] or literal[2]) if introduced else None
    return TERMINALS.get(" ".join([*words[:-1], singular(words[-1])]))


@lru_cache(maxsize=10_000)
def singular(word: str) -> str:
    """The singular of a noun, the word itself if it is no plural by rule."""
    for lemma in sorted(lemmas(word)):
        if lemma != word and plural(lemma) == word:
            return lemma
    return word


def content(text: str, lang: str) -> list[str]:
    """The words of a phrase that carry its meaning, or all of its words if none does."""
    words = [word for word in Words(text).words[:_LONGEST] if word.isalnum()]
    return [word for word in words if word not in stop_words(lang)] or words


def likeness(left: list[str], right: list[str]) -> float:
    """The proportion of the words of two phrases that have a counterpart in the other, whatever their form."""
    if not left or not right:
        return 1.0 if left == right else 0.0
    return (met(left, right) + met(right, left)) / (len(left) + len(right))


def met(words: list[str], other_words: list[str]) -> int:
    """How many of the words are among the others, whatever their form."""
    other_lemmas = frozenset().union(*(lemmas(word) for word in other_words))
    return sum(not other_lemmas.isdisjoint(lemmas(word)) for word in words)
