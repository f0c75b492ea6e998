"""The number of days in a month, so that no substitute gives a month a day that it lacks."""

import re
from collections.abc import Sequence

from concord.language.numbers.english import MONTHS
from concord.language.trees import Tree

DAYS = dict(zip(MONTHS, (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), strict=True))
LAST_DAY = 31
_SHORT = {**{name[:3]: days for name, days in DAYS.items()}, "sept": DAYS["september"]}

_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?|twenty-ninth|thirtieth|thirty-first", re.IGNORECASE)
_BETWEEN = frozenset({"of", "the", ","})


def shorter_month(old: str, new: str) -> bool:
    """Whether both are months, and the new one has fewer days.

    >>> shorter_month("August", "Sept."), shorter_month("June", "July"), shorter_month("August", "Tuesday")
    (True, False, False)
    """
    before, after = _days(old), _days(new)
    return before is not None and after is not None and after < before


def beside_a_day(leaves: Sequence[Tree], start: int) -> bool:
    """Whether a day is beside the word that begins at `start`: "31 August", "August 31st", "the 31st of August"."""
    index = next((number for number, leaf in enumerate(leaves) if leaf.start == start), None)
    return index is not None and (_day(leaves[index + 1 : index + 3]) or _day(leaves[max(0, index - 2) : index][::-1]))


def _days(month: str) -> int | None:
    name = month.lower().rstrip(".")
    return DAYS.get(name) or _SHORT.get(name)


def _day(nearest: Sequence[Tree]) -> bool:
    words = [leaf.words.lower() for leaf in nearest]
    match = _DAY.fullmatch(words[1] if words[:1] and words[0] in _BETWEEN and words[1:] else "".join(words[:1]))
    return match is not None and (match[1] is None or 1 <= int(match[1]) <= LAST_DAY)
