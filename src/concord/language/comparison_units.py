"""Units, by which translations are compared: words or, in languages without blanks, characters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import eq
from typing import NamedTuple

from concord.language import word_tables
from concord.language.analysis import Part, Word
from concord.language.codes import base, is_spaced
from concord.language.scripts import UNSPACED_LETTERS, marks
from concord.language.stems import stem
from concord.language.stopwords import stop_words
from concord.language.tokens import tokens
from concord.model import Text

Span = tuple[int, int]

# Particles that do not change the meaning (He et al. 2021 leave them out).
_EMPTY = {"zh": "的了"}
_GRAMMAR = frozenset({"DET", "ADP"})
_COUNTED = frozenset({"word", "number", "address", "emoji"})
NEAREST = 20

_LETTER = rf"[^\W\d_{UNSPACED_LETTERS}]"
_CHARACTER = re.compile(rf"[{UNSPACED_LETTERS}][{marks()}]*+|\d|(?:{_LETTER}[{marks()}]*+)++")
# Texts of Han, kana, digits, blanks and punctuation only, in which every character is a unit of its own.
_SINGLE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\u3000-\u3002\u3008-\u3011 -@\n]*+")


class Unit(NamedTuple):
    """A word or character: its form, the key by which it is compared, and its span in the text."""

    form: str
    key: str
    start: int
    end: int


@dataclass(eq=False)
class Units(Sequence[Unit]):
    """The units of a text, in order. Spans are computed when needed, since most texts are only counted.

    `empty` are the indices of units that may be missing without a change of meaning.
    """

    forms: Sequence[str]
    keys: Sequence[str]
    find_spans: Callable[[], Sequence[Span]]
    empty: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.forms)

    def __getitem__(self, index: int) -> Unit:  # type: ignore[override]
        return Unit(self.forms[index], self.keys[index], *self.spans[index])

    @cached_property
    def spans(self) -> Sequence[Span]:
        """The span of each unit."""
        return self.find_spans()

    @cached_property
    def counts(self) -> Counter[str]:
        """How often every form occurs."""
        return Counter(self.forms)


def units(text: Text) -> Units:
    """The units of a text by their forms, in lower case and without marks.

    In languages without blanks units are characters; a word in another script, such as a name, is one unit.

    >>> units(Text("亲切的双边会谈", "zh")).forms
    ['亲', '切', '双', '边', '会', '谈']
    """
    fold = _fold if unicodedata.is_normalized("NFKC", text.words) else _fold_compatible
    spaced, empty = _habits(text.lang)
    if spaced:
        counted = [token for token in tokens(text) if token.kind in _COUNTED]
        forms = [fold(token.text) for token in counted]
        return Units(forms, forms, lambda: [(token.start, token.end) for token in counted])
    # Particles become blanks, so that all offsets stay the same; lower case rarely changes them.
    words = text.words
    for particle in empty:
        words = words.replace(particle, " ")
    folded = fold(words)
    same_length = len(folded) == len(words)
    if same_length and _SINGLE.fullmatch(folded):
        forms = list(filter(str.isalnum, folded))
        return Units(forms, forms, lambda: [(i, i + 1) for i, character in enumerate(folded) if character.isalnum()])
    searched = folded if same_length else words
    forms = _CHARACTER.findall(searched)
    forms = forms if same_length else [fold(form) for form in forms]
    return Units(forms, forms, lambda: [match.span() for match in _CHARACTER.finditer(searched)])


def stemmed(text: Text) -> Units:
    """The units of a text with their stems as keys."""
    text_units = units(text)
    return Units(text_units.forms, [stem(form, text.lang) for form in text_units.forms], lambda: text_units.spans)


def lemmas(words: Iterable[Word], lang: str) -> Units:
    """The units of an analysed text, one per word, with their lemmas as keys.

    Articles and the prepositions that verbs and nouns govern (*de*, *a*, *en*) are `empty`. An expression of several
    words in a dictionary, such as *al càrrec de*, gives one unit for each word, since each may occur elsewhere
    without the rest.
    """
    pairs = [pair for word in words for pair in _units_of(word, lang)]
    spans = [(unit.start, unit.end) for unit, _ in pairs]
    empty = frozenset(index for index, (_, is_empty) in enumerate(pairs) if is_empty)
    return Units([unit.form for unit, _ in pairs], [unit.key for unit, _ in pairs], lambda: spans, empty)


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
    return part.upos in _GRAMMAR and part.lemma.casefold() in word_tables(__file__).get(base(lang), "").split()


class UnitDifference(NamedTuple):
    """The units of a phrase that a text lacks, and the units that it has instead, beside the rest of the phrase."""

    missing: list[Unit]
    instead: list[Unit]


def difference(phrase: Units, whole: Units) -> UnitDifference:
    """The occurrences of a phrase's units that the whole lacks; of a unit that occurs too often, the last ones.

    A unit matches another by its form or else by its key.
    """
    left = whole.counts.get  # a Counter is slow to say that it has none
    used: dict[str, int] = {}
    lacking = []
    for index, form in enumerate(phrase.forms):
        times = used.get(form, 0)
        if times < left(form, 0):
            used[form] = times + 1
        elif index not in phrase.empty:
            lacking.append(index)
    if not lacking:
        return UnitDifference([], [])
    lacking = _alike_by_key(phrase, lacking, whole, used)
    return UnitDifference([phrase[index] for index in lacking], _instead(phrase, whole) if lacking else [])


def _alike_by_key(phrase: Units, lacking: list[int], whole: Units, used: dict[str, int]) -> list[int]:
    """The indices of lacking units that have no match by key either, among the unused units of the whole."""
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
    for index in lacking:
        key = phrase.keys[index]
        if free[key]:
            free[key] -= 1
        else:
            still.append(index)
    return still


def _instead(phrase: Units, whole: Units) -> list[Unit]:
    """The units in the window of the whole that matches the phrase best, without those that match.

    The window is as long as the phrase; it must contain at least half of the phrase's units.
    """
    phrase_counts = phrase.counts if phrase.keys is phrase.forms else Counter(phrase.keys)
    keys = whole.keys
    width = min(len(phrase), len(keys))
    inside: dict[str, int] = {}
    shared = most = 0
    starts: list[int] = []
    for end, key in enumerate(keys):
        if key in phrase_counts:
            inside[key] = inside.get(key, 0) + 1
            shared += inside[key] <= phrase_counts[key]
        if end >= width and (gone := keys[end - width]) in phrase_counts:
            shared -= inside[gone] <= phrase_counts[gone]
            inside[gone] -= 1
        if end >= width - 1 and shared >= most:
            starts = [*(starts if shared == most else ()), end - width + 1]
            most = shared
    if 2 * most < len(phrase) or not starts:
        return []
    # Of several windows, the one with most units at the same position as in the phrase.
    start = max(starts[:NEAREST], key=lambda start: sum(map(eq, phrase.keys, whole.keys[start : start + width])))
    return [whole[index] for index in _left_over(phrase_counts, whole, start, width)]


def _left_over(phrase_counts: Mapping[str, int], whole: Units, start: int, width: int) -> Iterator[int]:
    left = dict(phrase_counts)
    for index in range(start, start + width):
        key = whole.keys[index]
        if left.get(key, 0) > 0:
            left[key] -= 1
        elif index not in whole.empty:
            yield index


@cache
def _habits(lang: str) -> tuple[bool, str]:
    """Whether the language has blanks between words, and which particles are ignored."""
    return is_spaced(lang), _EMPTY.get(base(lang), "")


def _fold(words: str) -> str:
    return words.casefold().replace("’", "'")


def _fold_compatible(words: str) -> str:
    """Fold with compatibility normalisation: full-width digits and letters, presentation forms."""
    return _fold(unicodedata.normalize("NFKC", words))
