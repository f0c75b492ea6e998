"""PO: gettext catalogues, whose `msgid` is the text and whose `msgstr` the reference."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from concord.corpus.files import LONGEST_LINE, File
from concord.corpus.formats.inline import Tally, clean_code
from concord.corpus.formats.rows import Note, Row

_STATEMENT = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[[0-9]{1,3}\])?)?\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"(?:\\(?:x[0-9A-Fa-f]{2}|[0-3]?[0-7]{1,2}))+|\\.")
_BYTE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|([0-7]{1,3}))")
_CHARACTERS = dict(zip('ntrabfv"\\', '\n\t\r\a\b\f\v"\\', strict=True))
_HEADER_LINE = re.compile(r"^([\w-]+):[ \t]*(.*)$", re.MULTILINE)
# A template has the word CHARSET where its translations will name one.
_READABLE = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii", "charset"})


@dataclass(slots=True)
class _Entry:
    line: int = 0
    fuzzy: bool = False
    size: int = 0
    strings: dict[str, list[str]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return any(key.startswith("msgstr") for key in self.strings)

    def string(self, key: str) -> str:
        return "".join(self.strings.get(key, ()))


def read_po(file: File, lang: str, note: Note) -> Iterator[Row]:
    """Each message is a row, and its plural another row; the header and obsolete messages are left out."""
    header = False
    with Tally(note) as tally:
        for entry in _entries(file):
            if not header and not entry.string("msgid") and "msgctxt" not in entry.strings:
                header = True
                _check_header(file, entry, lang, note)
            else:
                yield from _rows(entry, tally)


def _rows(entry: _Entry, tally: Tally) -> Iterator[Row]:
    if entry.fuzzy:
        only = "without the unsure translation"
        tally.add(f"fuzzy message is kept, {only}", f"fuzzy messages are kept, {only}s")
    forms = [entry.string(key) for key in entry.strings if key.startswith("msgstr")]
    # Which of three or more forms goes with which number is different in each language.
    if entry.fuzzy or len(forms) > 2:
        forms = []
    yield Row(entry.line, entry.string("msgid"), reference=_reference(forms[:1]))
    if "msgid_plural" in entry.strings:
        yield Row(entry.line, entry.string("msgid_plural"), reference=_reference(forms[-1:]))


def _reference(forms: list[str]) -> str | None:
    return next((form for form in forms if form.strip()), None)


def _check_header(file: File, entry: _Entry, lang: str, note: Note) -> None:
    fields = {name.lower(): value for name, value in _HEADER_LINE.findall(entry.string("msgstr"))}
    charset = fields.get("content-type", "").lower().partition("charset=")[2].strip()
    if charset not in _READABLE:
        cure = "Convert the file: msgconv -t UTF-8"
        raise file.error(entry.line, f"the header declares the charset {charset.upper()}, not UTF-8. {cure}")
    if clean_code(fields.get("language", "")) == lang:
        note(f"the header says that the translations are in '{lang}', but the text is what is translated, the msgid")


def _entries(file: File) -> Iterator[_Entry]:
    entry, key = _Entry(), ""
    for number, raw in file:
        line = raw.strip()
        if entry.complete and (not line or line.startswith(("#", "msgctxt", "msgid"))):
            yield entry
            entry, key = _Entry(), ""
        if line.startswith("#,"):
            entry.fuzzy |= "fuzzy" in re.split(r"[,\s]+", line[2:])
        elif line.startswith("#~"):
            # An obsolete message may be fuzzy; that says nothing about the next one.
            entry.fuzzy = False
        elif line and not line.startswith("#"):
            key = _read_statement(file, number, line, entry, key)
    if entry.strings:
        if "msgid" not in entry.strings:
            raise file.error(entry.line, "a message without msgid. Complete it, or remove it")
        yield entry


def _read_statement(file: File, number: int, line: str, entry: _Entry, key: str) -> str:
    statement = _STATEMENT.fullmatch(line)
    if statement is None or not (statement[1] or key):
        cure = 'Expected msgid, msgstr or the like with a string in "quotes", or a comment with #'
        raise file.error(number, f"not PO: {_shortened(line)}. {cure}")
    if statement[1]:
        key = statement[1]
        _check_order(file, number, key, entry)
        entry.line = number if key == "msgid" or not entry.line else entry.line
        entry.strings[key] = []
    strings = (_unescaped(file, number, string) for string in _STRING.findall(statement[2]))
    entry.strings[key].extend(strings)
    entry.size += len(line)
    if entry.size > LONGEST_LINE:
        raise file.error(number, f"a message longer than {LONGEST_LINE:,} characters. Check its quotes")
    return key


def _check_order(file: File, number: int, key: str, entry: _Entry) -> None:
    if key in entry.strings:
        raise file.error(number, f"a second {key} in one message. Each message is one msgid and its msgstr")
    if key not in ("msgctxt", "msgid") and "msgid" not in entry.strings:
        raise file.error(number, f"{key} without msgid. Write the msgid before it")


def _unescaped(file: File, number: int, string: str) -> str:
    def character(escape: re.Match[str]) -> str:
        letter = _CHARACTERS.get(escape[0][1:])
        if letter is not None:
            return letter
        # Escaped bytes belong together, since a character of UTF-8 may take several of them.
        values = bytes(int(hexa, 16) if hexa else int(octal, 8) for hexa, octal in _BYTE.findall(escape[0]))
        try:
            if values:
                return values.decode()
        except UnicodeDecodeError:
            pass
        raise file.error(number, f"{_shortened(escape[0])} means nothing. For a backslash, write two of them")

    return _ESCAPE.sub(character, string)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"
