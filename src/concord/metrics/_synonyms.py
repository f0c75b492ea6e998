"""Synonyms for METEOR: words that share a meaning in WordNet, for English, or a line in a user's file."""

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
    """The function that tells whether two words in lower case are synonyms: by a file, or by WordNet if `source` is ''
    and the language is English; None for `none` and for other languages without a file."""
    if source == "none" or (not source and base(lang) != "en"):
        return None
    return _share_a_line(source) if source else _share_a_meaning


def _share_a_meaning(a: str, b: str) -> bool:
    return _are_synonyms(*sorted((a, b)))


@lru_cache(maxsize=100_000)
def _are_synonyms(word_a: str, word_b: str) -> bool:
    words = lexicon()
    return any(words.kind(a, b) == "synonym" for a in _forms(word_a) for b in _forms(word_b))


@lru_cache(maxsize=20_000)
def _forms(word: str) -> tuple[WordForm, ...]:
    """One form for each lemma: the meaning does not depend on the inflection."""
    by_lemma = {form.lemma: form for tag in sorted(lexicon().tags(word)) for form in lexicon().forms(word, tag)}
    return tuple(by_lemma.values())


def _share_a_line(path: str) -> Related:
    hint = ". Give a file with a group of words on each line, or none"
    lines = _read(user_file("file of synonyms", path, hint))
    nothing: frozenset[int] = frozenset()
    return lambda a, b: not lines.get(a, nothing).isdisjoint(lines.get(b, nothing))


@lru_cache(maxsize=8)
def _read(file: UserFile) -> Mapping[str, frozenset[int]]:
    """For each word, the numbers of the lines that contain it."""
    lines_of = defaultdict(set)
    for number, line in enumerate(file.lines(LARGEST, "synonyms are held in memory"), 1):
        words = [] if line.startswith("#") else line.lower().split()
        if len(words) == 1:
            raise UserError(f"{file.path}, line {number}: a line holds two or more words with blanks between them")
        for word in words:
            lines_of[word].add(number)
    return {word: frozenset(numbers) for word, numbers in lines_of.items()}
