"""LibreTranslate, on this machine or elsewhere.

`--system libretranslate:http://127.0.0.1:5000`. A server that asks for a key gets the one in
LIBRETRANSLATE_API_KEY. Languages are those that the server lists; what it calls `zh` also answers to
`zh-Hans`, and its older codes `zt` and `pb` are `zh-Hant` and `pt-BR`.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from concord.errors import Exhausted, Refused, ServiceError, Unauthorised
from concord.model import Limits
from concord.translators._http import Http, pick
from concord.translators._keys import key_of
from concord.translators._provider import Server

KEY = "LIBRETRANSLATE_API_KEY"
START = "To start a server: pip install libretranslate; libretranslate"
MEANT = {"zt": ("zh-Hant",), "pb": ("pt-BR",), "zh": ("zh", "zh-Hans"), "zh-Hans": ("zh-Hans", "zh")}


class Translator(Server):
    """A client of one LibreTranslate server, at the address given as argument."""

    # Each server sets limits of its own; without any, these keep one request short.
    limits = Limits(texts=16, characters=10_000, in_flight=4, seconds=60)
    keys = (KEY,)

    def __init__(
        self,
        *,
        argument: Annotated[str, "Address of the server."] = "http://127.0.0.1:5000",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        key = key_of("libretranslate", KEY, environ, needed=False)
        address = argument.rstrip("/")
        self.id = f"libretranslate:{address}"
        self._key = {"api_key": key} if key else {}
        name = f"the LibreTranslate server at {address}"
        super().__init__(_LibreTranslate(address, name=name, key=KEY, hint=START, secrets=[key]))

    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        body = {"q": list(texts), "source": source, "target": target, "format": "text", **self._key}
        answers = pick(await self._http.post_json("/translate", json=body), list, "translatedText")
        return [pick(answer, str) for answer in self._http.matched(answers, texts)]

    async def _listed(self) -> list[tuple[str, str]]:
        rows = pick(await self._http.get_json("/languages"), list)
        codes = [pick(row, str, "code") for row in rows]
        # Before the list of targets was introduced, every language went into every other.
        into = [pick(row, list, "targets") if "targets" in row else codes for row in rows]
        pairs = [(source, pick(target, str)) for source, targets in zip(codes, into, strict=True) for target in targets]
        return [(source, target) for source, target in pairs if source != target]

    def _meant(self, theirs: str) -> tuple[str, ...]:
        return MEANT.get(theirs) or super()._meant(theirs)


class _LibreTranslate(Http):
    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        if status == 400 and "API key" in body:
            return Unauthorised(f"{self.name} wants a key (status 400). Set {KEY} in the environment to one it knows")
        if status == 403 and "limits violations" in body:
            return Exhausted(f"{self.name} has shut this machine out for asking too often (status 403)")
        if status == 429 and "per 1 day" in body:
            return Exhausted(f"the daily quota of {self.name} is used up (status 429)")
        return super().failure(status, body, headers)
