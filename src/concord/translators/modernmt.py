"""ModernMT, the adaptive translation service.

`--system modernmt`, with the key in `MODERNMT_API_KEY`. Texts are sent as plain text. The service
adapts to the memories of the account, so two accounts can get different answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import permutations

from concord.errors import BadAnswer, Refused, UserError
from concord.language.codes import normalise
from concord.model import Limits, System
from concord.plural import plural
from concord.translators._http import Http, key_of, pick

OFFICIAL = "https://api.modernmt.com"
# What stands in for a code that the service does not list, first choice first.
INSTEAD = {
    "zh": ("zh-Hans",),
    "zh-Hans": ("zh",),
    "pt": ("pt-PT", "pt-BR"),
    "pt-PT": ("pt",),
    "pt-BR": ("pt",),
    "es": ("es-ES",),
    "es-ES": ("es",),
    "en": ("en-US", "en-GB"),
    "en-US": ("en",),
    "en-GB": ("en",),
    "fil": ("tl",),
    "tl": ("fil",),
}
# Codes that stand in lists of its languages without being codes.
MISSPELLED = {"sr-Cyr": "sr-Cyrl"}


class Translator(System):
    """A client of ModernMT for one account."""

    keys = ("MODERNMT_API_KEY",)
    limits = Limits(texts=128, characters=10_000, in_flight=4, seconds=60)

    def __init__(self, *, url: str = OFFICIAL, environ: Mapping[str, str] | None = None) -> None:
        url = url.rstrip("/")
        key = key_of("modernmt", self.keys[0], environ)
        self.id = "modernmt" if url == OFFICIAL else f"modernmt,url={url}"
        # The service reads, it changes nothing: it wants a GET, but texts are too long for an address.
        headers = {"MMT-ApiKey": key, "X-HTTP-Method-Override": "GET"}
        self._http = Http(url, name="ModernMT", key=self.keys[0], headers=headers)
        self._codes: dict[str, str] = {}

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        codes = self._codes or await self._listed()
        if source not in codes or target not in codes:
            return [Refused(f"ModernMT does not translate {source}-{target}") for _ in texts]
        asked = {"source": codes[source], "target": codes[target], "q": list(texts), "format": "text/plain"}
        told = self._content(await self._http.post_json("/translate", json=asked))
        rows = told if isinstance(told, list) else [told]
        if len(rows) != len(texts):
            raise BadAnswer(f"ModernMT gave {plural(len(rows), 'answer')} to {plural(len(texts), 'text')}")
        return [pick(row, str, "translation") for row in rows]

    async def directions(self) -> Collection[tuple[str, str]]:
        codes = await self._listed()
        return frozenset(pair for pair in permutations(codes, 2) if codes[pair[0]] != codes[pair[1]])

    async def close(self) -> None:
        self._codes = {}
        await self._http.close()

    async def _listed(self) -> dict[str, str]:
        """The service's own spelling of every language it has, by BCP-47 code."""
        found: dict[str, str] = {}
        for code in pick(self._content(await self._http.get_json("/translate/languages")), list):
            spelled = pick(code, str)
            try:
                found.setdefault(normalise(MISSPELLED.get(spelled, spelled)), spelled)
            except UserError:
                continue
        also = {code: found[near] for code, nears in INSTEAD.items() for near in reversed(nears) if near in found}
        self._codes = also | found
        return self._codes

    def _content(self, answer: object) -> object:
        """The data inside the envelope, which repeats the status."""
        status = pick(answer, int, "status")
        if status == 200:
            return pick(answer, object, "data")
        if 400 <= status < 600:
            raise self._http.failure(status, str(pick(answer, dict).get("error") or ""))
        raise BadAnswer(f"ModernMT answered with the status {status}")
