"""Synonyms of the thesauri that are installed with LibreOffice's packages, such as Debian's `mythes-es`.

A word is replaced if it stands in the sentence as the thesaurus lists it, by a single word that Apertium's analysis
gives the same tags (part of speech, gender, number …), so that what agrees with it still does. The score is how far the
two mean the same: the mean share of the meanings of each under which the thesaurus lists the other. For a language that
Apertium does not analyse, `forms=tags` compares the parser's tags alone, which seldom tell a gender. The same gate as
for the lexicon follows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from concord.errors import Missing, Refused, ServiceError, UserError, apt_install
from concord.language.codes import base, normalise
from concord.language.english.inflection import cased
from concord.language.models import digest
from concord.language.plugin_choice import thesaurus_package
from concord.language.substitutes import Embed, Parse, Slot, Substitute
from concord.language.substitutes._gate import VERSION as GATE
from concord.language.substitutes._gate import Meaning, SubstituteGate
from concord.language.substitutes._slot import Place, SlottedSentence, in_name, places
from concord.model import Text
from concord.options import Share

RULES = "1"
FOLDER = "/usr/share/mythes"
ELIDING = frozenset({"ca", "fr", "it", "oc"})
"""Languages in which the words before a vowel have other forms."""
CAPITAL_NOUNS = frozenset({"de", "lb"})
"""Languages in which a capital within a sentence makes no name."""
_FILE = re.compile(r"th(?:es)?_([a-z]{2,3})(?:_([A-Z]{2}))?(?:_v\d)?")
_VOWEL = re.compile(r"[aeiouhàáâäèéêëìíîïòóôöùúûü]")
# A remark such as "(generic term)" or "(antonym)" tells that the word is no synonym, or of another style.
_WORD = re.compile(r"[^\W\d_]+")


class Thesaurus:
    """The synonyms of a language, by meaning, in two files: the words with their places, and the entries."""

    def __init__(self, index: Path) -> None:
        self.files = (index, index.with_suffix(".dat"))
        encoding, _, *lines = index.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
        self._encoding = encoding.decode("ascii", "replace").strip()
        split = (line.rpartition(b"|") for line in lines)
        self._places = {word: int(place) for word, bar, place in split if bar and place.strip().isdigit()}

    def meanings(self, word: str) -> tuple[frozenset[str], ...]:
        """The synonyms of a word, each a single word, for each of its meanings; none for a word that it lacks."""
        try:
            place = self._places.get(word.encode(self._encoding))
        except UnicodeEncodeError:
            return ()
        if place is None:
            return ()
        with self.files[1].open("rb") as entries:
            entries.seek(place)
            _, _, count = entries.readline().rpartition(b"|")
            number = int(count) if count.strip().isdigit() else 0
            lines = [entries.readline().decode(self._encoding, "replace") for _ in range(number)]
        listed = ({word.strip() for word in line.split("|")[1:]} for line in lines if not line.startswith("≠"))
        return tuple(frozenset(filter(_WORD.fullmatch, words)) for words in listed)

    def nearness(self, word: str, other: str) -> float:
        """The mean share of the meanings of each word under which the other is listed."""
        return (_share(self.meanings(word), other) + _share(self.meanings(other), word)) / 2


class Substitutes:
    """Synonyms from the thesauri of a folder."""

    id = "mythes"

    def __init__(
        self,
        *,
        folder: Annotated[str, "Folder of the thesauri."] = FOLDER,
        lang: Annotated[str, "The language whose thesaurus is used; by default, all that are installed."] = "",
        similarity: Annotated[Share, "Least score of a substitute."] = 0.75,
        forms: Annotated[
            Literal["apertium", "tags"], "What tells that two words have the same form: Apertium, or the parser's tags."
        ] = "apertium",
        meaning: Meaning = 0.5,
        parse: Parse | None = None,
        embed: Embed | None = None,
    ) -> None:
        self._files = {
            code: path for code, path in _files(Path(folder)).items() if not lang or base(code) == base(lang)
        }
        if not self._files:
            raise Missing(f"a thesaurus in {folder}", apt_install(thesaurus_package(lang) or "mythes-es"))
        self._least, self._forms = similarity, forms
        self._gate = SubstituteGate(parse, embed, meaning=meaning)
        self._analyser: Any = None

    @property
    def rejected(self) -> Counter[str]:
        """How many candidates were rejected, by reason."""
        return self._gate.rejected

    def version(self, lang: str) -> str:
        """The rules, the gate, a digest of the thesaurus and the version of the analysis."""
        parts = [RULES, GATE, digest(self._thesaurus(lang).files)[:8]]
        return "-".join([*parts, self._words().version(lang)] if self._forms == "apertium" else parts)

    def languages(self) -> frozenset[str]:
        """The languages whose thesaurus is installed and whose words are analysed."""
        known = frozenset(map(base, self._files))
        return known & self._words().languages() if self._forms == "apertium" else known

    def substitutes(self, requests: Sequence[Slot]) -> list[list[Substitute] | ServiceError]:
        candidates: list[tuple[Slot, list[Substitute]]] = []
        errors: dict[int, ServiceError] = {}
        for number, slot in enumerate(requests):
            try:
                found = list(self._candidates(slot))
            except ServiceError as error:
                found, errors[number] = [], error
            candidates.append((slot, found))
        return [errors.get(number, admitted) for number, admitted in enumerate(self._gate.admitted(candidates))]

    def close(self) -> None:
        if self._analyser is not None:
            self._analyser.close()

    def _candidates(self, slot: Slot) -> list[Substitute]:
        open_places = places(slot, SlottedSentence(slot.tree))
        if not open_places:
            self.rejected["no content word"] += 1
        found = [substitute for place in open_places for substitute in self._synonyms(place, slot)]
        return self._of_one_form(slot, found) if self._forms == "apertium" and found else found

    def _synonyms(self, place: Place, slot: Slot) -> Iterator[Substitute]:
        capital = place.word[:1].isupper() and place.index > 0 and base(slot.lang) not in CAPITAL_NOUNS
        if in_name(place) or capital or place.tag in ("CD", "NUM", "PROPN", "NNP", "NNPS"):
            return
        thesaurus = self._thesaurus(slot.lang)
        headword = next((word for word in (place.word, place.word.lower()) if thesaurus.meanings(word)), "")
        if not headword:
            self.rejected["unknown word"] += 1
            return
        text, leaf = place.leaf.text, place.leaf
        for synonym in sorted(frozenset().union(*thesaurus.meanings(headword)) - {headword}):
            score = round(thesaurus.nearness(headword, synonym), 4)
            if score < self._least:
                self.rejected["similarity"] += 1
            elif base(slot.lang) in ELIDING and _opens_with_vowel(synonym) != _opens_with_vowel(headword):
                self.rejected["variant"] += 1
            else:
                word = cased(synonym, place.word)
                words = text[: leaf.start] + word + text[leaf.end :]
                yield Substitute(Text(words, slot.lang), leaf.start, leaf.end, word, score, "synonym")

    def _of_one_form(self, slot: Slot, found: Sequence[Substitute]) -> list[Substitute]:
        """Those whose word is analysed like the one that it replaces."""
        texts = [slot.tree.text, *(substitute.text.words for substitute in found)]
        rows = self._words().analyse(texts, slot.lang)
        if isinstance(rows[0], ServiceError):
            raise Refused(f"the analysis of the text failed: {rows[0]}")
        alike = [
            substitute
            for substitute, row in zip(found, rows[1:], strict=True)
            if (tags := _tags(rows[0], substitute.start)) and tags == _tags(row, substitute.start)
        ]
        self.rejected["tag"] += len(found) - len(alike)
        return alike

    def _thesaurus(self, lang: str) -> Thesaurus:
        code = normalise(lang)
        path = self._files.get(code) or self._files.get(base(code))
        if path is None:
            raise UserError(f"no thesaurus of '{lang}' is installed")
        return _read(path)

    def _words(self) -> Any:
        if self._analyser is None:
            from concord.language.parse.apertium import Parser

            self._analyser = Parser()
        return self._analyser


@cache
def _read(index: Path) -> Thesaurus:
    return Thesaurus(index)


def _files(folder: Path) -> Mapping[str, Path]:
    """The index of each language; `pt-BR` has its own, and `pt` that of the country with the language's name."""
    files: dict[str, Path] = {}
    for path in sorted(folder.glob("th*.idx")):
        match = _FILE.fullmatch(path.stem)
        if match and path.with_suffix(".dat").is_file():
            lang, country = match[1], match[2] or ""
            files[normalise(f"{lang}-{country}" if country else lang)] = path
            if country == lang.upper() or normalise(lang) not in files:
                files[normalise(lang)] = path
    return files


def _share(meanings: Sequence[frozenset[str]], word: str) -> float:
    return sum(word in synonyms for synonyms in meanings) / len(meanings) if meanings else 0.0


def _opens_with_vowel(word: str) -> bool:
    return _VOWEL.match(word.lower()) is not None


def _tags(words: Sequence[Any], start: int) -> tuple[str, ...]:
    """The tags of the word at a place; none if it is not in the dictionary."""
    return next((part.tags for word in words if word.start == start for part in word.parts[:1]), ())
