"""Synonyms for METEOR: words that share a meaning in WordNet, for English, or a line in a user's file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache

from concord.errors import UserError
from concord.language.codes import base
from concord.language.english.lexicon import WordForm, lexicon
from concord.language.user_file import UserFile, user_file

Related = Callable[[str, str], bool]

LARGEST = 20_000_000


def related(source: str, lang: str) -> Related | None:
    """Whether two words in lower case are synonyms, by a file or `none`; '' is WordNet for English, else nothing."""
    if source == "none" or (not source and base(lang) != "en"):
        return None
    return _share_a_line(source) if source else _share_a_meaning


def _share_a_meaning(one: str, other: str) -> bool:
    return _asked(*sorted((one, other)))


@lru_cache(maxsize=100_000)
def _asked(one: str, other: str) -> bool:
    known = lexicon()
    return any(known.kind(a, b) == "synonym" for a in _forms(one) for b in _forms(other))


@lru_cache(maxsize=20_000)
def _forms(word: str) -> tuple[WordForm, ...]:
    """One form for each lemma: what it means does not depend on its inflection."""
    found = {form.lemma: form for tag in sorted(lexicon().tags(word)) for form in lexicon().forms(word, tag)}
    return tuple(found.values())


def _share_a_line(path: str) -> Related:
    hint = ". Give a file with a group of words on each line, or none"
    lines = _read(user_file("file of synonyms", path, hint))
    nothing: frozenset[int] = frozenset()
    return lambda one, other: not lines.get(one, nothing).isdisjoint(lines.get(other, nothing))


@lru_cache(maxsize=8)
def _read(file: UserFile) -> Mapping[str, frozenset[int]]:
    """The lines that each word stands in."""
    found = defaultdict(set)
    for number, line in enumerate(file.lines(LARGEST, "synonyms are held in memory"), 1):
        words = [] if line.startswith("#") else line.lower().split()
        if len(words) == 1:
            raise UserError(f"{file.path}, line {number}: a line holds two or more words with blanks between them")
        for word in words:
            found[word].add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
