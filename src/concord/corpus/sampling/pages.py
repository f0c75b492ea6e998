"""Pages: running text with a title, from which sentences are sampled; and the pages of a text file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from concord.corpus.files import File, open_path

LARGEST_PAGE = 2_000_000
"""Characters; what a page has beyond them is left out."""

LONGEST_TITLE = 200
"""Characters; every sentence of a sample keeps the title of its page."""


@dataclass(frozen=True, slots=True)
class Page:
    """Running text; `id` is unique in its source, `title` tells a reader where the text comes from."""

    id: str
    title: str
    text: str


def text_pages(path: str | Path, *, wrapped: bool = False) -> Iterator[Page]:
    """The lines of a file (`-` for standard input) as pages; the id is the line number.

    With `wrapped`, a sentence may run over several lines, and an empty line ends a paragraph.
    """
    file = open_path(path)
    if wrapped:
        return _paragraphs(file)
    return (Page(str(number), file.label, line) for number, line in file if line.strip())


def _paragraphs(file: File) -> Iterator[Page]:
    first, size, lines = 1, 0, list[str]()
    for number, line in file:
        if lines and (not line.strip() or size > LARGEST_PAGE):
            yield Page(str(first), file.label, "\n".join(lines))
            size, lines = 0, []
        if line.strip():
            first = first if lines else number
            size += len(line)
            lines.append(line)
    if lines:
        yield Page(str(first), file.label, "\n".join(lines))
