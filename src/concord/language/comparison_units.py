"""Units: what is counted in a translation, words or, where none are set apart by blanks, characters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import eq
from typing import NamedTuple

from concord.language.analysis import Part, Word
from concord.language.codes import base, is_spaced
from concord.language.scripts import UNSPACED_LETTERS, marks
from concord.language.stems import stem
from concord.language.stopwords import stop_words
from concord.language.tokens import tokens
from concord.model import Text

Span = tuple[int, int]

# Particles that come and go without a change of meaning (He et al. 2021 leave them out).
_EMPTY = {"zh": "的了"}
# Their like in languages that are analysed, by lemma: articles, and the prepositions that verbs and nouns govern.
_NOT_MISSED = {
    "ca": "el un de a en",
    "en": "the a of to in",
    "eo": "la de je",
    "es": "el un uno de a en",
    "fr": "le un de à en",
    "gl": "o un de a en",
    "it": "il lo uno un di a in",
    "pt": "o um de a em",
}
_GRAMMAR = frozenset({"DET", "ADP"})
_COUNTED = frozenset({"word", "number", "address", "emoji"})
NEAREST = 20

_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}]"
_CHARACTER = re.compile(rf"[{UNSPACED_LETTERS}][{marks()}]*+|\d|(?:{_LETTER}[{marks()}]*+)++")
# Han, kana, digits, blanks and punctuation: where there is nothing else, no character joins another.
_SINGLE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\u3000-\u3002\u3008-\u3011 -@\n]*+")


class Unit(NamedTuple):
    """One thing counted: as it is written, what counts as the same, and the span of the text that it stands for."""

    form: str
    key: str
    start: int
    end: int


class Units(Sequence[Unit]):
    """The units of a text in its order. Most texts are only counted, so that places are looked up when asked for.

    `empty` are the numbers of those that nobody misses.
    """

    __slots__ = ("_counts", "_found", "_spans", "empty", "forms", "keys")

    def __init__(
        self,
        forms: Sequence[str],
        keys: Sequence[str],
        spans: Callable[[], Sequence[Span]],
        empty: frozenset[int] = frozenset(),
    ) -> None:
        self.forms = forms
        self.keys = keys
        self.empty = empty
        self._spans = spans
        self._found: Sequence[Span] | None = None
        self._counts: Counter[str] | None = None

    def __len__(self) -> int:
        return len(self.forms)

    def __getitem__(self, at: int) -> Unit:  # type: ignore[override]
        return Unit(self.forms[at], self.keys[at], *self.spans[at])

    def __iter__(self) -> Iterator[Unit]:
        return (self[at] for at in range(len(self)))

    @property
    def spans(self) -> Sequence[Span]:
        """Where each unit stands."""
        if self._found is None:
            self._found = self._spans()
        return self._found

    @property
    def counts(self) -> Counter[str]:
        """How often every form occurs."""
        if self._counts is None:
            self._counts = Counter(self.forms)
        return self._counts


def units(text: Text) -> Units:
    """The units of a text as they are written, in lower case and without marks.

    Languages without blanks are counted by characters; a word in another script, such as a name, counts as one.

    >>> units(Text("亲切的双边会谈", "zh")).forms
    ['亲', '切', '双', '边', '会', '谈']
    """
    fold = _fold if unicodedata.is_normalized("NFKC", text.words) else _plain
    spaced, empty = _habits(text.lang)
    if spaced:
        kept = [token for token in tokens(text) if token.kind in _COUNTED]
        return _alike([fold(each.text) for each in kept], lambda: [(each.start, each.end) for each in kept])
    # Particles become blanks, so that what is left stays in its place; and so it does in lower case, as a rule.
    counted = text.words
    for particle in empty:
        counted = counted.replace(particle, " ")
    folded = fold(counted)
    at_once = len(folded) == len(counted)
    if at_once and _SINGLE.fullmatch(folded):
        return _alike(list(filter(str.isalnum, folded)), lambda: _alone(folded))
    looked_at = folded if at_once else counted
    found = _CHARACTER.findall(looked_at)
    forms = found if at_once else [fold(form) for form in found]
    return _alike(forms, lambda: [each.span() for each in _CHARACTER.finditer(looked_at)])


def stemmed(text: Text) -> Units:
    """The units of a text; inflected forms with one stem count as the same."""
    found = units(text)
    return Units(found.forms, [stem(form, text.lang) for form in found.forms], lambda: found.spans)


def lemmas(words: Iterable[Word], lang: str) -> Units:
    """The units of an analysed text, one a word; forms of one lemma count as the same.

    Nobody misses articles and the prepositions that come with a verb or a noun (*de*, *a*, *en*). Dictionaries
    hold expressions of several words, such as *al càrrec de*; their words count one by one, since they may stand
    elsewhere without the rest.
    """
    found = [each for word in words for each in _units_of(word, lang)]
    return joined([unit for unit, _ in found], frozenset(at for at, (_, empty) in enumerate(found) if empty))


def _units_of(word: Word, lang: str) -> Iterator[tuple[Unit, bool]]:
    form = _fold(word.words)
    if len(form.split()) > 1:
        for unit in units(Text(word.words, lang)):
            moved = unit._replace(start=word.start + unit.start, end=word.start + unit.end)
            yield moved, unit.form in stop_words(lang)
    elif any(map(str.isalnum, form)):
        missed = [part for part in word.parts if not _is_grammar(part, lang)]
        part = (missed or list(word.parts))[0]
        yield Unit(form, part.lemma.casefold(), word.start, word.end), not missed


def _is_grammar(part: Part, lang: str) -> bool:
    return part.upos in _GRAMMAR and part.lemma.casefold() in _NOT_MISSED.get(base(lang), "").split()


def joined(found: Sequence[Unit], empty: frozenset[int] = frozenset()) -> Units:
    """Units that were made one by one."""
    spans = [(unit.start, unit.end) for unit in found]
    return Units([unit.form for unit in found], [unit.key for unit in found], lambda: spans, empty)


class UnitDifference(NamedTuple):
    """What of a phrase's units others lack, and what they have instead, where the rest of the phrase stands."""

    missing: list[Unit]
    instead: list[Unit]


def difference(phrase: Units, whole: Units) -> UnitDifference:
    """Which occurrences in a phrase the whole lacks; of a unit that occurs too often, the last ones.

    A unit is found again in one that is written alike or else in one that counts as the same.
    """
    left = whole.counts.get  # a Counter is slow to say that it has none
    used: dict[str, int] = {}
    lacking = []
    for at, form in enumerate(phrase.forms):
        times = used.get(form, 0)
        if times < left(form, 0):
            used[form] = times + 1
        elif at not in phrase.empty:
            lacking.append(at)
    if not lacking:
        return UnitDifference([], [])
    lacking = _alike_by_key(phrase, lacking, whole, used)
    return UnitDifference([phrase[at] for at in lacking], _instead(phrase, whole) if lacking else [])


def _alike_by_key(phrase: Units, lacking: list[int], whole: Units, used: dict[str, int]) -> list[int]:
    """Those that are lacking also by what counts as the same, among the units of the whole that are not used yet."""
    if whole.keys is whole.forms and phrase.keys is phrase.forms:
        return lacking
    still_used = used.copy()
    free: Counter[str] = Counter()
    for form, key in zip(whole.forms, whole.keys, strict=True):
        if still_used.get(form, 0):
            still_used[form] -= 1
        else:
            free[key] += 1
    still = []
    for at in lacking:
        key = phrase.keys[at]
        if free[key]:
            free[key] -= 1
        else:
            still.append(at)
    return still


def _instead(phrase: Units, whole: Units) -> list[Unit]:
    """What stands, where most of the phrase is found, in the place of the rest.

    That is the stretch of the phrase's length with the most of its units, if they are at least half of them.
    """
    wanted = phrase.counts if phrase.keys is phrase.forms else Counter(phrase.keys)
    keys = whole.keys
    width = min(len(phrase), len(keys))
    inside: dict[str, int] = {}
    shared = most = 0
    starts: list[int] = []
    for end, key in enumerate(keys):
        if key in wanted:
            inside[key] = inside.get(key, 0) + 1
            shared += inside[key] <= wanted[key]
        if end >= width and (gone := keys[end - width]) in wanted:
            shared -= inside[gone] <= wanted[gone]
            inside[gone] -= 1
        if end >= width - 1 and shared >= most:
            starts = [*(starts if shared == most else ()), end - width + 1]
            most = shared
    if 2 * most < len(phrase) or not starts:
        return []
    # Of several, the one in which most units stand where they stand in the phrase.
    start = max(starts[:NEAREST], key=lambda start: sum(map(eq, phrase.keys, whole.keys[start : start + width])))
    return [whole[at] for at in _left_over(wanted, whole, start, width)]


def _left_over(wanted: Mapping[str, int], whole: Units, start: int, width: int) -> Iterator[int]:
    left = dict(wanted)
    for at in range(start, start + width):
        key = whole.keys[at]
        if left.get(key, 0) > 0:
            left[key] -= 1
        elif at not in whole.empty:
            yield at


@cache
def _habits(lang: str) -> tuple[bool, str]:
    """Whether words are set apart by blanks, and which particles are blanks to us."""
    return is_spaced(lang), _EMPTY.get(base(lang), "")


def _alone(words: str) -> list[Span]:
    return [(at, at + 1) for at, character in enumerate(words) if character.isalnum()]


def _alike(forms: list[str], spans: Callable[[], Sequence[Span]]) -> Units:
    return Units(forms, forms, spans)


def _fold(words: str) -> str:
    return words.casefold().replace("’", "'")


def _plain(words: str) -> str:
    """Without what only looks different: digits and letters of full width, presentation forms."""
    return _fold(unicodedata.normalize("NFKC", words))
