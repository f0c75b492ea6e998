"""Apertium behind an APy server, such as one started with `apertium-apy`.

`--system apy:http://127.0.0.1:2737`. Each text is a request of its own, sent as plain text. The
server keeps one pipeline per direction alive, whose tagger remembers what went before: an answer can
depend on earlier requests. The translator `apertium` avoids that; this one shows what users of a
server get.
"""

import re
from collections.abc import Sequence
from typing import Annotated

from concord.errors import BadAnswer, Refused
from concord.model import Limits
from concord.translators._http import Http, pick
from concord.translators._provider import Server

START = (
    "To start a server: apt-get install apertium-apy; LC_ALL=C.UTF-8 apertium-apy -p {port} /usr/share/apertium/modes"
)
# The server cuts a text into at most ten pieces of 500 characters or more and drops the rest without a word.
LONGEST_TEXT = 5_000


class Translator(Server):
    """A client of one APy server, at the address given as argument."""

    # With a third request at the same time the server cuts texts into smaller pieces, and answers differ.
    limits = Limits(texts=8, characters=40_000, in_flight=2, seconds=120)
    dictionaries = "apertium"

    def __init__(self, *, argument: Annotated[str, "Address of the server."] = "http://127.0.0.1:2737") -> None:
        address = argument.rstrip("/")
        self.id = f"apy:{address}"
        port = re.search(r"(?<=:)[0-9]+$", address)
        hint = START.format(port=port.group() if port else "2737")
        super().__init__(Http(address, name=f"the APy server at {address}", hint=hint))

    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        return await self._each(texts, lambda text: self._translated_text(text, f"{source}|{target}"))

    async def _translated_text(self, text: str, langpair: str) -> str:
        if len(text) > LONGEST_TEXT:
            raise Refused(f"the text has {len(text):,} characters; APy translates {LONGEST_TEXT:,} at most")
        form = {"q": text, "langpair": langpair, "markUnknown": "no", "format": "txt"}
        return pick(self._content(await self._http.post_json("/translate", data=form)), str, "translatedText")

    async def _listed(self) -> list[tuple[str, str]]:
        rows = pick(self._content(await self._http.get_json("/listPairs")), list)
        return [(pick(row, str, "sourceLanguage"), pick(row, str, "targetLanguage")) for row in rows]

    def _content(self, answer: object) -> object:
        """The data inside APy's envelope, which has a status of its own."""
        status = pick(answer, int, "responseStatus")
        if status == 200:
            return pick(answer, object, "responseData")
        if 400 <= status < 600:
            raise self._http.failure(status, str(pick(answer, dict).get("responseDetails") or ""))
        raise BadAnswer(f"{self._http.name} answered with the status {status}")
