"""Units: what is counted in a translation, words or, where none are set apart by blanks, characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from concord.model import Text
from concord.text.analysis import Word
from concord.text.languages import base, is_spaced
from concord.text.scripts import UNSPACED_LETTERS, marks
from concord.text.stems import stem
from concord.text.tokens import tokens

# Particles that come and go without a change of meaning (He et al. 2021 leave them out).
_EMPTY = {"zh": frozenset("的了")}
# Their like in languages that are analysed: articles and prepositions.
_EMPTY_TAGS = frozenset({"DET", "ADP"})
_COUNTED = frozenset({"word", "number", "address", "emoji"})
_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}]"
_CHARACTER = re.compile(rf"[{UNSPACED_LETTERS}][{marks()}]*+|\d|(?:{_LETTER}[{marks()}]*+)++")


class Unit(NamedTuple):
    """One thing counted: as it is written, what counts as the same, and the span of the text that it stands for."""

    form: str
    key: str
    start: int
    end: int


def units(text: Text) -> list[Unit]:
    """The units of a text as they are written, in lower case and without marks.

    Languages without blanks are counted by characters; a word in another script, such as a name, counts as one.

    >>> [unit.form for unit in units(Text("亲切的双边会谈", "zh"))]
    ['亲', '切', '双', '边', '会', '谈']
    """
    folded = _folded if unicodedata.is_normalized("NFKC", text.words) else _plain
    if is_spaced(text.lang):
        words = [(folded(each.text), each.start, each.end) for each in tokens(text) if each.kind in _COUNTED]
        return [Unit(form, form, start, end) for form, start, end in words]
    empty = _EMPTY.get(base(text.lang), frozenset())
    found = ((folded(each[0]), *each.span()) for each in _CHARACTER.finditer(text.words))
    return [Unit(form, form, start, end) for form, start, end in found if form not in empty]


def _plain(words: str) -> str:
    """Without what only looks different: digits and letters of full width, presentation forms."""
    return unicodedata.normalize("NFKC", words).casefold()


_folded = str.casefold


def stemmed(text: Text) -> list[Unit]:
    """The units of a text; inflected forms with one stem count as the same."""
    return [unit._replace(key=stem(unit.form, text.lang)) for unit in units(text)]


def lemmas(words: Iterable[Word]) -> list[Unit]:
    """The units of an analysed text but for articles and prepositions; forms of one lemma count as the same."""
    return [
        Unit(word.words.casefold(), part.lemma.casefold(), word.start, word.end)
        for word in words
        if any(map(str.isalnum, word.words))
        for part in word.parts
        if part.upos not in _EMPTY_TAGS
    ]


class Difference(NamedTuple):
    """What of a phrase's units others lack, and what they have instead, where the rest of the phrase stands."""

    missing: list[Unit]
    instead: list[Unit]


def difference(phrase: Sequence[Unit], whole: Sequence[Unit]) -> Difference:
    """Which occurrences in a phrase the whole lacks; of a unit that occurs too often, the last ones.

    A unit is found again in one that is written alike or else in one that counts as the same.
    """
    missing, matched = _matched(phrase, whole)
    return Difference(missing, _around(whole, matched, 2 * len(phrase) + 2) if missing else [])


# A unit is found again by its form or, where that fails, by its key.
_SIDES: tuple[Callable[[Unit], str], ...] = (itemgetter(0), itemgetter(1))


def _matched(phrase: Sequence[Unit], whole: Sequence[Unit]) -> tuple[list[Unit], set[int]]:
    taken: set[int] = set()
    rest = list(phrase)
    for written in _SIDES:
        places: dict[str, list[int]] = {}
        for at in range(len(whole) - 1, -1, -1):
            if at not in taken:
                places.setdefault(written(whole[at]), []).append(at)
        lacking = []
        for unit in rest:
            found = places.get(written(unit))
            if found:
                taken.add(found.pop())
            else:
                lacking.append(unit)
        rest = lacking
        if not rest:
            break
    return rest, taken


def _around(whole: Sequence[Unit], matched: set[int], width: int) -> list[Unit]:
    """The units that are not matched in the stretch, at most so wide, that holds most of those that are."""
    places = sorted(matched)
    best = (0, 0, -1)
    first = 0
    for last, place in enumerate(places):
        while place - places[first] >= width:
            first += 1
        best = max(best, (last - first + 1, places[first], place), key=lambda each: each[0])
    return [whole[at] for at in range(best[1], best[2] + 1) if at not in matched]
