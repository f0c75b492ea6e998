"""Characters that nobody sees, as signs that everybody does."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u115f\u1160\u180e\u200b\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANKS = re.compile(r"\s")


def visible(text: str, keep: str = "") -> str:
    """The text with control characters, direction overrides and the like as signs that do nothing.

    What writing systems need stays: joiners, and the marks that only state a direction. `keep` names
    control characters that the medium can bear, such as the line break.

    >>> visible("a\\x1b[31m\\u202eb")
    'a␛[31m⟨U+202E⟩b'
    """
    return _HIDDEN.sub(lambda found: found[0] if found[0] in keep else _sign(found[0]), text)


def blanks(text: str) -> str:
    """Blanks as signs, for where a blank is all that differs."""
    return _BLANKS.sub(lambda found: "␣" if found[0] == " " else _sign(found[0]), text)


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
