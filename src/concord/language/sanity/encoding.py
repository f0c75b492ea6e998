"""Broken encodings: replacement characters, UTF-8 that was read as Latin-1, and letters that became question marks."""

import re
from itertools import chain

_REPLACED = re.compile("\N{REPLACEMENT CHARACTER}+")
# Where UTF-8 is read as Windows-1252, each letter becomes one of these and one or more of the others.
_LEAD = "\u00c2-\u00df\u00e0-\u00f4"
_TRAIL = (
    "\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014"
    "\u2018-\u201e\u2020-\u2026\u2030\u2039\u203a\u20ac\u2122"
)
_MISREAD = re.compile(f"(?:[{_LEAD}][{_TRAIL}]{{1,3}})+")
_OFTEN_LEADING = "ÂÃâ"
"""One other letter may stand before a dash or a quotation mark by chance: "Ó—"."""
_CLOSING = frozenset("»›”’…—–")
_QUESTIONED = re.compile(r"\w\?+\w[\w?]*|(?<!\S)\?+(?: +\?+){2,}")
"""Letters that became question marks, in a word or all of them; one word alone may lack a blank behind its question."""


def broken_encoding(text: str, answer: str) -> list[list[int]]:
    """The spans of an answer that were broken; what the text has as well was not."""
    misread = [match for match in _MISREAD.finditer(answer) if _is_misread(match[0])]
    if len(misread) == 1 and (misread[0][0][0] not in _OFTEN_LEADING or _closes(misread[0])):
        misread = []
    questioned = [match for match in _QUESTIONED.finditer(answer) if "?" not in text or match[0] not in text]
    sure = questioned if len(questioned) > 1 or any(" " in match[0] for match in questioned) else ()
    matches = chain(_REPLACED.finditer(answer), misread, sure)
    return sorted([match.start(), match.end()] for match in matches if match[0] not in text)


def _closes(match: re.Match[str]) -> bool:
    """Whether a word in capitals ends before a mark: "IRMÃ»"."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    return before[-1:].isupper() and match[0][1:] in _CLOSING and not after[:1].isalpha()


def _is_misread(characters: str) -> bool:
    """Whether the bytes of these characters are other characters in UTF-8."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return len(characters.encode(encoding).decode()) < len(characters)
        except UnicodeError:
            continue
    return False
