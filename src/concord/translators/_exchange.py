"""The files in which texts and their translations are exchanged: lines, XLIFF, TMX.

Each form reads `[(text, translation or "")]` for a direction, in the order of the file, and writes them
back with new texts at the end.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from concord.atomic import atomic_write
from concord.corpus import read
from concord.corpus.files import open_file
from concord.errors import UserError
from concord.plural import plural

Pairs = Sequence[tuple[str, str]]
LINE_BREAKS = re.compile(r"\r\n|[\n\r]")
# What XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Lines:
    """`en-es.txt`, one text a line; the translations, line by line, in `en-es.translated.txt`."""

    def files(self, folder: Path, source: str, target: str) -> tuple[Path, Path]:
        """The file of the texts, and that of their translations."""
        return folder / f"{source}-{target}.txt", folder / f"{source}-{target}.translated.txt"

    def carried(self, text: str) -> str:
        """The text as it is in the file, by which its translation is found."""
        return LINE_BREAKS.sub(" ", text)

    def read(self, folder: Path, source: str, target: str) -> list[tuple[str, str]]:
        texts, translations = (_lines(file) for file in self.files(folder, source, target))
        if len(translations) > len(texts):
            file = self.files(folder, source, target)[1]
            lines = plural(len(translations), "line")
            raise UserError(f"{file} has {lines} for {plural(len(texts), 'text')}: one line for each text")
        return list(zip(texts, translations + [""] * (len(texts) - len(translations)), strict=True))

    def write(self, folder: Path, source: str, target: str, pairs: Pairs) -> None:
        with atomic_write(self.files(folder, source, target)[0]) as file:
            file.write_bytes("".join(f"{text}\n" for text, _ in pairs).encode())


class _Xml:
    """One file for a direction, in which each text has its translation beside it."""

    ending: str

    def files(self, folder: Path, source: str, target: str) -> tuple[Path, Path]:
        file = folder / f"{source}-{target}.{self.ending}"
        return file, file

    def carried(self, text: str) -> str:
        return NOT_XML.sub(" ", LINE_BREAKS.sub("\n", text))

    def read(self, folder: Path, source: str, target: str) -> list[tuple[str, str]]:
        file = self.files(folder, source, target)[0]
        if not file.is_file():
            return []
        return [(segment.text.words, segment.reference or "") for segment in read(file, source)]


class Xliff(_Xml):
    """`en-es.xlf`, XLIFF 1.2; the translations are its targets."""

    ending = "xlf"

    def write(self, folder: Path, source: str, target: str, pairs: Pairs) -> None:
        units = "".join(
            f'<trans-unit id="{number}" xml:space="preserve"><source>{escape(text)}</source>'
            + (f"<target>{escape(translation)}</target>" if translation else "")
            + "</trans-unit>\n"
            for number, (text, translation) in enumerate(pairs, start=1)
        )
        languages = f"source-language={quoteattr(source)} target-language={quoteattr(target)}"
        _write(
            self.files(folder, source, target)[0],
            '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
            f'<file original="concord" datatype="plaintext" {languages}>\n<body>\n{units}</body>\n</file>\n</xliff>\n',
        )


class Tmx(_Xml):
    """`en-es.tmx`, TMX 1.4; the translations are the units' second language."""

    ending = "tmx"

    def write(self, folder: Path, source: str, target: str, pairs: Pairs) -> None:
        def variant(lang: str, words: str) -> str:
            return f"<tuv xml:lang={quoteattr(lang)}><seg>{escape(words)}</seg></tuv>" if words else ""

        units = "".join(
            f'<tu tuid="{number}">{variant(source, text)}{variant(target, translation)}</tu>\n'
            for number, (text, translation) in enumerate(pairs, start=1)
        )
        header = (
            f'<header creationtool="concord" creationtoolversion="1" segtype="sentence" o-tmf="concord" adminlang="en"'
            f' srclang={quoteattr(source)} datatype="plaintext"/>'
        )
        file = self.files(folder, source, target)[0]
        _write(file, f'<tmx version="1.4">\n{header}\n<body>\n{units}</body>\n</tmx>\n')


FORMS: dict[str, Lines | Xliff | Tmx] = {"lines": Lines(), "xliff": Xliff(), "tmx": Tmx()}


def _write(file: Path, body: str) -> None:
    with atomic_write(file) as part:
        part.write_text('<?xml version="1.0" encoding="UTF-8"?>\n' + body, encoding="utf-8", newline="\n")


def _lines(file: Path) -> list[str]:
    return [line for _, line in open_file(file)] if file.is_file() else []
