"""English number words: the tables by which they are read and written, and the reader of a number in words."""

from collections.abc import Sequence

from concord.language.numbers.digits import FRACTIONS

UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
"""Each word is at the index of its value."""
SMALL = UNITS[:13]
"""The numbers that are usually spelled out."""
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
"""Multiples such as "threefold"."""

_ARTICLES = frozenset(("a", "an"))
_LONGEST = 14
"""Words in the longest number that is read as one; what follows is another number."""

Read = tuple[int, float]
"""The index after a number, and its value."""


def spelled_number(words: Sequence[str], start: int) -> Read | None:
    """The number in words that starts at an index of words in lower case.

    >>> [spelled_number(words.split(), 0) for words in ("three hundred and twelve dogs", "half a million", "dogs")]
    [(4, 312.0), (3, 500000.0), None]
    """
    word = word_at(words, start)
    if word in _ARTICLES or (PARTS.get(word) == 2 and word_at(words, start + 1) in _ARTICLES):
        skip = 1 if word in _ARTICLES else 2
        return _of_a_scale(words, start + skip, 1 / skip) if word_at(words, start + skip) in SCALES else None
    read = _row(words, start)
    return None if read is None else _and_a_half(words, *read)


def scaled(words: Sequence[str], end: int, value: float) -> Read:
    """A number in digits with the scale words and the fraction after it: "5.4 million", "2½"."""
    end, scale = scale_behind(words, end)
    return _and_a_half(words, end, value * scale)


def scale_behind(words: Sequence[str], start: int) -> tuple[int, int]:
    """The index after up to two scale words, and their product: "hundred thousand"."""
    scale, end = 1, start
    while end < start + 2 and word_at(words, end) in SCALES:
        scale, end = scale * SCALES[words[end]], end + 1
    return end, scale


def word_at(words: Sequence[str], index: int) -> str:
    """The word at an index; '' before the first and after the last word."""
    return words[index] if 0 <= index < len(words) else ""


def _of_a_scale(words: Sequence[str], start: int, share: float) -> Read:
    """ "A hundred and one", "half a million"; "a million and a half" is 1.5 million."""
    scale = SCALES[words[start]]
    end, value = _and_a_half(words, start + 1, 1.0)
    if end > start + 1:
        return end, value * scale
    end, value = _row(words, start, begun=True) or (start + 1, float(scale))
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


def _row(words: Sequence[str], start: int, *, begun: bool = False) -> Read | None:
    """The sum of groups below a thousand, each with its scale; `begun` if an article precedes the first."""
    total, group, end, last = 0.0, 0.0, start, "one" if begun else ""
    for index in range(start, min(start + _LONGEST, len(words))):
        kind, value = _kind(words[index])
        if kind == "join":
            # A joining word belongs to the number only if the number continues after it.
            if not _goes_on(words, index, last):
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
        end, last = index + 1, kind
    return (end, total + group) if end > start and (begun or last != "scale" or end > start + 1) else None


def _kind(word: str) -> tuple[str, int]:
    for kind, table in (("one", ONES), ("ten", ROUND), ("scale", SCALES)):
        if word in table:
            return kind, table[word]
    return ("join", 0) if word in ("-", "and") else ("", 0)


def _may_follow(last: str, kind: str) -> bool:
    return {"": kind != "scale", "one": kind == "scale", "ten": kind != "ten", "scale": True}[last]


def _goes_on(words: Sequence[str], index: int, last: str) -> bool:
    following = _kind(word_at(words, index + 1))[0]
    if words[index] == "-":
        return last == "ten" and following == "one"
    return last == "scale" and following in {"one", "ten"}
