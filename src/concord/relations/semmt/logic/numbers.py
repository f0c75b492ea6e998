"""Numbers in a sentence, as `language.numbers` reads them, and which digits only name something: years, models."""

from __future__ import annotations

from concord.language.numbers.digits import figure
from concord.language.numbers.english import scaled, spelled_number, word_at
from concord.relations.semmt.logic.english import EDGES, ROLES
from concord.relations.semmt.logic.words import Words

_YEARS = range(1500, 2100)
_SIXTEENTHS = 16
"""The smallest parts that are told with a whole number: "2 3/16 inches"."""
_GROUP = 3
"""The digits between the blanks of a long number."""
_NEAR = 3
"""The words before a number among which somebody is asked to call it: "my number is 555-1234"."""
_LARGEST = 1e200
"""What groups of digits come to at most, however many there are: scales behind them leave it finite."""


def number(sentence: Words, place: int) -> tuple[int, float] | None:
    """Where the number ends that begins at a word, and its value.

    "5.4 million", "three hundred and twelve", "twenty-five", "a dozen", "half a million", "one and a half", "2½".
    """
    value = figure(word_at(sentence.words, place))
    if value is None:
        return spelled_number(sentence.words, place)
    return _more(sentence, *_spaced(sentence, place, value))


def is_label(sentence: Words, place: int) -> bool:
    """Whether the number at a word names something (a year, a day, a time, a model) and counts nothing."""
    words = sentence.words
    word, last, following = words[place], word_at(words, place - 1), word_at(words, place + 1)
    if following in ROLES["clock"] and (following != ":" or _is_figure(words, place + 2)):
        return True
    if following in ROLES["half_day"] and words[place + 2 : place + 4] == [".", "m"]:
        return True
    if last in ROLES["clock"] and (last != ":" or _is_figure(words, place - 2)):
        return True
    if _dated(sentence, place + 1) or _is_day(sentence, place):
        return True
    return word[0].isdecimal() and (_year(sentence, place) or _model(sentence, place))


def _is_day(sentence: Words, place: int) -> bool:
    """Whether it is the 3 of "March 3", or a year; "in March 3 people", "on 5 May 3 people" and "May three" count."""
    words = sentence.words
    if not _dated(sentence, place - 1) or not words[place][0].isdecimal():
        return False
    if _is_year(words[place]):
        return True
    day = place - 2 - (word_at(words, place - 2) == "of")
    has_day = _is_figure(words, day) or (word_at(words, day) in ROLES["ordinal"] and _is_figure(words, day - 1))
    return not (has_day or word_at(words, place - 2) in ROLES["month_alone"])


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and int(word) in _YEARS


def _year(sentence: Words, place: int) -> bool:
    word, following = sentence.words[place], word_at(sentence.words, place + 1)
    if not _is_year(word):
        return False
    touching = following in ROLES["ordinal"] and sentence.touches(place + 1)
    return touching or not (following.isalpha() and following.endswith("s") and following not in ROLES["not_counted"])


def _model(sentence: Words, place: int) -> bool:
    words, word, last = sentence.words, sentence.words[place], word_at(sentence.words, place - 1)
    if last in ROLES["money"] or last in ROLES["months"]:
        return False
    if last == "." and word_at(words, place - 2) == "no" and not _counts(sentence, place + 1):
        return True
    if _dialled(sentence, place):
        return True
    if last in ROLES["weekdays"] and _counts(sentence, place + 1):
        return False
    if word_at(words, place + 1) in ROLES["ordinal"] and sentence.touches(place + 1):
        return True
    if last == "-" and sentence.touches(place) and sentence.touches(place - 1) and word_at(words, place - 2).isalpha():
        return True
    if sentence.touches(place) and last.isalpha():
        return True
    # What the reader of fractions has left of figures around a stroke is a date.
    if _stroke(sentence, place + 1) or _stroke(sentence, place - 1):
        return True
    inside = place > 1 or last in ROLES["numbered"]
    named = inside and last.isalpha() and len(last) > 1 and sentence.capital(place - 1)
    return named and word.isdecimal() and len(word) < 5


def _dialled(sentence: Words, place: int) -> bool:
    """Whether it is a part of "1-800-555", "2026-05-03" or "call 555-1234"; "500-1000 people" is a range."""
    if not (_hyphen(sentence, place - 1) or _hyphen(sentence, place + 1)):
        return False
    first = place - 2 * _hyphen(sentence, place - 1)
    last = place + 2 * _hyphen(sentence, place + 1)
    if last - first > 2 or _hyphen(sentence, first - 1) or _hyphen(sentence, last + 1):
        return True
    if [len(sentence.words[at]) for at in (first, last)] != [3, 4]:
        return False
    return not ROLES["dialled"].isdisjoint(sentence.words[max(0, first - _NEAR) : first])


def _hyphen(sentence: Words, place: int) -> bool:
    words = sentence.words
    around = word_at(words, place) == "-" and _is_figure(words, place - 1) and _is_figure(words, place + 1)
    return around and sentence.touches(place) and sentence.touches(place + 1)


def _counts(sentence: Words, place: int) -> bool:
    """Whether something follows that a number may count: a unit, or a word that is neither small nor a name."""
    word = word_at(sentence.words, place)
    small = word in EDGES or any(word in ROLES[each] for each in ("goes_on", "auxiliary", "names"))
    unit = any(word in ROLES[each] for each in ("percent", "money", "degrees"))
    return unit or (word.isalpha() and not small and not sentence.capital(place))


def _stroke(sentence: Words, place: int) -> bool:
    words = sentence.words
    around = word_at(words, place) == "/" and _is_figure(words, place - 1) and _is_figure(words, place + 1)
    return around and sentence.touches(place) and sentence.touches(place + 1)


def _dated(sentence: Words, place: int) -> bool:
    return word_at(sentence.words, place) in ROLES["months"] and sentence.capital(place)


def _is_figure(words: list[str], place: int) -> bool:
    return figure(word_at(words, place)) is not None


def _spaced(sentence: Words, place: int, value: float) -> tuple[int, float]:
    """ "2 500 000" is one number: groups of three digits with a blank before each."""
    words, end = sentence.words, place + 1
    if len(words[place]) > _GROUP or not words[place].isdecimal() or words[place][0] == "0":
        return end, value
    while _is_group(word_at(words, end)) and sentence.start(end) == sentence.end(end - 1) + 1:
        value, end = min(value * 1_000 + int(words[end]), _LARGEST), end + 1
    if end == place + 1 or not _apart(sentence, place, end):
        return end, value
    return place + 1, float(int(words[place]))


def _apart(sentence: Words, place: int, end: int) -> bool:
    """Whether the first group is a number by itself: "Room 7 120 people", "May 5 200 people", "5 500 gram steaks"."""
    words = sentence.words
    if words[place + 1][0] == "0":
        return False
    label = word_at(words, place - 1) in ROLES["numbered"] and sentence.capital(place - 1)
    if label or _is_day(sentence, place):
        return True
    if end > place + 2:
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
    if _stroke(sentence, end + 1) and not sentence.touches(end):
        over, under = figure(words[end]) or 0.0, figure(words[end + 2]) or 0.0
        if 0 < over < under <= _SIXTEENTHS:
            value, end = value + over / under, end + 3
    return scaled(words, end, value)
