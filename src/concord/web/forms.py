"""Fields of forms and addresses, read in one way: within bounds, or told by name what is wrong with them.

Whatever is wrong is a `UserError`, which is shown as a page with status 400. It names the field as the page does, the
value, cut, and what it can be: "size: '1e9' is not a whole number from 1 to 20,000".
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from starlette.datastructures import ImmutableMultiDict, UploadFile
from starlette.requests import Request

from concord.errors import UserError
from concord.web.safety import READING

LONGEST = 500
SEVERAL = 300
LARGEST = 2**53
SHOWN, LISTED = 80, 50
CALLED = {
    "limit": "only the first",
    "least": "suspicion from",
    "most": "suspicion to",
    "at": "threshold",
    "of": "detector",
    "flagged": "flagged, %",
}
"""Fields that the page calls otherwise."""
FLAGS = {"": False, "0": False, "1": True}
_WHOLE = re.compile("[0-9]{1,16}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?")
# UTF-8 cannot write the second kind, and HTML not the first.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
T = TypeVar("T")


def fields(request: Request) -> Fields:
    """What a request says: by its address if it reads, and else by its form."""
    return Fields(request.query_params if request.method in READING else request.state.form)


class Fields:
    """What a form or an address says, by name. A field that is empty, or a file where a text belongs, says nothing."""

    def __init__(self, given: ImmutableMultiDict[str, Any]) -> None:
        self._given = given

    def text(self, name: str, *, longest: int = LONGEST, exact: bool = False) -> str:
        """A text, without blanks at its ends unless it must be exact; empty if there is none."""
        value = self._given.get(name)
        found = _lines(value) if isinstance(value, str) else ""
        return _text(name, found if exact else found.strip(), longest)

    def texts(self, name: str, *, longest: int = LONGEST) -> list[str]:
        """All that are not empty, exactly."""
        found = _bounded(name, [_lines(value) for value in self._strings(name) if value])
        return [_text(name, each, longest) for each in found]

    def whole(self, name: str, *, least: int = 0, most: int = LARGEST) -> int:
        """A whole number, which must be there."""
        return _whole(name, _needed(name, self._bare(name), _range("a whole number", least, most)), least, most)

    def whole_or(self, name: str, default: T, *, least: int = 0, most: int = LARGEST) -> int | T:
        text = self._bare(name)
        return _whole(name, text, least, most) if text else default

    def wholes(self, name: str, *, least: int = 0, most: int = LARGEST) -> list[int]:
        """Several whole numbers, each in a value of its own or set apart by blanks."""
        words = _bounded(name, [word for text in self._strings(name) for word in text.split()])
        return [_whole(name, word, least, most) for word in words]

    def number(self, name: str, *, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number, which must be there."""
        return _number(name, _needed(name, self._bare(name), _range("a number", least, most)), least, most)

    def number_or(self, name: str, default: T, *, least: float = -math.inf, most: float = math.inf) -> float | T:
        text = self._bare(name)
        return _number(name, text, least, most) if text else default

    def choice(self, name: str, choices: Iterable[str], default: str = "") -> str:
        """One of the choices; the default if nothing is chosen."""
        value = self._given.get(name)
        if not isinstance(value, str) or not value:
            return default
        return among(name, [value], choices)[0]

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return FLAGS[self.choice(name, FLAGS)]

    def file(self, name: str) -> UploadFile | None:
        """A file that was sent; a browser sends one without a name where none was chosen."""
        value = self._given.get(name)
        return value if isinstance(value, UploadFile) and value.filename else None

    def has(self, name: str) -> bool:
        """Whether the field was sent, be it empty."""
        return name in self._given

    def rest(self, without: Collection[str]) -> list[tuple[str, str]]:
        """Everything else that was said, as it was, for an address that says the same."""
        pairs = self._given.multi_items()
        return [(name, value) for name, value in pairs if name not in without and isinstance(value, str) and value]

    def _strings(self, name: str) -> list[str]:
        return [value for value in self._given.getlist(name) if isinstance(value, str)]

    def _bare(self, name: str) -> str:
        value = self._given.get(name)
        return value.strip() if isinstance(value, str) else ""


def among(name: str, values: Iterable[str], choices: Iterable[str]) -> list[str]:
    """The values, if each is one of the choices."""
    known = list(choices)
    found = list(values)
    for each in found:
        if each not in known:
            raise _wrong(name, each, f"one of: {_listed(known)}")
    return found


def called(name: str) -> str:
    """A field as the page calls it."""
    return CALLED.get(name) or name.replace("_", " ")


def _bounded(name: str, values: list[str]) -> list[str]:
    if len(values) > SEVERAL:
        raise UserError(f"{called(name)}: {len(values):,} values are too many. At most {SEVERAL} can be given")
    return values


def _text(name: str, text: str, longest: int) -> str:
    if len(text) > longest:
        raise _wrong(name, text, f"a text of at most {longest:,} characters")
    if _NO_CHARACTER.search(text):
        raise _wrong(name, text, "a text: it has U+0000, or half of a character")
    return text


def _whole(name: str, text: str, least: int, most: int) -> int:
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise _wrong(name, text, _range("a whole number", least, most))
    return int(text)


def _number(name: str, text: str, least: float, most: float) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value) or not least <= value <= most:
        raise _wrong(name, text, _range("a number", least, most))
    return value


def _needed(name: str, text: str, what: str) -> str:
    if not text:
        raise UserError(f"{called(name)} is missing. It is {what}")
    return text


def _range(kind: str, least: float, most: float) -> str:
    if math.isinf(least) and math.isinf(most):
        return f"{kind}, such as 0.4"
    return f"{kind} from {least:,} to {most:,}"


def _wrong(name: str, value: str, what: str) -> UserError:
    return UserError(f"{called(name)}: '{_cut(value)}' is not {what}")


def _listed(choices: Collection[str]) -> str:
    shown = ", ".join(_cut(choice) or "(empty)" for choice in list(choices)[:LISTED])
    return shown + (f", and {len(choices) - LISTED:,} more" if len(choices) > LISTED else "")


def _cut(value: str) -> str:
    return value if len(value) <= SHOWN else f"{value[:SHOWN]}…"


def _lines(text: str) -> str:
    # Browsers send line breaks as CRLF, whatever was typed.
    return text.replace("\r\n", "\n")
