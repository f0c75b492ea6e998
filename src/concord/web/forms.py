"""Validated fields of forms and query strings.

An invalid value raises a `UserError`, which is shown as a page with status 400. It names the field as the page does,
the value (cut) and what is allowed: "size: '1e9' is not a whole number from 1 to 20,000".
"""

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
LABELS = {
    "limit": "only the first",
    "max_characters": "maximum characters",
    "max_cost": "maximum cost",
    "least": "suspicion from",
    "most": "suspicion to",
    "at": "threshold",
    "of": "detector",
    "flagged": "cases",
    "flagged_share": "flagged, %",
}
"""The labels of fields on the page, where they differ from the names."""
FLAGS = {"": False, "0": False, "1": True}
_WHOLE = re.compile("[0-9]{1,16}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?")
# HTML cannot contain U+0000, and UTF-8 no surrogates.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
T = TypeVar("T")


def fields(request: Request) -> "Fields":
    """The fields of a request: of its query string if it only reads, else of its form."""
    return Fields(request.query_params if request.method in READING else request.state.form)


class Fields:
    """Fields of a form or a query string by name. An empty field, or a file where a text belongs, counts as missing."""

    def __init__(self, values: ImmutableMultiDict[str, Any]) -> None:
        self._values = values

    def text(self, name: str, *, longest: int = LONGEST, exact: bool = False) -> str:
        """A text, without blanks at its ends unless it must be exact; empty if there is none."""
        value = self._values.get(name)
        text = _lines(value) if isinstance(value, str) else ""
        return _text(name, text if exact else text.strip(), longest)

    def texts(self, name: str, *, longest: int = LONGEST) -> list[str]:
        """All non-empty values, unchanged."""
        texts = _bounded(name, [_lines(value) for value in self._strings(name) if value])
        return [_text(name, text, longest) for text in texts]

    def whole(self, name: str, *, least: int = 0, most: int = LARGEST) -> int:
        """A whole number, which must be there."""
        return _whole(name, _needed(name, self._bare(name), _range("a whole number", least, most)), least, most)

    def whole_or(self, name: str, default: T, *, least: int = 0, most: int = LARGEST) -> int | T:
        text = self._bare(name)
        return _whole(name, text, least, most) if text else default

    def wholes(self, name: str, *, least: int = 0, most: int = LARGEST) -> list[int]:
        """Several whole numbers, in values of their own or separated by blanks."""
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
        value = self._values.get(name)
        if not isinstance(value, str) or not value:
            return default
        return among(name, [value], choices)[0]

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return FLAGS[self.choice(name, FLAGS)]

    def file(self, name: str) -> UploadFile | None:
        """A file that was sent; a browser sends one without a name where none was chosen."""
        value = self._values.get(name)
        return value if isinstance(value, UploadFile) and value.filename else None

    def has(self, name: str) -> bool:
        """Whether the field was sent, be it empty."""
        return name in self._values

    def rest(self, without: Collection[str]) -> list[tuple[str, str]]:
        """All other fields, unchanged, for the query string of a link."""
        pairs = self._values.multi_items()
        return [(name, value) for name, value in pairs if name not in without and isinstance(value, str) and value]

    def _strings(self, name: str) -> list[str]:
        return [value for value in self._values.getlist(name) if isinstance(value, str)]

    def _bare(self, name: str) -> str:
        value = self._values.get(name)
        return value.strip() if isinstance(value, str) else ""


def among(name: str, values: Iterable[str], choices: Iterable[str]) -> list[str]:
    """The values, if each is one of the choices."""
    allowed = list(choices)
    chosen_values = list(values)
    for value in chosen_values:
        if value not in allowed:
            raise _wrong(name, value, f"one of: {_listed(allowed)}")
    return chosen_values


def label_of(name: str) -> str:
    """The label of a field on the page."""
    return LABELS.get(name) or name.replace("_", " ")


def _bounded(name: str, values: list[str]) -> list[str]:
    if len(values) > SEVERAL:
        raise UserError(f"{label_of(name)}: {len(values):,} values are too many. At most {SEVERAL} can be given")
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


def _needed(name: str, text: str, expected: str) -> str:
    if not text:
        raise UserError(f"{label_of(name)} is missing. It is {expected}")
    return text


def _range(kind: str, least: float, most: float) -> str:
    if math.isinf(least) and math.isinf(most):
        return f"{kind}, such as 0.4"
    return f"{kind} from {least:,} to {most:,}"


def _wrong(name: str, value: str, expected: str) -> UserError:
    return UserError(f"{label_of(name)}: '{_cut(value)}' is not {expected}")


def _listed(choices: Collection[str]) -> str:
    names = ", ".join(_cut(choice) or "(empty)" for choice in list(choices)[:LISTED])
    return names + (f", and {len(choices) - LISTED:,} more" if len(choices) > LISTED else "")


def _cut(value: str) -> str:
    return value if len(value) <= SHOWN else f"{value[:SHOWN]}…"


def _lines(text: str) -> str:
    # Browsers send line breaks as CRLF.
    return text.replace("\r\n", "\n")
