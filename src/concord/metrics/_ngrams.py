"""The number of n-grams that two texts share, for all orders at once, as BLEU and chrF count them."""

from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_KEY_BITS = 62  # of 64: one marks the side a window comes from, one is the sign
_END = np.iinfo(np.int64).max


def spell(a: list[str], b: list[str]) -> tuple[str, str]:
    """Two lists of words as two texts in which every word is one character (and never a blank)."""
    letters = {word: chr(number) for number, word in enumerate({*a, *b}, ord(" ") + 1)}
    return "".join([letters[word] for word in a]), "".join([letters[word] for word in b])


def shared(a: str, b: str, order: int) -> list[int]:
    """For n = 1 up to `order`, how many n-grams of characters occur in both texts, repetitions included.

    The texts hold no blanks and no line breaks. The list ends early where a text is too short for an n-gram.
    """
    order = min(order, len(a), len(b))
    if order < 1:
        return []
    # Windows that run over a text's end hold that side's own padding, so they never match.
    length = max(len(a), len(b)) + order - 1
    padded = a.ljust(length, " ") + b.ljust(length + order - 1, "\n")
    codes, bits = _codes(padded, order)
    if bits * order > _KEY_BITS:
        return [_counted_slowly(a, b, n) for n in range(1, order + 1)]
    return _sorted_out(codes, bits, order, length)


def _codes(padded: str, order: int) -> tuple[NDArray[np.integer], int]:
    """The characters as small numbers, and the bits that the largest one needs."""
    codes: NDArray[np.integer] = np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    bits = int(codes.max()).bit_length()
    if bits * order > _KEY_BITS:
        alphabet, codes = np.unique(codes, return_inverse=True)
        bits = (len(alphabet) - 1).bit_length()
    return codes, bits


def _sorted_out(codes: NDArray[np.integer], bits: int, order: int, length: int) -> list[int]:
    """One sort of all windows puts equal n-grams side by side for every n, since they are prefixes of windows.

    Counting a window of the first text as -1 and one of the second as +1, what a group of equal
    n-grams does not cancel is what it does not share.
    """
    weights, firsts = _scales(bits, order)
    keys = np.correlate(codes, weights)
    keys[length:] |= 1
    keys.sort()
    balance = np.cumsum(((keys & 1) << 1) - 1)
    # The highest bit in which neighbours differ tells from which order on they are different n-grams.
    differs = keys.copy()
    differs[:-1] ^= keys[1:]
    differs[-1] = _END
    orders, ends = np.nonzero(differs >= firsts)
    left = balance[ends]
    left[1:] -= left[:-1].copy()
    unshared = np.bincount(orders, np.abs(left))
    return [length - int(count) // 2 for count in unshared.tolist()]


@lru_cache(maxsize=256)
def _scales(bits: int, order: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The place value of each character in a key, for packing (a row) and for comparing (a column)."""
    weights = np.array([1 << (bits * (order - n) + 1) for n in range(1, order + 1)], dtype=np.int64)
    return weights, weights[:, None]


def _counted_slowly(a: str, b: str, n: int) -> int:
    """Shared n-grams counted one by one, for alphabets so large that a window does not fit into one number."""
    ngrams_a, ngrams_b = (Counter([text[i : i + n] for i in range(len(text) - n + 1)]) for text in (a, b))
    return (ngrams_a & ngrams_b).total()
