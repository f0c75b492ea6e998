"""Youdao AI Cloud, text translation (signed requests, version 3).

`--system youdao`, with the id and the secret of an application in `YOUDAO_APP_KEY` and
`YOUDAO_APP_SECRET`. Each text is a request of its own; the secret signs it and is never sent.
"""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from concord.errors import Refused
from concord.model import Limits, Price
from concord.translators._http import pick
from concord.translators._provider import SERVICES, Coded, ListedProvider, Url

OFFICIAL = "https://openapi.youdao.com"
CODES = SERVICES["youdao"]["languages"]

Sign = Callable[[str, str, str], dict[str, str]]


class _Youdao(Coded):
    errors = SERVICES["youdao"]["errors"]
    numbered = True


class Translator(ListedProvider):
    """A client of Youdao's text translation for one application."""

    keys = ("YOUDAO_APP_KEY", "YOUDAO_APP_SECRET")
    codes = CODES
    client = _Youdao
    limits = Limits(texts=1, characters=5_000, in_flight=4, seconds=60)
    price = Price(48, "CNY", "2026-10-07", "Youdao AI Cloud, text translation prices, Chinese and common languages")

    def __init__(
        self,
        *,
        url: Url = OFFICIAL,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        salt: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self._clock = clock
        self._salt = salt
        self._sign = _signer(*self._connect("Youdao", url, OFFICIAL, environ))

    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        return await self._each(texts, lambda text: self._translated_text(text, source, target))

    async def _translated_text(self, text: str, source: str, target: str) -> str:
        if any("\ud800" <= c <= "\udfff" for c in text):
            raise Refused("the text holds half of a surrogate pair, which UTF-8 cannot carry")
        form = {"q": text, "from": source, "to": target}
        form |= self._sign(text, self._salt(), str(int(self._clock())))
        answer = await self._http.post_json("/api", data=form)
        code = str(pick(answer, object, "errorCode"))
        if code == "202" and len(text) > 20 and max(text) > "\uffff":
            # Length and ends of such a text can be counted in two ways; one emoji must not end a run.
            raise Refused("Youdao does not accept the signature of a long text with rare characters (error 202)")
        if code != "0":
            raise self._http.meaning(code)
        return pick(self._http.matched(pick(answer, list, "translation"), [text]), str, 0)


def shortened(text: str) -> str:
    """What is signed of a text: all of it up to 20 characters, else both ends and its length.

    >>> shortened("The house is near the river.")
    'The house 28the river.'
    """
    return text if len(text) <= 20 else f"{text[:10]}{len(text)}{text[-10:]}"


def _signer(app: str, secret: str) -> Sign:
    # A closure, so that nobody who prints the translator's attributes prints the secret.
    def sign(text: str, salt: str, now: str) -> dict[str, str]:
        digest = sha256(f"{app}{shortened(text)}{salt}{now}{secret}".encode()).hexdigest()
        return {"appKey": app, "salt": salt, "curtime": now, "signType": "v3", "sign": digest}

    return sign
