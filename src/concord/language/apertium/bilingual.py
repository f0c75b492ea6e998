"""Apertium's bilingual dictionaries of installed pairs: the translations of words, and words that share translations.

The dictionaries (GPL) are compiled, and not part of Concord. Their own program, `lt-proc`, looks up the words that
occur: first the readings of a word in the pair's analyser, then the translations of each reading.
"""

import math
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

from concord.errors import ServiceError, UserError, apt_install
from concord.language.align.model import form
from concord.language.apertium import modes as _apertium
from concord.language.apertium.modes import Mode, Pairs, digest
from concord.language.apertium.readings import Files, Readings, lemma, plain
from concord.language.codes import base, direction, normalise

Langs = tuple[str, str]
Words = tuple[str, ...]
REMEMBERED = 300_000
LONGEST = 100
"""Letters of a word that is looked up: the analyser's time grows with the square of their number."""
_ASKABLE = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# The pairs that Debian has; a package is named "apertium-" and its pair.
_DEBIAN = """
afr-nld arg-cat bel-rus br-fr cat-ita cat-srd dan-nor en-gl eng-cat eng-spa eo-ca eo-en eo-es eo-fr es-gl es-pt es-ro
eu-en eu-es fr-es fra-cat hbs-eng hbs-mkd hbs-slv ind-zlm isl-eng isl-swe mkd-bul mkd-eng nno-nob oc-ca oc-es oci-fra
pol-szl por-cat pt-gl rus-ukr spa-arg spa-ast spa-cat spa-ita srd-ita swe-dan swe-nor urd-hin
"""


@dataclass(frozen=True, slots=True)
class WordEntry:
    """The dictionary entry of a word: the stems of its lemmas and its translations, in any reading.

    Synonyms are found by its likely readings: `lemmas` are these as `lemma<class>`, and `back` has each of their
    translations with all that it is translated back to.
    """

    stems: frozenset[str]
    translations: frozenset[str]
    lemmas: frozenset[str]
    back: tuple[tuple[str, frozenset[str]], ...]

    @property
    def likely_translations(self) -> frozenset[str]:
        """The translations of the likely readings, as `lemma<class>`."""
        return frozenset(translation for translation, _ in self.back)


class Bilingual:
    """The dictionaries of a pair in both directions; made by `bilingual`.

    Answers depend on the words alone, never on earlier questions. `meet` looks up many words at once, which is quicker
    than one after the other. Programs keep running between questions; `close` ends them.
    """

    def __init__(self, langs: Langs, name: str, forward: Readings | None, backward: Readings | None) -> None:
        self.langs = langs
        self.name = name
        self._directions = forward, backward
        self._entries: tuple[dict[str, WordEntry], dict[str, WordEntry]] = {}, {}
        self._lock = Lock()

    def meet(self, source_words: Iterable[str], target_words: Iterable[str]) -> None:
        """Look up and cache these words, and the parts of those with a hyphen."""
        with self._lock:
            for side, words in enumerate((source_words, target_words)):
                spelt = {part for word in words for part in (word.casefold(), *word.casefold().split("-"))}
                self._look_up(side, spelt)

    def translates(self, source_word: str, target_word: str) -> bool:
        """Whether one of the words is among the translations of the other."""
        source, target = self._entry(0, source_word), self._entry(1, target_word)
        return _says(source, target, self.langs[1]) or _says(target, source, self.langs[0])

    def akin(self, word_a: str, word_b: str) -> float:
        """The similarity of two target words, 0 to 1: the cosine of the sets of source words that they translate."""
        entry_a, entry_b = self._entry(1, word_a), self._entry(1, word_b)
        all_a = entry_a.likely_translations | _shared(entry_b, entry_a)
        all_b = entry_b.likely_translations | _shared(entry_a, entry_b)
        shared = len(all_a & all_b)
        return shared / math.sqrt(len(all_a) * len(all_b)) if shared else 0.0

    def stems(self, word: str) -> frozenset[str]:
        """The stems of a word of the target language and of its lemmas."""
        return self._entry(1, word).stems

    def glosses(self, source_words: Iterable[str], target_words: Iterable[str]) -> list[tuple[Words, Words]]:
        """The pairs of these words that translate each other, in order."""
        sources, targets = ({word.casefold() for word in words} for words in (source_words, target_words))
        self.meet(sources, targets)
        pairs = {(source, target) for target, source in self._linked(1, targets, sources)}
        pairs.update(self._linked(0, sources, targets))
        return [((source,), (target,)) for source, target in sorted(pairs)]

    def close(self) -> None:
        """End the programs; the next question starts them again."""
        with self._lock:
            for direction in filter(None, self._directions):
                direction.close()

    def _linked(self, side: int, words: Iterable[str], other_words: Iterable[str]) -> Iterable[tuple[str, str]]:
        by_stem: dict[str, list[str]] = {}
        for other_word in other_words:
            for stem in self._entry(1 - side, other_word).stems:
                by_stem.setdefault(stem, []).append(other_word)
        for word in words:
            for translation in self._entry(side, word).translations:
                stem = form(translation, self.langs[1 - side])
                yield from ((word, other_word) for other_word in by_stem.get(stem, ()))

    def _entry(self, side: int, word: str) -> WordEntry:
        spelt = word.casefold()
        entry = self._entries[side].get(spelt)
        if entry is None:
            with self._lock:
                self._look_up(side, {spelt})
                entry = self._entries[side][spelt]
        return entry

    def _look_up(self, side: int, words: set[str]) -> None:
        entries, forward, backward = self._entries[side], self._directions[side], self._directions[1 - side]
        if len(entries) > REMEMBERED:
            entries.clear()
        new = sorted(words - entries.keys())
        queried = [word for word in new if len(word) <= LONGEST and _ASKABLE.fullmatch(word)]
        readings = forward.analyse(queried) if forward and queried else {}
        translations = forward.translated(sorted(set().union(*readings.values()))) if forward else {}
        back_of = backward.translated(sorted(set().union(*translations.values()))) if backward else {}
        for word in new:
            entries[word] = self._new_entry(side, word, readings.get(word, ()), translations, back_of)

    def _new_entry(
        self,
        side: int,
        word: str,
        readings: Iterable[str],
        translations: dict[str, tuple[str, ...]],
        back_of: dict[str, tuple[str, ...]],
    ) -> WordEntry:
        lang = self.langs[side]
        stems = {form(word, lang), *(form(lemma(reading), lang) for reading in readings)}
        likely = _likely(word, readings)
        back: dict[str, set[str]] = {}
        for translation in (translation for reading in likely for translation in translations.get(reading, ())):
            back.setdefault(plain(translation), set()).update(map(plain, back_of.get(translation, ())))
        return WordEntry(
            frozenset(stems),
            frozenset(lemma(translation) for reading in readings for translation in translations.get(reading, ())),
            frozenset(map(plain, likely)),
            tuple((translation, frozenset(twins)) for translation, twins in sorted(back.items())),
        )


def _likely(word: str, readings: Iterable[str]) -> list[str]:
    """The readings in word classes in which the word is its own lemma, or all readings if there is no such class.

    "agua" is water, and hardly ever a form of "aguar", to water.
    """
    every = [(reading, plain(reading).removeprefix(lemma(reading))) for reading in readings]
    own = {kind for reading, kind in every if lemma(reading).casefold() == word}
    return [reading for reading, kind in every if kind in own or not own]


def _says(a: WordEntry, b: WordEntry, lang: str) -> bool:
    return any(form(translation, lang) in b.stems for translation in a.translations)


def _shared(a: WordEntry, b: WordEntry) -> frozenset[str]:
    """The translations of one word that are also translated to the other word."""
    return frozenset(translation for translation, twins in a.back if twins & b.lemmas)


def bilingual(langs: Langs) -> tuple[Bilingual | None, str]:
    """The dictionaries of the installed pair of two languages and ''; or None and how to install them."""
    return _bilingual(langs, _apertium.FOLDER, shutil.which("lt-proc"))


def cure(langs: Langs) -> str:
    """How to install the dictionaries of a pair, if Debian has the pair."""
    bases = {base(lang) for lang in langs}
    for pair in _DEBIAN.split():
        if {normalise(_apertium.MEMBERS.get(code, code)) for code in pair.split("-")} == bases:
            lack = f"no dictionary of Apertium's for {direction(*langs)}"
            return f"{lack}. To use it: {apt_install(f'apertium-{pair}')}"
    return ""


@lru_cache(maxsize=16)
def _bilingual(langs: Langs, folder: str, program: str | None) -> tuple[Bilingual | None, str]:
    """`bilingual`, cached as long as the same program is installed."""
    try:
        modes = Pairs(folder).modes()
    except UserError:
        return None, cure(langs)
    files = [_files(modes, direction) for direction in (langs, langs[::-1])]
    forward, backward = (Readings(file) if file else None for file in files)
    if forward is None and backward is None:
        return None, cure(langs)
    dictionary = Bilingual(langs, _name([file for file in files if file]), forward, backward)
    try:
        dictionary.meet(["a"], ["a"])
    except ServiceError as error:
        dictionary.close()
        return None, f"{dictionary.name} cannot be used: {error}"
    return dictionary, ""


def _files(modes: dict[Langs, Mode], langs: Langs) -> Files | None:
    """The analyser and the dictionary of a direction, by their file names, which are the same in all pairs."""
    source, target = langs
    directions = [langs, (source, base(target)), (base(source), target), (base(source), base(target))]
    mode = next((modes[direction] for direction in directions if direction in modes), None)
    words = [word for command in mode.commands for word in command] if mode else []
    analyser, dictionary = (
        next((word for word in words if word.endswith(f".{kind}.bin")), "") for kind in ("automorf", "autobil")
    )
    return Files(analyser, dictionary) if analyser and dictionary else None


def _name(files: Iterable[Files]) -> str:
    """The pair, with a digest of its files: packages of one version may have been built again."""
    every = sorted({path for pair in files for path in pair})
    content = digest(Path(file).read_bytes() for file in every)
    return f"{'+'.join(sorted({Path(file).parent.name for file in every}))}#{content}"
