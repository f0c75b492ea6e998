"""The entries of dictionaries as words; those of CC-CEDICT are cut once, and kept in the user's cache folder.

Cutting and stemming two hundred thousand glosses takes ten seconds, reading what came of it a fifth of a second.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from concord.atomic import write_text
from concord.comparator.dictionaries import Entry, cedict_entries
from concord.errors import ConcordError
from concord.language import tokens
from concord.language.align.model import form
from concord.language.codes import base, is_spaced
from concord.language.stems import version as stemmer
from concord.language.stopwords import stop_words
from concord.model import Text

LONGEST, LONGEST_PLAIN = 4, 3
EDITION = "1"
"""It changes whenever other words are made of the same file."""
Langs = tuple[str, str]
Words = tuple[str, ...]
Translations = Mapping[str, set[str]]
_BETWEEN, _SECTION = "\x1f", "\x1e"
"""What separates words that stand together, and the parts of a stored table: no word has these characters."""


@dataclass(frozen=True, eq=False)
class WordTable:
    """The glosses of a dictionary by the forms of their words, and the translations of single words in them.

    A side of a gloss, and the translations of a word, are words in one string, which costs nothing to read: few are
    ever asked for.
    """

    langs: Langs
    glosses: tuple[Sequence[str], Sequence[str]]
    translations: tuple[Mapping[str, str], Mapping[str, str]]

    def turned(self) -> WordTable:
        """The same entries in the other direction."""
        return WordTable((self.langs[1], self.langs[0]), self.glosses[::-1], self.translations[::-1])

    def glosses_of(self, source_words: Iterable[str], target_words: Iterable[str]) -> list[tuple[Words, Words]]:
        """The glosses that are made of these words, each word written as one of them is."""
        sources, targets = (
            {form(word, lang): word for word in sorted(words)}
            for words, lang in zip((source_words, target_words), self.langs, strict=True)
        )
        return [
            (tuple(sources[word] for word in _parts(source)), tuple(targets[word] for word in _parts(target)))
            for source, target in zip(*self.glosses, strict=True)
            if _made_of(target, targets) and _made_of(source, sources)
        ]

    def translated(self, word: str, *, back: bool = False) -> Words:
        """The translations of a source word or, `back`, of a target word, by its form."""
        return _parts(self.translations[back].get(word, ""))


def _parts(joined: str) -> Words:
    return tuple(joined.split(_BETWEEN)) if joined else ()


def _made_of(joined: str, words: Mapping[str, str]) -> bool:
    return joined in words or (_BETWEEN in joined and all(word in words for word in joined.split(_BETWEEN)))


def cut_entries(entries: Sequence[Entry], langs: Langs) -> list[tuple[Words, Words]]:
    """The entries as the words of either side; those with more than `LONGEST` words on a side are left out."""
    texts = (pair for entry in entries for pair in zip(entry, langs, strict=True))
    cut = {text: _cut(text, lang) for text, lang in texts}
    pairs = [(cut[source], cut[target]) for source, target in entries]
    return [pair for pair in pairs if all(0 < len(side) <= LONGEST for side in pair)]


def translations(glosses: Iterable[tuple[Words, Words]], langs: Langs) -> tuple[Translations, Translations]:
    """The translations of the single source words, and of the single target words, by their forms.

    They are those of entries that give one content word of either language in one or two of the other.
    """
    forward: defaultdict[str, set[str]] = defaultdict(set)
    backward: defaultdict[str, set[str]] = defaultdict(set)
    for words, meanings in glosses:
        sources, targets = _content(words, langs[0]), _content(meanings, langs[1])
        # There may be two hundred thousand: what is too long to be kept is not stemmed.
        if len(sources) + len(targets) > LONGEST_PLAIN:
            continue
        source_forms, target_forms = _formed(sources, langs[0]), _formed(targets, langs[1])
        if len(source_forms) == 1:
            forward[source_forms[0]].update(target_forms)
        if len(target_forms) == 1:
            backward[target_forms[0]].update(source_forms)
    return forward, backward


def compiled_words(file: Path, langs: Langs) -> WordTable:
    """The entries of a file in the format of CC-CEDICT, from the cache where they are in it."""
    straight = langs if base(langs[0]) == "zh" else (langs[1], langs[0])
    table = _kept(_cache() / f"cedict-{_key(file, straight)}.txt", file, straight)
    return table if langs == straight else table.turned()


@lru_cache(maxsize=2)
def _kept(cached: Path, file: Path, langs: Langs) -> WordTable:
    try:
        return _read(cached.read_text("utf-8"), langs)
    except (OSError, ValueError):  # there is none yet, or a damaged one
        table = _compiled(file, langs)
    with contextlib.suppress(OSError, ConcordError):  # where nothing can be kept, it is made again
        cached.parent.mkdir(parents=True, exist_ok=True)
        write_text(cached, _written(table))
    return table


def _written(table: WordTable) -> str:
    columns = [*table.glosses, *(column for side in table.translations for column in (side.keys(), side.values()))]
    return _SECTION.join("\n".join(column) for column in columns)


def _read(text: str, langs: Langs) -> WordTable:
    sources, targets, *sides = (section.split("\n") for section in text.split(_SECTION))
    forward, backward = (dict(zip(*columns, strict=True)) for columns in (sides[:2], sides[2:]))
    return WordTable(langs, (sources, targets), (forward, backward))


def _compiled(file: Path, langs: Langs) -> WordTable:
    glosses = cut_entries(list(dict.fromkeys(cedict_entries(file, langs[0]))), langs)
    sources, targets = (
        [_BETWEEN.join(_formed(gloss[side], lang)) for gloss in glosses] for side, lang in enumerate(langs)
    )
    forward, backward = (
        {word: _BETWEEN.join(sorted(listed)) for word, listed in sorted(side.items())}
        for side in translations(glosses, langs)
    )
    return WordTable(langs, (sources, targets), (forward, backward))


def _key(file: Path, langs: Langs) -> str:
    """A digest of all that the words of a file depend on."""
    cut_by = [EDITION, *langs, stemmer(), *(tokens.version(lang) for lang in langs)]
    stopped = [" ".join(sorted(stop_words(lang))) for lang in langs]
    whole = hashlib.blake2b("\n".join([*cut_by, *stopped]).encode(), digest_size=12)
    whole.update(file.read_bytes())
    return whole.hexdigest()


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "concord"


def _cut(text: str, lang: str) -> Words:
    # Most entries are plain words, for which blanks tell what rules would.
    plain = is_spaced(lang) and text.replace(" ", "").isalpha()
    return tuple(text.split() if plain else tokens.split(Text(text, lang)))


def _formed(words: Words, lang: str) -> Words:
    return tuple(form(word, lang) for word in words)


def _content(words: Words, lang: str) -> Words:
    """The content words; all words if there are none."""
    without = stop_words(lang)
    return tuple(word for word in words if word.casefold() not in without) or words
