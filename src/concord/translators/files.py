"""Translations that are made elsewhere and exchanged as files, for systems that cannot be called.

`concord plan … --system files:FOLDER` writes the texts to translate, one per line, to `FOLDER/en-es.txt`
and so on for each direction. Put the translations, line by line, into `FOLDER/en-es.translated.txt`; then
`concord run … --system files:FOLDER` picks them up. Relations with several steps need several rounds:
plan again until nothing is missing. New texts are added at the end, so what is translated stays aligned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from concord.errors import Refused, UserError
from concord.model import Limits, System
from concord.signature import digest

LINE_BREAKS = re.compile(r"\r\n|[\n\r]")


class Translator(System):
    """The exchange files in a folder."""

    limits = Limits(texts=500, characters=10_000_000, in_flight=1)

    def __init__(self, *, argument: str = "") -> None:
        if not argument:
            raise UserError("name the folder of the exchange files: --system files:FOLDER")
        self._folder = Path(argument)
        if self._folder.exists() and not self._folder.is_dir():
            raise UserError(f"{argument} is not a folder; the exchange files lie in a folder of their own")
        self.id = f"files:{argument}"
        self._known: dict[tuple[str, str], dict[str, str]] = {}
        self._missing: dict[tuple[str, str], dict[str, None]] = {}

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        known = self._translations(source, target)
        return [known.get(line) or self._lacking(line, source, target) for line in map(_line, texts)]

    def version(self, source: str, target: str) -> str:
        files = [self._asked(source, target), self._answered(source, target)]
        return digest(*(file.read_text("utf-8") if file.is_file() else "" for file in files), size=6).hex()

    def write_missing(self) -> dict[Path, int]:
        """Add every text that was asked for in vain to its file; gives the number per file."""
        written = {}
        for (source, target), lines in self._missing.items():
            file = self._asked(source, target)
            new = [line for line in lines if line not in set(_lines(file))]
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as asked:
                asked.writelines(f"{line}\n" for line in new)
            written[file] = len(lines)
        self._missing.clear()
        return written

    def _translations(self, source: str, target: str) -> dict[str, str]:
        if (source, target) not in self._known:
            asked, answered = _lines(self._asked(source, target)), _lines(self._answered(source, target))
            if len(answered) > len(asked):
                file = self._answered(source, target)
                raise UserError(f"{file} has {len(answered)} lines for {len(asked)} texts: one line for each text")
            pairs = zip(asked, answered, strict=False)
            self._known[source, target] = {line: answer for line, answer in pairs if answer.strip()}
        return self._known[source, target]

    def _lacking(self, line: str, source: str, target: str) -> Refused:
        self._missing.setdefault((source, target), {})[line] = None
        return Refused(f"{self._asked(source, target)} has no translation of this text yet; see `concord plan`")

    def _asked(self, source: str, target: str) -> Path:
        return self._folder / f"{source}-{target}.txt"

    def _answered(self, source: str, target: str) -> Path:
        return self._folder / f"{source}-{target}.translated.txt"


def _line(text: str) -> str:
    return LINE_BREAKS.sub(" ", text)


def _lines(file: Path) -> list[str]:
    """Only a line feed ends a line; nothing else may break the alignment."""
    if not file.is_file():
        return []
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
