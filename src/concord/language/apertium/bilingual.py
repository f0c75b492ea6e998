"""Apertium's bilingual dictionaries, where a pair is installed: what words translate to, and which words share that.

The dictionaries (GPL) are compiled, and no part of Concord. Their own program, `lt-proc`, is asked for the words that
occur: for the readings of a word by the pair's analyser, then for the translations of each reading.
"""

from __future__ import annotations

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
from concord.language.codes import base, normalise

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
class Known:
    """A word as its pair knows it: the stems of its lemmas and what it is translated to, in any reading.

    Synonyms are found by its likely readings: `lemmas` are these as `lemma<class>`, and `back` has, for every
    translation of theirs, all that it is translated to in its turn.
    """

    stems: frozenset[str]
    said: frozenset[str]
    lemmas: frozenset[str]
    back: tuple[tuple[str, frozenset[str]], ...]

    @property
    def says(self) -> frozenset[str]:
        """The translations of the likely readings, as `lemma<class>`."""
        return frozenset(said for said, _ in self.back)


class Bilingual:
    """What a pair's dictionaries say of the words of two languages; made by `bilingual`.

    Whatever is asked depends on the words alone, never on what was asked before. `meet` looks many words up at once,
    which is quicker than one after the other. Programs stay alive between questions; `close` ends them.
    """

    def __init__(self, langs: Langs, name: str, there: Readings | None, back: Readings | None) -> None:
        self.langs = langs
        self.name = name
        self._ways = there, back
        self._known: tuple[dict[str, Known], dict[str, Known]] = {}, {}
        self._lock = Lock()

    def meet(self, source_words: Iterable[str], target_words: Iterable[str]) -> None:
        """Look up what is not known yet of these words, and of the parts of those with a hyphen."""
        with self._lock:
            for side, words in enumerate((source_words, target_words)):
                spelt = {part for word in words for part in (word.casefold(), *word.casefold().split("-"))}
                self._look_up(side, spelt)

    def translates(self, source_word: str, target_word: str) -> bool:
        """Whether one of the words is among the translations of the other."""
        source, target = self._of(0, source_word), self._of(1, target_word)
        return _says(source, target, self.langs[1]) or _says(target, source, self.langs[0])

    def akin(self, one: str, other: str) -> float:
        """How far two words of the target language translate the same source words: the cosine of those, 0 to 1."""
        ours, theirs = self._of(1, one), self._of(1, other)
        all_ours, all_theirs = ours.says | _shared(theirs, ours), theirs.says | _shared(ours, theirs)
        shared = len(all_ours & all_theirs)
        return shared / math.sqrt(len(all_ours) * len(all_theirs)) if shared else 0.0

    def stems(self, word: str) -> frozenset[str]:
        """The stems of a word of the target language and of its lemmas."""
        return self._of(1, word).stems

    def glosses(self, source_words: Iterable[str], target_words: Iterable[str]) -> list[tuple[Words, Words]]:
        """Which of these words translate each other, in order."""
        sources, targets = ({word.casefold() for word in words} for words in (source_words, target_words))
        self.meet(sources, targets)
        made = {(source, target) for target, source in self._linked(1, targets, sources)}
        made.update(self._linked(0, sources, targets))
        return [((source,), (target,)) for source, target in sorted(made)]

    def close(self) -> None:
        """End the programs; the next question starts them again."""
        with self._lock:
            for way in filter(None, self._ways):
                way.close()

    def _linked(self, side: int, words: Iterable[str], others: Iterable[str]) -> Iterable[tuple[str, str]]:
        by_stem: dict[str, list[str]] = {}
        for other in others:
            for stem in self._of(1 - side, other).stems:
                by_stem.setdefault(stem, []).append(other)
        for word in words:
            for said in self._of(side, word).said:
                yield from ((word, other) for other in by_stem.get(form(said, self.langs[1 - side]), ()))

    def _of(self, side: int, word: str) -> Known:
        spelt = word.casefold()
        known = self._known[side].get(spelt)
        if known is None:
            with self._lock:
                self._look_up(side, {spelt})
                known = self._known[side][spelt]
        return known

    def _look_up(self, side: int, words: set[str]) -> None:
        known, way = self._known[side], self._ways[side]
        if len(known) > REMEMBERED:
            known.clear()
        new = sorted(words - known.keys())
        asked = [word for word in new if len(word) <= LONGEST and _ASKABLE.fullmatch(word)] if way else []
        readings = way.of(asked) if way and asked else {}
        said = (
            way.translated(sorted({each for reading in readings.values() for each in reading})) if way and asked else {}
        )
        again = self._again(1 - side, {each for some in said.values() for each in some})
        for word in new:
            known[word] = self._made(side, word, readings.get(word, ()), said, again)

    def _again(self, side: int, readings: set[str]) -> dict[str, tuple[str, ...]]:
        way = self._ways[side]
        return way.translated(sorted(readings)) if way and readings else {}

    def _made(
        self,
        side: int,
        word: str,
        readings: Iterable[str],
        said: dict[str, tuple[str, ...]],
        again: dict[str, tuple[str, ...]],
    ) -> Known:
        lang = self.langs[side]
        stems = {form(word, lang), *(form(lemma(reading), lang) for reading in readings)}
        likely = _likely(word, readings)
        back: dict[str, set[str]] = {}
        for each in (translation for reading in likely for translation in said.get(reading, ())):
            back.setdefault(plain(each), set()).update(map(plain, again.get(each, ())))
        return Known(
            frozenset(stems),
            frozenset(lemma(each) for reading in readings for each in said.get(reading, ())),
            frozenset(map(plain, likely)),
            tuple((each, frozenset(twins)) for each, twins in sorted(back.items())),
        )


def _likely(word: str, readings: Iterable[str]) -> list[str]:
    """The readings of the classes in which a word is its own lemma, or all of them if there is no such class.

    "agua" is water, and hardly ever a form of "aguar", to water.
    """
    every = [(reading, plain(reading).removeprefix(lemma(reading))) for reading in readings]
    own = {kind for reading, kind in every if lemma(reading).casefold() == word}
    return [reading for reading, kind in every if kind in own or not own]


def _says(one: Known, other: Known, lang: str) -> bool:
    return any(form(each, lang) in other.stems for each in one.said)


def _shared(one: Known, other: Known) -> frozenset[str]:
    """The translations of a word that are translated to the other word as well."""
    return frozenset(said for said, twins in one.back if twins & other.lemmas)


def bilingual(langs: Langs) -> tuple[Bilingual | None, str]:
    """The dictionaries of the installed pair between two languages; or none, and how they could be had."""
    return _bilingual(langs, _apertium.FOLDER, shutil.which("lt-proc"))


def cure(langs: Langs) -> str:
    """How the dictionaries of a pair can be had, if Debian has the pair."""
    wanted = {base(lang) for lang in langs}
    for pair in _DEBIAN.split():
        if {normalise(_apertium.MEMBERS.get(code, code)) for code in pair.split("-")} == wanted:
            what = f"no dictionary of Apertium's for {langs[0]} and {langs[1]}"
            return f"{what}. To use it: {apt_install(f'apertium-{pair}')}"
    return ""


@lru_cache(maxsize=16)
def _bilingual(langs: Langs, folder: str, program: str | None) -> tuple[Bilingual | None, str]:
    """What is remembered for as long as the same program is found."""
    try:
        modes = Pairs(folder).modes()
    except UserError:
        return None, cure(langs)
    files = [_files(modes, way) for way in (langs, langs[::-1])]
    there, back = (Readings(file) if file else None for file in files)
    if there is None and back is None:
        return None, cure(langs)
    made = Bilingual(langs, _name([file for file in files if file]), there, back)
    try:
        made.meet(["a"], ["a"])
    except ServiceError as error:
        made.close()
        return None, f"{made.name} cannot be used: {error}"
    return made, ""


def _files(modes: dict[Langs, Mode], langs: Langs) -> Files | None:
    """The analyser and the dictionary of a direction, by the names that all of Apertium's pairs give them."""
    source, target = langs
    ways = [langs, (source, base(target)), (base(source), target), (base(source), base(target))]
    mode = next((modes[way] for way in ways if way in modes), None)
    words = [word for command in mode.commands for word in command] if mode else []
    analyser, dictionary = (
        next((word for word in words if word.endswith(f".{kind}.bin")), "") for kind in ("automorf", "autobil")
    )
    return Files(analyser, dictionary) if analyser and dictionary else None


def _name(files: Iterable[Files]) -> str:
    """The pair, with a digest of all that its answers depend on: packages of one version may be built anew."""
    every = sorted({file for each in files for file in (each.analyser, each.dictionary)})
    made = digest(Path(file).read_bytes() for file in every)
    return f"{'+'.join(sorted({Path(file).parent.name for file in every}))}#{made}"
