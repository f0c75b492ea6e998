"""Evidence: the dictionaries of a pair of languages, as far as there are any."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

from concord.comparator.dictionaries import Entry, Group, dictionary_sources, read_synonyms, selected_dictionaries
from concord.language.align.model import form
from concord.language.apertium.bilingual import Bilingual, bilingual
from concord.language.codes import is_spaced
from concord.language.stopwords import stop_words
from concord.language.tokens import split
from concord.model import Text

LONGEST, LONGEST_PLAIN = 4, 3
SHORTEST_COMPOUND, MOST_PARTS = 3, 20
Langs = tuple[str, str]
Words = tuple[str, ...]
Translations = Mapping[str, set[str]]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Dictionary entries between two languages, and where they come from.

    `used` names the sources, with versions, for signatures; `missing` says what else could be installed, and how.
    `bilingual` are Apertium's dictionaries, which are asked word by word; `groups` are the user's synonyms.
    """

    langs: Langs
    entries: Sequence[Entry] = ()
    used: tuple[str, ...] = ()
    missing: tuple[str, ...] = field(default=())
    bilingual: Bilingual | None = None
    groups: tuple[Group, ...] = ()

    def notes(self) -> list[str]:
        """Notes for readers of the results: which sources were used, and which others could be installed."""
        return [*([f"differences are also explained by {', '.join(self.used)}"] if self.used else []), *self.missing]

    def turned(self) -> Evidence:
        """The same evidence in the other direction."""
        langs = self.langs[1], self.langs[0]
        entries = tuple((target, source) for source, target in self.entries)
        return replace(self, langs=langs, entries=entries, bilingual=bilingual(langs)[0] if self.bilingual else None)

    def meet(self, source_words: Iterable[str], target_words: Iterable[str]) -> None:
        """Look up words in advance, all together, which is faster than one after the other."""
        if self.bilingual:
            self.bilingual.meet(source_words, target_words)

    def glosses_of(self, source_words: Iterable[str], target_words: Iterable[str]) -> list[tuple[Words, Words]]:
        """All glosses, including those for these words from Apertium, which is asked word by word."""
        looked_up = self.bilingual.glosses(source_words, target_words) if self.bilingual else []
        return [*self.glosses, *looked_up]

    @cached_property
    def glosses(self) -> list[tuple[Words, Words]]:
        """The entries as the words of either side, for the word alignment; long explanations are left out."""
        texts = (pair for entry in self.entries for pair in zip(entry, self.langs, strict=True))
        cut = {text: _cut(text, lang) for text, lang in texts}
        pairs = [(cut[source], cut[target]) for source, target in self.entries]
        return [pair for pair in pairs if all(0 < len(side) <= LONGEST for side in pair)]

    def translates(self, source_word: str, target_word: str) -> bool:
        """Whether a dictionary has one of the words among the translations of the other.

        Where words are not separated by blanks, a word also counts as the shorter ones that it is made of.
        """
        if self.bilingual and self.bilingual.translates(source_word, target_word):
            return True
        if not self.entries:
            return False
        sources, targets = _forms(source_word, self.langs[0]), _forms(target_word, self.langs[1])
        forward, backward = self._translations
        return any(
            target in forward.get(source, ()) or source in backward.get(target, ())
            for source in sources
            for target in targets
        )

    def akin(self, word: str, other_word: str) -> float:
        """The similarity of two words of the target language, 0 to 1: the cosine of the sets of their translations.

        So words with many translations, which share some with nearly every word, are not similar to all of them.
        """
        backward = self._translations[1]
        own, others = (backward.get(form(text, self.langs[1]), set()) for text in (word, other_word))
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

    @cached_property
    def _translations(self) -> tuple[Translations, Translations]:
        """The translations of the single source words, and of the single target words."""
        forward: defaultdict[str, set[str]] = defaultdict(set)
        backward: defaultdict[str, set[str]] = defaultdict(set)
        for sources, targets in self._plain:
            if len(sources) == 1:
                forward[sources[0]].update(targets)
            if len(targets) == 1:
                backward[targets[0]].update(sources)
        return forward, backward

    @cached_property
    def _plain(self) -> list[tuple[Words, Words]]:
        """The stems of the entries that give one word of either language in one or two of the other."""
        source, target = self.langs
        contents = ((_content(words, source), _content(meanings, target)) for words, meanings in self.glosses)
        # There may be two hundred thousand: what is too long to be kept is not stemmed.
        return [
            (tuple(form(word, source) for word in source_words), tuple(form(word, target) for word in target_words))
            for source_words, target_words in contents
            if len(source_words) + len(target_words) <= LONGEST_PLAIN
        ]


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
    groups = read_synonyms(synonyms) if synonyms else ()
    apertium, cure = bilingual(langs) if "apertium" in installed else (None, "")
    used = [source.name for source in sources if source.entries]
    used += [f"synonyms {Path(synonyms).name}"] if synonyms else []
    used += [apertium.name] if apertium else []
    missing = [text for text in (*(source.cure for source in sources), cure) if text]
    return Evidence(langs, tuple(entries), tuple(used), tuple(missing), apertium, groups)


def _cut(text: str, lang: str) -> Words:
    # Most entries are plain words, for which blanks tell what rules would.
    plain = is_spaced(lang) and text.replace(" ", "").isalpha()
    return tuple(text.split() if plain else split(Text(text, lang)))


@lru_cache(maxsize=100_000)
def _forms(word: str, lang: str) -> tuple[str, ...]:
    whole = form(word, lang)
    if is_spaced(lang) or len(whole) < SHORTEST_COMPOUND or not whole.isalpha():
        return (whole,)
    size = len(whole)
    parts = [whole[start : start + length] for length in range(size - 1, 1, -1) for start in range(size - length + 1)]
    return (whole, *parts[:MOST_PARTS])


def _content(words: Words, lang: str) -> Words:
    """The content words; all words if there are none."""
    without = stop_words(lang)
    return tuple(word for word in words if word.casefold() not in without) or words
