"""Shared by TMX and XLIFF: reading units one at a time, the text between inline tags, languages and ids."""

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from xml.parsers import expat

from concord.corpus.files import LONGEST_LINE, File
from concord.corpus.formats.fields import listed
from concord.corpus.formats.rows import Note
from concord.corpus.ids import Ids
from concord.errors import CorpusError, UserError
from concord.language.codes import base, normalise
from concord.plural import plural

_BLOCK = 1 << 16
_LARGEST_UNIT = 10 * LONGEST_LINE
_DEEPEST = 100
_XML = "http://www.w3.org/XML/1998/namespace "
_NATIVE = frozenset({"bpt", "ept", "ph", "it", "ut"})
_ANNOTATIONS = frozenset({"mrk", "hi", "sm", "em"})
_SAYS_UTF16 = re.compile(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']utf-?16""", re.IGNORECASE)


class Elements:
    """The elements of a file with one of the `names`, one at a time: line, element, and its ancestors.

    Names in the root's namespace have no prefix, others keep theirs. Everything outside of units is
    dropped at once, so that memory holds one block of the file and never all of it.
    """

    def __init__(self, file: File, root: str, names: frozenset[str]) -> None:
        self._file = file
        self._root = root
        self._names = names

    def __iter__(self) -> Iterator[tuple[int, Element, tuple[Element, ...]]]:
        self._open: list[Element] = []
        self._unit = 0  # how many elements are open around the unit, or 0 outside of any
        self._finished: list[tuple[int, Element, tuple[Element, ...]]] = []
        with self._file.stream() as stream:
            self._parser = self._new_parser(stream.peek(200))
            while block := stream.read(_BLOCK):
                self._feed(block, last=False)
                finished, self._finished = self._finished, []
                yield from finished
            self._feed(b"", last=True)

    def _new_parser(self, head: bytes) -> expat.XMLParserType:
        # UTF-16 is refused with the advice to convert, and iconv leaves the declaration as it was.
        encoding = "utf-8" if _SAYS_UTF16.match(head.removeprefix(b"\xef\xbb\xbf")) else None
        parser = expat.ParserCreate(encoding, " ")
        parser.buffer_text = True
        parser.buffer_size = _BLOCK
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._unknown_entity
        return parser

    def _feed(self, block: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(block, last)
        except expat.ExpatError as problem:
            reason = expat.ErrorString(problem.code)
            cure = "Correct the file there, or export it again"
            raise self._file.error(problem.lineno, f"not well-formed XML ({reason}). {cure}") from None
        except (LookupError, ValueError) as problem:
            raise self._error(f"the declared encoding cannot be read ({problem}). Save the file as UTF-8") from None
        if self._unit and self._parser.CurrentByteIndex - self._begin > _LARGEST_UNIT:
            raise self._file.error(self._line, f"a unit longer than {_LARGEST_UNIT:,} bytes. Split it into segments")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if not self._open:
            self._check_root(local)
            self._home = space
        name = local if space == self._home else f"{{{space}}}{local}"
        own = {key.replace(_XML, "xml:"): value for key, value in attributes.items()}
        element = Element(name, own)
        if self._unit:
            self._open[-1].append(element)
        elif name in self._names:
            self._unit = len(self._open)
            self._line, self._begin = self._parser.CurrentLineNumber, self._parser.CurrentByteIndex
        self._open.append(element)
        if len(self._open) > _DEEPEST:
            raise self._error(f"more than {_DEEPEST} elements inside each other. Export the file again")

    def _end(self, _: str) -> None:
        element = self._open.pop()
        if self._unit and len(self._open) == self._unit:
            self._unit = 0
            self._finished.append((self._line, element, tuple(self._open)))

    def _text(self, data: str) -> None:
        if not self._unit:
            return
        parent = self._open[-1]
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + data
        else:
            parent.text = (parent.text or "") + data

    def _check_root(self, root: str) -> None:
        if root != self._root:
            cure = "Check the ending of the file, or name its format"
            raise self._error(f"the root element is <{root}>, not <{self._root}>. {cure}")

    def _entity(self, name: str, *_: object) -> None:
        cure = "Remove the declaration and write the characters themselves"
        raise self._error(f"the file declares the entity '{name}', which is not read for safety. {cure}")

    def _unknown_entity(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            raise self._error(f"the entity &{name}; is declared nowhere in the file. Write the character itself")

    def _error(self, message: str) -> CorpusError:
        return self._file.error(self._parser.CurrentLineNumber, message)


class Tally:
    """Counts events such as skipped units, and reports them once at the end, even if the reader stops early."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._counts: Counter[tuple[str, str]] = Counter()
        self._tags = self._tagged = 0

    def __enter__(self) -> "Tally":
        return self

    def __exit__(self, *_: object) -> None:
        if self._tags:
            verb = "is" if self._tags == 1 else "are"
            tags, segments = plural(self._tags, "inline tag"), plural(self._tagged, "segment")
            self._note(f"{tags} in {segments} {verb} left out of the text")
        for (singular, plural_text), number in self._counts.items():
            self._note(plural(number, singular, plural_text))

    def add(self, singular: str, plural_text: str, number: int = 1) -> None:
        self._counts[singular, plural_text] += number

    def segment_text(self, element: Element | None) -> str:
        """The running text of a segment; counts the inline tags and sub-flows that are left out."""
        if element is None:
            return ""
        tags = sum(1 for inner in _inner(element) if inner.tag not in _ANNOTATIONS)
        self._tags += tags
        self._tagged += bool(tags)
        subs = sum(1 for _ in element.iter("sub"))
        if subs:
            self.add("sub-flow is left out of the text", "sub-flows are left out of the text", subs)
        return running_text(element)


def running_text(element: Element) -> str:
    """The text of a segment without native code and sub-flows."""
    parts = [element.text or ""]
    for child in element:
        if child.tag not in _NATIVE and child.tag != "sub":
            parts.append(running_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _inner(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag != "sub":
            yield child
            if child.tag not in _NATIVE:
                yield from _inner(child)


def reference_text(element: Element | None) -> str | None:
    text = "" if element is None else running_text(element)
    return text if text.strip() else None


def clean_code(code: str) -> str:
    """The normalised code, or the code unchanged if it is not valid."""
    try:
        return normalise(code)
    except UserError:
        return code.strip()


def nearness(code: str, lang: str) -> int | None:
    """0 for the same language, 1 and 2 if one of the two only adds a region or script; None for another language."""
    try:
        normalised = normalise(code)
    except UserError:
        return None
    if normalised == lang:
        return 0
    if normalised == base(lang):
        return 1
    return 2 if base(normalised) == lang else None


def no_language(file: File, lang: str, codes: set[str]) -> CorpusError:
    if not codes:
        return CorpusError(f"{file.label} has no units in it. Export it again with its segments")
    names = listed(sorted(code or "(none)" for code in codes))
    return CorpusError(f"{file.label} has no segment in '{lang}'. Found: {names}. Choose one of these languages")


class FreshIds(Ids):
    """Hands out each id once; a segment whose id is taken gets none, and is then identified by its text."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally

    def first_new(self, part: int, *choices: str) -> str:
        """The first of the choices that no other part of the file has used; within a part, ids must be unique."""
        if not choices[0]:
            return ""
        for choice in choices:
            earlier = self.add(choice, part)
            if earlier is None:
                return choice
            if earlier == part:
                break
        self._tally.add(
            "segment repeats an id and is named by its number", "segments repeat an id and are named by their numbers"
        )
        return ""
