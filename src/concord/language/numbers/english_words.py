"""The number words of English, in one table for all that read or write them."""

from __future__ import annotations

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

ONES = {word: value for value, word in enumerate(UNITS)}
ROUND = {word: 10 * value for value, word in enumerate(TENS, start=2)}
SCALES = {
    "dozen": 12, "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
RANKS = {word: rank for rank, word in enumerate(ORDINALS, start=2)} | {
    "twentieth": 20, "hundredth": 100, "thousandth": 1_000,
}  # fmt: skip
OFTEN = {"once": 1, "twice": 2, "thrice": 3}
FOLD = {f"{word}fold": value for word, value in (ONES | ROUND | SCALES).items() if value > 1}
"""What has become so many times as much: "threefold"."""
