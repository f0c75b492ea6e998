"""Evidence: the dictionaries of a pair of languages, as far as there are any."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

from concord.comparator.dictionaries import Entry, Group, dictionary_sources, read_synonyms, selected_dictionaries
from concord.comparator.word_table import (
    Langs,
    Translations,
    Words,
    WordTable,
    compiled_words,
    cut_entries,
    translations,
)
from concord.language.align.model import form
from concord.language.apertium.bilingual import Bilingual, bilingual
from concord.language.codes import is_spaced

SHORTEST_COMPOUND, MOST_PARTS = 3, 20


@dataclass(frozen=True, eq=False)
class Evidence:
    """Dictionary entries between two languages, and where they come from.

    `used` names the sources, with versions, for signatures; `missing` says what else could be installed, and how.
    `bilingual` are Apertium's dictionaries, which are asked word by word; `groups` are the user's synonyms, and
    `compiled` the entries of a large dictionary, whose words were cut before.
    """

    langs: Langs
    entries: Sequence[Entry] = ()
    used: tuple[str, ...] = ()
    missing: tuple[str, ...] = field(default=())
    bilingual: Bilingual | None = None
    groups: tuple[Group, ...] = ()
    compiled: WordTable | None = None

    def notes(self) -> list[str]:
        """Notes for readers of the results: which sources were used, and which others could be installed."""
        return [*([f"differences are also explained by {', '.join(self.used)}"] if self.used else []), *self.missing]

    def turned(self) -> Evidence:
        """The same evidence in the other direction."""
        langs = self.langs[1], self.langs[0]
        entries = tuple((target, source) for source, target in self.entries)
        asked = bilingual(langs)[0] if self.bilingual else None
        compiled = self.compiled.turned() if self.compiled else None
        return replace(self, langs=langs, entries=entries, bilingual=asked, compiled=compiled)

    def meet(self, source_words: Iterable[str], target_words: Iterable[str]) -> None:
        """Look up words in advance, all together, which is faster than one after the other."""
        if self.bilingual:
            self.bilingual.meet(source_words, target_words)

    def glosses_of(self, source_words: Iterable[str], target_words: Iterable[str]) -> list[tuple[Words, Words]]:
        """The glosses that may hold for these words, including those from Apertium, which is asked word by word."""
        source_words, target_words = list(source_words), list(target_words)
        looked_up = self.bilingual.glosses(source_words, target_words) if self.bilingual else []
        compiled = self.compiled.glosses_of(source_words, target_words) if self.compiled else []
        return [*self.glosses, *compiled, *looked_up]

    @cached_property
    def glosses(self) -> list[tuple[Words, Words]]:
        """The entries as the words of either side, for the word alignment; long explanations are left out."""
        return cut_entries(self.entries, self.langs)

    def translates(self, source_word: str, target_word: str) -> bool:
        """Whether a dictionary has one of the words among the translations of the other.

        Where words are not separated by blanks, a word also counts as the shorter ones that it is made of.
        """
        if self.bilingual and self.bilingual.translates(source_word, target_word):
            return True
        if not self.entries and not self.compiled:
            return False
        sources, targets = _forms(source_word, self.langs[0]), _forms(target_word, self.langs[1])
        forward = {source: self._translated(source) for source in sources}
        backward = {target: self._translated(target, back=True) for target in targets}
        return any(target in forward[source] or source in backward[target] for source in sources for target in targets)

    def akin(self, word: str, other_word: str) -> float:
        """The similarity of two words of the target language, 0 to 1: the cosine of the sets of their translations.

        So words with many translations, which share some with nearly every word, are not similar to all of them.
        """
        own, others = (self._translated(form(text, self.langs[1]), back=True) for text in (word, other_word))
        shared = len(own & others)
        listed = shared / math.sqrt(len(own) * len(others)) if shared else 0.0
        return max(listed, self.bilingual.akin(word, other_word)) if self.bilingual else listed

    def synonyms(self, word: str, other_word: str) -> bool:
        """Whether the user calls two words of one language synonyms."""
        if not self.groups:
            return False
        return not self._groups_of(word).isdisjoint(self._groups_of(other_word))

    def _groups_of(self, word: str) -> set[int]:
        return {number for stem in self._stems(word) for number in self._grouped.get(stem, ())}

    def _stems(self, word: str) -> frozenset[str]:
        return self.bilingual.stems(word) if self.bilingual else frozenset({form(word, self.langs[1])})

    @cached_property
    def _grouped(self) -> Mapping[str, set[int]]:
        numbers: defaultdict[str, set[int]] = defaultdict(set)
        for number, group in enumerate(self.groups):
            for word in group:
                for stem in self._stems(word):
                    numbers[stem].add(number)
        return numbers

    def _translated(self, word: str, *, back: bool = False) -> set[str]:
        """The translations of a source word or, `back`, of a target word, by its form."""
        own = self._translations[back].get(word, set())
        return own if self.compiled is None else own.union(self.compiled.translated(word, back=back))

    @cached_property
    def _translations(self) -> tuple[Translations, Translations]:
        return translations(self.glosses, self.langs)


def gather(
    langs: Langs, *, glossary: str = "", cedict: str = "", synonyms: str = "", dictionaries: str = "all"
) -> Evidence:
    """The evidence for two languages: files of the user, CC-CEDICT, FreeDict, Apertium; it may be empty.

    `glossary` is a file with an expression of the source language, a tab and a translation in every line; `synonyms`
    one with synonyms in every line, tabs between them; `cedict` a file in the format of CC-CEDICT, in place of an
    installed one. `dictionaries` are the installed ones that are looked for: all, none, or some of cedict, freedict and
    apertium, commas between them.
    """
    installed = selected_dictionaries(dictionaries)
    sources = dictionary_sources(langs, glossary=glossary, cedict=cedict, installed=installed)
    entries = dict.fromkeys(entry for source in sources for entry in source.entries)
    compiled = next((compiled_words(source.file, langs) for source in sources if source.file), None)
    groups = read_synonyms(synonyms) if synonyms else ()
    apertium, cure = bilingual(langs) if "apertium" in installed else (None, "")
    used = [source.name for source in sources if source.entries or source.file]
    used += [f"synonyms {Path(synonyms).name}"] if synonyms else []
    used += [apertium.name] if apertium else []
    missing = [text for text in (*(source.cure for source in sources), cure) if text]
    return Evidence(langs, tuple(entries), tuple(used), tuple(missing), apertium, groups, compiled)


@lru_cache(maxsize=100_000)
def _forms(word: str, lang: str) -> tuple[str, ...]:
    whole = form(word, lang)
    if is_spaced(lang) or len(whole) < SHORTEST_COMPOUND or not whole.isalpha():
        return (whole,)
    size = len(whole)
    parts = [whole[start : start + length] for length in range(size - 1, 1, -1) for start in range(size - length + 1)]
    return (whole, *parts[:MOST_PARTS])
