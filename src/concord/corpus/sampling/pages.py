"""Pages: running text with a name, the common shape of what sentences are sampled from; and those of a text file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from concord.corpus.files import File, open_file, open_stdin

LARGEST_PAGE = 2_000_000
"""Characters; what a page has beyond them is left out."""

LONGEST_TITLE = 200
"""Characters; every sentence of a sample keeps the title of its page."""


@dataclass(frozen=True, slots=True)
class Page:
    """Running text; `id` is unique in its source, `title` tells a reader where it stands."""

    id: str
    title: str
    text: str


def text_pages(path: str | Path, *, wrapped: bool = False) -> Iterator[Page]:
    """The lines of a file (`-` for standard input) as pages, each by its line number.

    With `wrapped`, a sentence may run over several lines, and an empty line ends a paragraph.
    """
    file = open_stdin() if str(path) == "-" else open_file(Path(path))
    return _paragraphs(file) if wrapped else _lines(file)


def _lines(file: File) -> Iterator[Page]:
    for number, line in file:
        if line.strip():
            yield Page(str(number), file.label, line)


def _paragraphs(file: File) -> Iterator[Page]:
    first, size, held = 1, 0, list[str]()
    for number, line in file:
        if held and (not line.strip() or size > LARGEST_PAGE):
            yield Page(str(first), file.label, "\n".join(held))
            size, held = 0, []
        if line.strip():
            first = first if held else number
            size += len(line)
            held.append(line)
    if held:
        yield Page(str(first), file.label, "\n".join(held))
