"""The words on a chart: neutral, bounded, and measured, so that none overlaps another."""

import unicodedata
from collections.abc import Iterable, Sequence

from concord.language.invisible import visible

LONGEST = 200
_NARROW = frozenset("fijlrtI.,:;'`!|()[]{}/ -‐·")
_BROAD = frozenset("mwMWGOQ@%&—…→")


def neutral(text: object, limit: int = LONGEST) -> str:
    """A stranger's text on one line, with everything that acts made visible, and cut to `limit` characters."""
    # The first cut bounds the work, the second what the signs for hidden characters have made of it.
    words = " ".join(visible(str(text)[: limit + 1], keep="\t\n\r").split())
    return words if len(words) <= limit else words[: limit - 1] + "…"


def width(text: str, size: float) -> float:
    """How wide a text is in pixels, estimated for the common sans-serif fonts and rather too wide."""
    return size * sum(map(_em, text))


def widest(texts: Iterable[str], size: float) -> float:
    return max((width(text, size) for text in texts), default=0.0)


def fit(text: str, limit: float, size: float) -> str:
    """As much of a text as there is room for."""
    if width(text, size) <= limit:
        return text
    used = width("…", size)
    for end, character in enumerate(text):
        used += size * _em(character)
        if used > limit:
            return text[:end].rstrip() + "…" if end else ""
    return text


def wrap(text: str, limit: float, size: float, lines: int) -> list[str]:
    """A text on a limited number of lines; the last one is cut if necessary."""
    wrapped: list[str] = []
    rest = text.split()
    while rest and len(wrapped) < lines - 1:
        count = _how_many(rest, limit, size)
        wrapped.append(fit(" ".join(rest[:count]), limit, size))
        rest = rest[count:]
    return [*wrapped, fit(" ".join(rest), limit, size)] if rest else wrapped


def _how_many(words: Sequence[str], limit: float, size: float) -> int:
    used = 0.0
    for count, word in enumerate(words):
        used += width(f" {word}", size)
        if used > limit:
            return max(1, count)
    return len(words)


def _em(character: str) -> float:
    if character in _NARROW:
        return 0.36
    if character.isascii() and character not in _BROAD:
        return 0.7 if character.isupper() else 0.58
    if unicodedata.east_asian_width(character) in "WF":
        return 1.03
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    return 0.92 if character in _BROAD else 0.72
