"""Answers from a file of known translations; what is not in it is refused.

`--system table:FILE`, where FILE has one translation per line: four columns separated by tabs
(source language, target language, text, translation), or JSON objects with the keys `source_lang`,
`target_lang`, `source` and `target` (or `corrected`, as in exported corrections). Of several
translations of one text the last counts. From Python,
`Translator(rows={("good day", "en", "es"): "buenos días"})`.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from concord.corpus.files import open_file
from concord.errors import Refused, UserError
from concord.language.codes import normalise
from concord.model import Limits, System
from concord.plural import plural
from concord.signature import digest

COLUMNS = ("source_lang", "target_lang", "source", "target")
Rows = Mapping[tuple[str, str, str], str]


class Translator(System):
    """A table of translations, from a file or from `rows`, which maps (text, source, target) to the answer."""

    limits = Limits(texts=1_000, characters=1_000_000, in_flight=1)
    deterministic = True

    def __init__(
        self,
        *,
        argument: Annotated[str, "The TSV or JSONL file with texts and translations."] = "",
        rows: Rows | None = None,
    ) -> None:
        if not argument and rows is None:
            raise UserError("a table needs a file: --system table:FILE")
        self._rows = {(text, normalise(a), normalise(b)): answer for (text, a, b), answer in (rows or {}).items()}
        if argument:
            self._rows.update(_read(Path(argument)))
        self.id = f"table:{argument}" if argument else "table"
        self._version = digest(*(part for key, answer in sorted(self._rows.items()) for part in (*key, answer)), size=6)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        refusal = Refused("the text is not in the table")
        return [self._rows.get((text, source, target), refusal) for text in texts]

    def version(self, source: str, target: str) -> str:
        return self._version.hex()

    async def directions(self) -> Collection[tuple[str, str]]:
        return frozenset((source, target) for _, source, target in self._rows)


def _read(path: Path) -> Iterator[tuple[tuple[str, str, str], str]]:
    file = open_file(path)
    for number, line in file:
        if not line.strip():
            continue
        try:
            source_lang, target_lang, source, target = _columns(line)
            yield (source, normalise(source_lang), normalise(target_lang)), target
        except (ValueError, UserError) as error:
            raise file.error(number, str(error)) from None


def _columns(line: str) -> list[str]:
    if not line.lstrip().startswith("{"):
        columns = line.split("\t")
        if len(columns) != len(COLUMNS):
            names = "source language, target language, text, translation"
            raise ValueError(f"{plural(len(columns), 'column')} instead of 4 ({names})")
        return columns
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON ({error})") from None
    columns = [row.get(name, row.get("corrected") if name == "target" else None) for name in COLUMNS]
    if not all(isinstance(column, str) for column in columns):
        raise ValueError(f"the keys {', '.join(COLUMNS)} must be there and hold text")
    return columns
