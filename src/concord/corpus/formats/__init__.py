"""Formats: their names, file endings and readers."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from concord.corpus.files import File
from concord.corpus.formats.json_lines import read_jsonl
from concord.corpus.formats.po import read_po
from concord.corpus.formats.rows import Note, Row
from concord.corpus.formats.tables import read_csv, read_tsv
from concord.corpus.formats.tmx import read_tmx
from concord.corpus.formats.xliff import read_xliff
from concord.errors import UnknownName


def read_lines(file: File, lang: str, note: Note) -> Iterator[Row]:
    return (Row(number, line) for number, line in file)


FORMATS: Mapping[str, Callable[[File, str, Note], Iterator[Row]]] = {
    "lines": read_lines,
    "tsv": read_tsv,
    "csv": read_csv,
    "jsonl": read_jsonl,
    "tmx": read_tmx,
    "xliff": read_xliff,
    "po": read_po,
}
_ALIASES = {
    **{"txt": "lines", "text": "lines", "json lines": "jsonl", "ndjson": "jsonl", "json": "jsonl"},
    **{"xlf": "xliff", "sdlxliff": "xliff", "mxliff": "xliff", "pot": "po"},
}


def format_named(name: str) -> str:
    """The format of a name or alias, such as `jsonl` for `JSON lines`."""
    plain = name.strip().lower()
    plain = _ALIASES.get(plain, plain)
    if plain not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return plain


def format_of(path: Path) -> str:
    """The format by a file's ending; `lines` for any other ending."""
    ending = without_gz(path).suffix.lower().removeprefix(".")
    ending = _ALIASES.get(ending, ending)
    return ending if ending in FORMATS else "lines"


def without_gz(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path
