"""English numbers in words: one table for all that read or write them, and the reader of a number in a row of words."""

from __future__ import annotations

from collections.abc import Sequence

from concord.language.numbers.digits import FRACTIONS

UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
"""Each word at the place of its value."""
SMALL = UNITS[:13]
"""The numbers that people rather spell than write in digits."""
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINALS = (
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
"""From the second on."""
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip

ONES = {word: value for value, word in enumerate(UNITS)}
ROUND = {word: 10 * value for value, word in enumerate(TENS, start=2)}
_SCALES = {
    "dozen": 12, "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
SCALES = _SCALES | {f"{word}s": value for word, value in _SCALES.items()}
RANKS = {word: rank for rank, word in enumerate(ORDINALS, start=2)} | {
    "twentieth": 20, "hundredth": 100, "thousandth": 1_000,
}  # fmt: skip
_PARTS = {word: rank for word, rank in RANKS.items() if word != "second"} | {"quarter": 4}
PARTS = {"half": 2, "halves": 2} | _PARTS | {f"{word}s": rank for word, rank in _PARTS.items()}
"""The names of fractions: "third" is 3."""
OFTEN = {"once": 1, "twice": 2, "thrice": 3}
FOLD = {f"{word}fold": value for word, value in (ONES | ROUND | _SCALES).items() if value > 1}
"""What has become so many times as much: "threefold"."""

_ARTICLES = frozenset(("a", "an"))
_LONGEST = 14
"""Words in the longest number that is read as one; what follows is another number."""

Read = tuple[int, float]
"""Where a number ends, and its value."""


def spelled_number(words: Sequence[str], place: int) -> Read | None:
    """The number in words that begins at a word in lower case.

    >>> [spelled_number(words.split(), 0) for words in ("three hundred and twelve dogs", "half a million", "dogs")]
    [(4, 312.0), (3, 500000.0), None]
    """
    word = word_at(words, place)
    if word in _ARTICLES or (PARTS.get(word) == 2 and word_at(words, place + 1) in _ARTICLES):
        skip = 1 if word in _ARTICLES else 2
        return _of_a_scale(words, place + skip, 1 / skip) if word_at(words, place + skip) in SCALES else None
    read = _row(words, place)
    return None if read is None else _and_a_half(words, *read)


def scaled(words: Sequence[str], end: int, value: float) -> Read:
    """Digits with the scale words and the half behind them: "5.4 million", "2½"."""
    end, scale = scale_behind(words, end)
    return _and_a_half(words, end, value * scale)


def scale_behind(words: Sequence[str], place: int) -> tuple[int, int]:
    """Where up to two scale words end that begin at a word, and what they come to: "hundred thousand"."""
    scale, end = 1, place
    while end < place + 2 and word_at(words, end) in SCALES:
        scale, end = scale * SCALES[words[end]], end + 1
    return end, scale


def word_at(words: Sequence[str], place: int) -> str:
    """The word at a place; no word before the first and behind the last."""
    return words[place] if 0 <= place < len(words) else ""


def _of_a_scale(words: Sequence[str], place: int, share: float) -> Read:
    """ "A hundred and one", "half a million"; "a million and a half" is 1.5 million."""
    scale = SCALES[words[place]]
    end, value = _and_a_half(words, place + 1, 1.0)
    if end > place + 1:
        return end, value * scale
    end, value = _row(words, place, begun=True) or (place + 1, float(scale))
    return end, value * share


def _and_a_half(words: Sequence[str], end: int, value: float) -> Read:
    joined = word_at(words, end) == "and" and word_at(words, end + 1) in _ARTICLES
    after = end + 3 if joined else end + 1
    half = joined and PARTS.get(word_at(words, end + 2)) == 2
    over, under = (1, 2) if half else FRACTIONS.get(word_at(words, end), (0, 1))
    if not over:
        return end, float(value)
    scale = SCALES.get(word_at(words, after), 1)
    return after + (scale > 1), float((value + over / under) * scale)


def _row(words: Sequence[str], place: int, *, begun: bool = False) -> Read | None:
    """Groups below a thousand, each with the scale behind it; `begun` if an article stands before the first."""
    total, group, end, last = 0.0, 0.0, place, "one" if begun else ""
    for at in range(place, min(place + _LONGEST, len(words))):
        kind, value = _kind(words[at])
        if kind == "join":
            # A joining word belongs to the number only if the number goes on behind it.
            if not _goes_on(words, at, last):
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


def _kind(word: str) -> tuple[str, int]:
    for kind, table in (("one", ONES), ("ten", ROUND), ("scale", SCALES)):
        if word in table:
            return kind, table[word]
    return ("join", 0) if word in ("-", "and") else ("", 0)


def _may_follow(last: str, kind: str) -> bool:
    return {"": kind != "scale", "one": kind == "scale", "ten": kind != "ten", "scale": True}[last]


def _goes_on(words: Sequence[str], at: int, last: str) -> bool:
    following = _kind(word_at(words, at + 1))[0]
    if words[at] == "-":
        return last == "ten" and following == "one"
    return last == "scale" and following in {"one", "ten"}
