"""Read the numbers of a sentence, and tell which digits only name something, such as years and models."""

from concord.language.numbers.digits import figure
from concord.language.numbers.english import scaled, spelled_number, word_at
from concord.relations.semmt.logic.english import EDGES, ROLES
from concord.relations.semmt.logic.words import Words

_YEARS = range(1500, 2100)
_SIXTEENTHS = 16
"""The largest denominator of a fraction after a whole number: "2 3/16 inches"."""
_GROUP = 3
"""The number of digits between the blanks of a long number."""
_NEAR = 3
"""The number of words before a telephone number that may include "call" or "number": "my number is 555-1234"."""
_LARGEST = 1e200
"""The largest value of groups of digits, so that it stays finite with a scale after it."""


def number(sentence: Words, index: int) -> tuple[int, float] | None:
    """The end of the number that begins at a word, and its value.

    "5.4 million", "three hundred and twelve", "twenty-five", "a dozen", "half a million", "one and a half", "2½".
    """
    value = figure(word_at(sentence.words, index))
    if value is None:
        return spelled_number(sentence.words, index)
    return _more(sentence, *_spaced(sentence, index, value))


def is_label(sentence: Words, index: int) -> bool:
    """Whether the number at a word names something (a year, a day, a time, a model) and counts nothing."""
    words = sentence.words
    word, last, following = words[index], word_at(words, index - 1), word_at(words, index + 1)
    if following in ROLES["clock"] and (following != ":" or _is_figure(words, index + 2)):
        return True
    if following in ROLES["half_day"] and words[index + 2 : index + 4] == [".", "m"]:
        return True
    if last in ROLES["clock"] and (last != ":" or _is_figure(words, index - 2)):
        return True
    if _dated(sentence, index + 1) or _is_day(sentence, index):
        return True
    return word[0].isdecimal() and (_year(sentence, index) or _model(sentence, index))


def _is_day(sentence: Words, index: int) -> bool:
    """Whether it is the 3 of "March 3", or a year; "in March 3 people", "on 5 May 3 people" and "May three" count."""
    words = sentence.words
    if not _dated(sentence, index - 1) or not words[index][0].isdecimal():
        return False
    if _is_year(words[index]):
        return True
    day = index - 2 - (word_at(words, index - 2) == "of")
    has_day = _is_figure(words, day) or (word_at(words, day) in ROLES["ordinal"] and _is_figure(words, day - 1))
    return not (has_day or word_at(words, index - 2) in ROLES["month_alone"])


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and int(word) in _YEARS


def _year(sentence: Words, index: int) -> bool:
    word, following = sentence.words[index], word_at(sentence.words, index + 1)
    if not _is_year(word):
        return False
    touching = following in ROLES["ordinal"] and sentence.touches(index + 1)
    return touching or not (following.isalpha() and following.endswith("s") and following not in ROLES["not_counted"])


def _model(sentence: Words, index: int) -> bool:
    words, word, last = sentence.words, sentence.words[index], word_at(sentence.words, index - 1)
    if last in ROLES["money"] or last in ROLES["months"]:
        return False
    if last == "." and word_at(words, index - 2) == "no" and not _counts(sentence, index + 1):
        return True
    if _dialled(sentence, index):
        return True
    if last in ROLES["weekdays"] and _counts(sentence, index + 1):
        return False
    if word_at(words, index + 1) in ROLES["ordinal"] and sentence.touches(index + 1):
        return True
    if last == "-" and sentence.touches(index) and sentence.touches(index - 1) and word_at(words, index - 2).isalpha():
        return True
    if sentence.touches(index) and last.isalpha():
        return True
    # What the reader of fractions has left of figures around a stroke is a date.
    if _joins_figures(sentence, index + 1, "/") or _joins_figures(sentence, index - 1, "/"):
        return True
    inside = index > 1 or last in ROLES["numbered"]
    follows_name = inside and last.isalpha() and len(last) > 1 and sentence.capital(index - 1)
    return follows_name and word.isdecimal() and len(word) < 5


def _dialled(sentence: Words, index: int) -> bool:
    """Whether it is a part of "1-800-555", "2026-05-03" or "call 555-1234"; "500-1000 people" is a range."""
    before, behind = _joins_figures(sentence, index - 1, "-"), _joins_figures(sentence, index + 1, "-")
    if not (before or behind):
        return False
    first, last = index - 2 * before, index + 2 * behind
    if last - first > 2 or _joins_figures(sentence, first - 1, "-") or _joins_figures(sentence, last + 1, "-"):
        return True
    if [len(sentence.words[end]) for end in (first, last)] != [3, 4]:
        return False
    return not ROLES["dialled"].isdisjoint(sentence.words[max(0, first - _NEAR) : first])


def _joins_figures(sentence: Words, index: int, mark: str) -> bool:
    """Whether it is the mark between two figures that touch it."""
    words = sentence.words
    around = word_at(words, index) == mark and _is_figure(words, index - 1) and _is_figure(words, index + 1)
    return around and sentence.touches(index) and sentence.touches(index + 1)


def _counts(sentence: Words, index: int) -> bool:
    """Whether something follows that a number may count: a unit, or a word that is neither small nor a name."""
    word = word_at(sentence.words, index)
    small = word in EDGES or any(word in ROLES[role] for role in ("goes_on", "auxiliary", "names"))
    unit = any(word in ROLES[role] for role in ("percent", "money", "degrees"))
    return unit or (word.isalpha() and not small and not sentence.capital(index))


def _dated(sentence: Words, index: int) -> bool:
    return word_at(sentence.words, index) in ROLES["months"] and sentence.capital(index)


def _is_figure(words: list[str], index: int) -> bool:
    return figure(word_at(words, index)) is not None


def _spaced(sentence: Words, index: int, value: float) -> tuple[int, float]:
    """ "2 500 000" is one number: groups of three digits with a blank before each."""
    words, end = sentence.words, index + 1
    if len(words[index]) > _GROUP or not words[index].isdecimal() or words[index][0] == "0":
        return end, value
    while _is_group(word_at(words, end)) and sentence.start(end) == sentence.end(end - 1) + 1:
        value, end = min(value * 1_000 + int(words[end]), _LARGEST), end + 1
    if end == index + 1 or not _apart(sentence, index, end):
        return end, value
    return index + 1, float(int(words[index]))


def _apart(sentence: Words, index: int, end: int) -> bool:
    """Whether the first group is a number by itself: "Room 7 120 people", "May 5 200 people", "5 500 gram steaks"."""
    words = sentence.words
    if words[index + 1][0] == "0":
        return False
    label = word_at(words, index - 1) in ROLES["numbered"] and sentence.capital(index - 1)
    if label or _is_day(sentence, index):
        return True
    if end > index + 2:
        return False
    unit = word_at(words, end)
    if unit == "-":
        return sentence.touches(end) and word_at(words, end + 1).isalpha()
    counted = word_at(words, end + 1).endswith("s") and _counts(sentence, end + 1)
    return unit in ROLES["measures"] and counted


def _is_group(word: str) -> bool:
    return len(word) == _GROUP and word.isascii() and word.isdecimal()


def _more(sentence: Words, end: int, value: float) -> tuple[int, float]:
    """Take in the fraction and the scale words that follow digits: "6 1/2", "5.4 million"."""
    words = sentence.words
    if _joins_figures(sentence, end + 1, "/") and not sentence.touches(end):
        over, under = figure(words[end]) or 0.0, figure(words[end + 2]) or 0.0
        if 0 < over < under <= _SIXTEENTHS:
            value, end = value + over / under, end + 3
    return scaled(words, end, value)
