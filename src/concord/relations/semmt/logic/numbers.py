"""Numbers in a sentence, in digits or in words, and which digits only name something: years, dates, models."""

from __future__ import annotations

from concord.relations.semmt.logic.tables import LanguageTable
from concord.relations.semmt.logic.words import Words, figure

_LONGEST = 14
"""Words in the longest number that is read as one; what follows is another number."""
_YEARS = range(1500, 2100)
_SIXTEENTHS = 16
"""The smallest parts that are told with a whole number: "2 3/16 inches"."""
_GROUP = 3
"""The digits between the blanks of a long number."""
_NEAR = 3
"""The words before a number among which somebody is asked to call it: "my number is 555-1234"."""
_LARGEST = 1e200
"""What groups of digits come to at most, however many there are: scales behind them leave it finite."""


def number(sentence: Words, place: int, language: LanguageTable) -> tuple[int, float] | None:
    """Where the number ends that begins at a word, and its value.

    "5.4 million", "three hundred and twelve", "twenty-five", "a dozen", "half a million", "one and a half", "2½".
    """
    words = sentence.words
    if place >= len(words):
        return None
    word = words[place]
    roles = language.roles
    if word in roles["a"] or (language.parts.get(word) == 2 and _word(words, place + 1) in roles["a"]):
        skip = 1 if word in roles["a"] else 2
        if _word(words, place + skip) not in language.scales:
            return None
        return _of_a_scale(words, place + skip, 1 / skip, language)
    value = figure(word)
    if value is None:
        read = _spelt(words, place, language)
        return None if read is None else _and_a_half(words, *read, language)
    return _more(sentence, *_spaced(sentence, place, value, language), language)


def is_label(sentence: Words, place: int, language: LanguageTable) -> bool:
    """Whether the number at a word names something (a year, a day, a time, a model) and counts nothing."""
    words, roles = sentence.words, language.roles
    word, last, following = words[place], _word(words, place - 1), _word(words, place + 1)
    if following in roles["clock"] and (following != ":" or _is_figure(words, place + 2)):
        return True
    if following in roles["half_day"] and words[place + 2 : place + 4] == [".", "m"]:
        return True
    if last in roles["clock"] and (last != ":" or _is_figure(words, place - 2)):
        return True
    if _dated(sentence, place + 1, language) or _is_day(sentence, place, language):
        return True
    return word[0].isdecimal() and (_year(sentence, place, language) or _model(sentence, place, language))


def _is_day(sentence: Words, place: int, language: LanguageTable) -> bool:
    """Whether it is the 3 of "March 3", or a year; "in March 3 people", "on 5 May 3 people" and "May three" count."""
    words, roles = sentence.words, language.roles
    if not _dated(sentence, place - 1, language) or not words[place][0].isdecimal():
        return False
    if _is_year(words[place]):
        return True
    day = place - 2 - (_word(words, place - 2) in roles["part_of"])
    has_day = _is_figure(words, day) or (_word(words, day) in roles["ordinal"] and _is_figure(words, day - 1))
    return not (has_day or _word(words, place - 2) in roles["month_alone"])


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and int(word) in _YEARS


def _year(sentence: Words, place: int, language: LanguageTable) -> bool:
    word, following = sentence.words[place], _word(sentence.words, place + 1)
    if not _is_year(word):
        return False
    touching = following in language.roles["ordinal"] and sentence.touches(place + 1)
    return touching or not (
        following.isalpha() and following.endswith("s") and following not in language.roles["not_counted"]
    )


def _model(sentence: Words, place: int, language: LanguageTable) -> bool:
    words, word, last = sentence.words, sentence.words[place], _word(sentence.words, place - 1)
    roles = language.roles
    if last in roles["money"] or last in roles["months"]:
        return False
    if last == "." and _word(words, place - 2) in roles["no"] and not _counts(sentence, place + 1, language):
        return True
    if _dialled(sentence, place, language):
        return True
    if last in roles["weekdays"] and _counts(sentence, place + 1, language):
        return False
    if _word(words, place + 1) in language.roles["ordinal"] and sentence.touches(place + 1):
        return True
    if last == "-" and sentence.touches(place) and sentence.touches(place - 1) and _word(words, place - 2).isalpha():
        return True
    if sentence.touches(place) and last.isalpha():
        return True
    # What the reader of fractions has left of figures around a stroke is a date.
    if _stroke(sentence, place + 1) or _stroke(sentence, place - 1):
        return True
    inside = place > 1 or last in roles["numbered"]
    named = inside and last.isalpha() and len(last) > 1 and sentence.capital(place - 1)
    return named and word.isdecimal() and len(word) < 5


def _dialled(sentence: Words, place: int, language: LanguageTable) -> bool:
    """Whether it is a part of "1-800-555", "2026-05-03" or "call 555-1234"; "500-1000 people" is a range."""
    if not (_hyphen(sentence, place - 1) or _hyphen(sentence, place + 1)):
        return False
    first = place - 2 * _hyphen(sentence, place - 1)
    last = place + 2 * _hyphen(sentence, place + 1)
    if last - first > 2 or _hyphen(sentence, first - 1) or _hyphen(sentence, last + 1):
        return True
    if [len(sentence.words[at]) for at in (first, last)] != [3, 4]:
        return False
    return not language.roles["dialled"].isdisjoint(sentence.words[max(0, first - _NEAR) : first])


def _hyphen(sentence: Words, place: int) -> bool:
    words = sentence.words
    around = _word(words, place) == "-" and _is_figure(words, place - 1) and _is_figure(words, place + 1)
    return around and sentence.touches(place) and sentence.touches(place + 1)


def _counts(sentence: Words, place: int, language: LanguageTable) -> bool:
    """Whether something follows that a number may count: a unit, or a word that is neither small nor a name."""
    word, roles = _word(sentence.words, place), language.roles
    small = word in language.edges or any(word in roles[each] for each in ("goes_on", "auxiliary", "names"))
    return _is_unit(word, language) or (word.isalpha() and not small and not sentence.capital(place))


def _is_unit(word: str, language: LanguageTable) -> bool:
    return any(word in language.roles[each] for each in ("percent", "money", "degrees"))


def _stroke(sentence: Words, place: int) -> bool:
    words = sentence.words
    around = _word(words, place) == "/" and _is_figure(words, place - 1) and _is_figure(words, place + 1)
    return around and sentence.touches(place) and sentence.touches(place + 1)


def _dated(sentence: Words, place: int, language: LanguageTable) -> bool:
    return _word(sentence.words, place) in language.roles["months"] and sentence.capital(place)


def _is_figure(words: list[str], place: int) -> bool:
    return figure(_word(words, place)) is not None


def _word(words: list[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


def _spaced(sentence: Words, place: int, value: float, language: LanguageTable) -> tuple[int, float]:
    """ "2 500 000" is one number: groups of three digits with a blank before each."""
    words, end = sentence.words, place + 1
    if len(words[place]) > _GROUP or not words[place].isdecimal() or words[place][0] == "0":
        return end, value
    while _is_group(_word(words, end)) and sentence.start(end) == sentence.end(end - 1) + 1:
        value, end = min(value * 1_000 + int(words[end]), _LARGEST), end + 1
    if end == place + 1 or not _apart(sentence, place, end, language):
        return end, value
    return place + 1, float(int(words[place]))


def _apart(sentence: Words, place: int, end: int, language: LanguageTable) -> bool:
    """Whether the first group is a number by itself: "Room 7 120 people", "May 5 200 people", "5 500 gram steaks"."""
    words, roles = sentence.words, language.roles
    if words[place + 1][0] == "0":
        return False
    label = _word(words, place - 1) in roles["numbered"] and sentence.capital(place - 1)
    if label or _is_day(sentence, place, language):
        return True
    if end > place + 2:
        return False
    unit = _word(words, end)
    if unit == "-":
        return sentence.touches(end) and _word(words, end + 1).isalpha()
    counted = _word(words, end + 1).endswith("s") and _counts(sentence, end + 1, language)
    return unit in roles["measures"] and counted


def _is_group(word: str) -> bool:
    return len(word) == _GROUP and word.isascii() and word.isdecimal()


def _more(sentence: Words, end: int, value: float, language: LanguageTable) -> tuple[int, float]:
    """Take in the fraction and the scale words that follow digits: "6 1/2", "5.4 million"."""
    words = sentence.words
    if _stroke(sentence, end + 1) and not sentence.touches(end):
        over, under = figure(words[end]) or 0.0, figure(words[end + 2]) or 0.0
        if 0 < over < under <= _SIXTEENTHS:
            value, end = value + over / under, end + 3
    for _ in range(2):
        scale = language.scales.get(_word(words, end))
        if scale is None:
            break
        value, end = value * scale, end + 1
    return _and_a_half(words, end, value, language)


def _of_a_scale(words: list[str], place: int, share: float, language: LanguageTable) -> tuple[int, float]:
    """ "A hundred and one", "half a million"; "a million and a half" is 1.5 million."""
    scale = language.scales[words[place]]
    end, value = _and_a_half(words, place + 1, 1.0, language)
    if end > place + 1:
        return end, value * scale
    end, value = _spelt(words, place, language, begun=True) or (place + 1, float(scale))
    return end, value * share


def _and_a_half(words: list[str], end: int, value: float, language: LanguageTable) -> tuple[int, float]:
    roles = language.roles
    joined = _word(words, end) in roles["and"] and _word(words, end + 1) in roles["a"]
    after = end + 3 if joined else end + 1
    half = language.parts.get(_word(words, end + 2)) == 2 if joined else False
    value += 0.5 if half else language.signs.get(_word(words, end), 0) / 100
    if not half and _word(words, end) not in language.signs:
        return end, float(value)
    scale = language.scales.get(_word(words, after), 1)
    return after + (scale > 1), float(value * scale)


def _spelt(words: list[str], place: int, language: LanguageTable, *, begun: bool = False) -> tuple[int, float] | None:
    """The number in words that begins here: groups below a thousand, each with the scale behind it.

    `begun` if an article stands before it, as in "a hundred and one".
    """
    total, group, end, last = 0.0, 0.0, place, "one" if begun else ""
    for at in range(place, min(place + _LONGEST, len(words))):
        kind, value = _kind(words[at], language)
        if kind == "join":
            # A joining word belongs to the number only if the number goes on behind it.
            if not _goes_on(words, at, last, language):
                break
            continue
        if kind == "" or not _may_follow(last, kind):
            break
        if kind == "scale" and value >= 1_000:
            total, group = total + max(group, 1) * value, 0.0
        elif kind == "scale":
            group = max(group, 1) * value
        else:
            group += value
        end, last = at + 1, kind
    return (end, total + group) if end > place and (begun or last != "scale" or end > place + 1) else None


def _kind(word: str, language: LanguageTable) -> tuple[str, int]:
    if word in language.ones:
        return "one", language.ones[word]
    if word in language.tens:
        return "ten", language.tens[word]
    if word in language.scales:
        return "scale", language.scales[word]
    return ("join", 0) if word == "-" or word in language.roles["and"] else ("", 0)


def _may_follow(last: str, kind: str) -> bool:
    return {"": kind != "scale", "one": kind == "scale", "ten": kind != "ten", "scale": True}[last]


def _goes_on(words: list[str], at: int, last: str, language: LanguageTable) -> bool:
    following = _kind(_word(words, at + 1), language)[0]
    return (
        (last == "ten" and following == "one")
        if words[at] == "-"
        else (last == "scale" and following in {"one", "ten"})
    )
