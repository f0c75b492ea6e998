"""Other numbers of the same shape: 3 and 5, 1,200 and 1,500, "two" and "four", 2019 and 2017, 12% and 14%."""

import re
from collections.abc import Iterator, Sequence

from concord.language.numbers.digits import LONGEST
from concord.language.numbers.english import ORDINALS, SMALL, TENS
from concord.language.substitutes._dates import DAYS, LAST_DAY

_UNITS = SMALL[2:]
_ORDINALS = ORDINALS[2:9]
_FIGURE = re.compile(r"([^\w.,]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%|\D{0,2})")
_CLOCK = re.compile(r"(\d{1,2})([:.])(\d\d)")
_HALVES_OF_DAY = frozenset({"am", "pm", "a.m.", "p.m.", "o'clock", "a.m", "p.m"})
_PARTS_OF_DAY = {"morning": (5, 11), "afternoon": (1, 5), "evening": (6, 10), "night": (9, 11)}
_STEPS = (2, -1, 3, 1, -2, 4, -3, 5, 6, -4, 7, 8)
_DAYS, _HOURS = 28, 12


def other_numbers(number: str, before: str = "", following: Sequence[str] = ()) -> list[str]:
    """Plausible numbers that replace another, the nearest in kind first; the neighbours tell days and hours.

    >>> other_numbers("1,200")[:2], other_numbers("two")[:2], other_numbers("31", "", ["December"])[:2]
    (['1,400', '1,100'], ['four', 'five'], ['27', '26'])
    >>> other_numbers("four", "by", ["in", "the", "afternoon"])
    ['three', 'five', 'two']
    >>> other_numbers("2027", "December")[:2]
    ['2029', '2026']
    """
    part = _part_of_day(following)
    numbers = _of_its_shape(number, before, following[0] if following else "")
    return numbers if part is None else [new for new in numbers if part[0] <= (amount(new) or 0) < part[1] + 1]


def amount(number: str) -> float | None:
    """The value of a number that is one word of a series or figures; of a time of day, its hours."""
    lower = number.lower()
    if lower in _UNITS:
        return 2.0 + _UNITS.index(lower)
    if clock := _CLOCK.fullmatch(number):
        return int(clock[1]) + int(clock[3]) / 100
    match = _FIGURE.fullmatch(number)
    return float(match[2].replace(",", "") + (match[3] or "")) if match else None


def same_order(number: str, new: str, beside: str) -> bool:
    """Whether the new number compares to the one beside it as the old number did: greater, less or equal."""
    was, now, fixed = amount(number), amount(new), amount(beside)
    if was is None or now is None or fixed is None:
        return False
    return (was > fixed) == (now > fixed) and (was < fixed) == (now < fixed)


def _part_of_day(following: Sequence[str]) -> tuple[int, int] | None:
    """The range of hours that "in the afternoon" and the like allow."""
    words = [word.lower() for word in following]
    if words[:2] == ["at", "night"]:
        return _PARTS_OF_DAY["night"]
    return _PARTS_OF_DAY.get(words[2]) if words[:2] == ["in", "the"] and len(words) > 2 else None


def _of_its_shape(number: str, before: str, after: str) -> list[str]:
    lower = number.lower()
    for series in (_UNITS, TENS, _ORDINALS):
        if lower in series:
            return list(_in_series(series, lower))
    if "-" in lower and lower.partition("-")[0] in TENS and lower.partition("-")[2] in _UNITS[:8]:
        tens, _, unit = lower.partition("-")
        return [f"{tens}-{new_unit}" for new_unit in _in_series(_UNITS[:8], unit)]
    if (match := _CLOCK.fullmatch(number)) and (match[2] == ":" or after.lower() in _HALVES_OF_DAY):
        hours = (1, 9) if len(match[1]) == 1 else (10, _HOURS)
        return [f"{hour}{match[2]}{match[3]}" for hour in _moved(int(match[1]), *hours, 1)]
    match = _FIGURE.fullmatch(number)
    return list(_figures(match, before.lower(), after.lower())) if match else []


def _in_series(series: tuple[str, ...], word: str) -> Iterator[str]:
    index = series.index(word)
    for step in _STEPS:
        if 0 <= index + step < len(series):
            yield series[index + step]


def _figures(match: re.Match[str], before: str, after: str) -> Iterator[str]:
    lead, whole, decimals, tail = match.groups()
    if len(match[0]) > LONGEST:  # Python itself refuses to read some thousand digits
        return
    if decimals:
        places = len(decimals) - 1
        value = int(whole.replace(",", "") + decimals[1:])
        for new in _moved(value, 1, 10 * value, 1):
            yield f"{lead}{new // 10**places:{',' if ',' in whole else ''}}.{new % 10**places:0{places}}{tail}"
        return
    value = int(whole.replace(",", ""))
    if value < 2 or whole[0] == "0" or len(whole) > 15:
        # One thing is singular, and a number with a leading zero is a name rather than an amount.
        return
    low, high = _range(value, whole, before, after)
    for new in _moved(value, low, high, _step(value, whole)):
        yield f"{lead}{new:{',' if ',' in whole else ''}}{tail}"


def _range(value: int, whole: str, before: str, after: str) -> tuple[int, int]:
    if (before in DAYS or after in DAYS) and value <= LAST_DAY:
        return 1, _DAYS
    if after in _HALVES_OF_DAY and value <= _HOURS:
        return 1, _HOURS
    digits = len(str(value))
    return max(2, 10 ** (digits - 1)), 10**digits - 1


def _step(value: int, whole: str) -> int:
    """The roundest unit that the number is made of: 1,200 is twelve hundred, a year is itself."""
    if re.fullmatch(r"1[5-9]\d\d|20\d\d", whole):
        return 1
    unit = 1
    while value % (unit * 10) == 0 and unit * 10 < value:
        unit *= 10
    return unit if value % (unit * 5) or unit * 5 >= value or unit == 1 else unit * 5


def _moved(value: int, low: int, high: int, unit: int) -> list[int]:
    if value > high:
        return list(range(high - 1, low - 1, -1))[: len(_STEPS) // 2]
    return [value + step * unit for step in _STEPS if low <= value + step * unit <= high]
