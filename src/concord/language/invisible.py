"""Makes invisible characters visible."""

import re

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u115f\u1160\u180e\u200b\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANKS = re.compile(r"\s")


def visible(text: str, keep: str = "") -> str:
    """The text with control characters, direction overrides and the like replaced by harmless signs.

    Joiners and direction marks stay, since writing systems need them. `keep` names control characters
    that the medium can show, such as the line break.

    >>> visible("a\\x1b[31m\\u202eb")
    'a␛[31m⟨U+202E⟩b'
    """
    return _HIDDEN.sub(lambda match: match[0] if match[0] in keep else _sign(match[0]), text)


def blanks(text: str) -> str:
    """The text with blanks as visible signs, for texts that differ in blanks only."""
    return _BLANKS.sub(lambda match: "␣" if match[0] == " " else _sign(match[0]), text)


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
