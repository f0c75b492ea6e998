"""Translations that are made elsewhere and exchanged as files, for systems that cannot be called.

`concord plan … --system files:FOLDER` writes the texts to translate, one per line, to `FOLDER/en-es.txt`
and so on for each direction. Put the translations, line by line, into `FOLDER/en-es.translated.txt`; then
`concord run … --system files:FOLDER` picks them up. With `,form=xliff` or `,form=tmx` the texts stand in
`en-es.xlf` or `en-es.tmx`, and so do their translations. Relations with several steps need several rounds:
plan again until nothing is missing. New texts are added at the end.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from concord.errors import Refused, UserError
from concord.model import Direction, Limits, System
from concord.signature import digest
from concord.translators._exchange import FORMS
from concord.translators._names import system_id


class Translator(System):
    """The exchange files in a folder."""

    limits = Limits(texts=500, characters=10_000_000, in_flight=1)
    deterministic = True

    def __init__(
        self,
        *,
        argument: Annotated[str, "Folder of the exchange files."] = "",
        form: Annotated[Literal["lines", "xliff", "tmx"], "Format of the exchange files."] = "lines",
    ) -> None:
        if not argument:
            raise UserError("name the folder of the exchange files: --system files:FOLDER")
        self._folder = Path(argument)
        if self._folder.exists() and not self._folder.is_dir():
            raise UserError(f"{argument} is not a folder; the exchange files lie in a folder of their own")
        self.id = system_id(f"files:{argument}", form=(form, "lines"))
        self._form = FORMS[form]
        self._read: dict[Direction, dict[str, str]] = {}
        self._missing: dict[Direction, dict[str, None]] = {}

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        translations = self._translations(source, target)
        carried = map(self._form.carried, texts)
        return [translations.get(text) or self._lacking(text, source, target) for text in carried]

    def version(self, source: str, target: str) -> str:
        files = dict.fromkeys(self._form.files(self._folder, source, target))
        return digest(*(file.read_bytes().hex() if file.is_file() else "" for file in files), size=6).hex()

    def write_missing(self) -> dict[tuple[Path, Path], int]:
        """Write the texts without a translation; gives their number by the file of texts and that of translations."""
        written = {}
        for (source, target), texts in self._missing.items():
            self._folder.mkdir(parents=True, exist_ok=True)
            pairs = self._form.read(self._folder, source, target)
            new = texts.keys() - {text for text, _ in pairs}
            self._form.write(self._folder, source, target, [*pairs, *((text, "") for text in texts if text in new)])
            written[self._form.files(self._folder, source, target)] = len(texts)
        self._missing.clear()
        return written

    def _translations(self, source: str, target: str) -> dict[str, str]:
        if (source, target) not in self._read:
            pairs = self._form.read(self._folder, source, target)
            self._read[source, target] = {text: translation for text, translation in pairs if translation.strip()}
        return self._read[source, target]

    def _lacking(self, text: str, source: str, target: str) -> Refused:
        self._missing.setdefault((source, target), {})[text] = None
        file, _ = self._form.files(self._folder, source, target)
        return Refused(f"{file} has no translation of this text yet; see `concord plan`")
