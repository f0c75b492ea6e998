"""Pairs of regular expressions in a file, and how alike they are."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from concord.corpus.files import open_file, open_stdin
from concord.relations.semmt.automata import Measure, TooComplex, Unreadable, language, read, similarity

EMPTY = "both are empty: no text fits either"


def compared(path: str | Path, *, measure: Measure = "geometric", k: float = 0.5) -> Iterator[dict[str, Any]]:
    """A row for every line of two expressions with a tab between them; blank lines are skipped.

    A row has `equal`, `r`, `d` and `h`, or an `error` that says what is wrong with the line. Equal expressions that
    match no text have a `note`, because their equality means little.
    """
    for number, line in open_stdin() if str(path) == "-" else open_file(Path(path)):
        if line.strip():
            yield _row(number, line.split("\t"), measure, k)


def _row(number: int, cells: list[str], measure: Measure, k: float) -> dict[str, Any]:
    if len(cells) != 2:
        return {"line": number, "error": f"two expressions with a tab between them are expected, not {len(cells)}"}
    left, right = (cell.strip() for cell in cells)
    try:
        similarities = similarity(left, right, measure=measure, k=k)
    except (TooComplex, Unreadable) as error:
        return {"line": number, "error": str(error)}
    row = {"line": number, "equal": similarities.equal, "r": similarities.r, "d": similarities.d, "h": similarities.h}
    return row | {"note": EMPTY} if similarities.equal and not any(language(read(left)).ends) else row
