"""Baidu Translate, the general text translation of its open platform (signed requests).

`--system baidu`, with the id and the secret of an application in `BAIDU_APP_ID` and
`BAIDU_APP_SECRET`. The lines of several texts travel together and come back as rows with the line
that each belongs to; the secret signs the request and is never sent.
"""

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from hashlib import md5

from concord.errors import BadAnswer, Refused
from concord.model import Limits, Price
from concord.translators._http import pick
from concord.translators._provider import SERVICES, Coded, ListedProvider, Url

OFFICIAL = "https://fanyi-api.baidu.com"
CODES = SERVICES["baidu"]["languages"]
WAITS = {"54003": 1.0, "54005": 3.0}
_LINE_END = re.compile(r"(\r\n|[\r\n])")


class _Baidu(Coded):
    errors = SERVICES["baidu"]["errors"]
    refused = "the request"
    numbered = True


class Translator(ListedProvider):
    """A client of Baidu's general translation for one application."""

    keys = ("BAIDU_APP_ID", "BAIDU_APP_SECRET")
    codes = CODES
    client = _Baidu
    # The standard edition takes 1,000 characters a request, line ends included, and one request a second.
    limits = Limits(texts=20, characters=980, in_flight=1, seconds=60, per_second=1)
    price = Price(49, "CNY", "2022-08-01", "Baidu Translate open platform, general translation prices")

    def __init__(
        self,
        *,
        url: Url = OFFICIAL,
        environ: Mapping[str, str] | None = None,
        salt: Callable[[], str] = lambda: str(uuid.uuid4().int % 10**10),
    ) -> None:
        self._salt = salt
        self._sign = _signer(*self._connect("Baidu", url, OFFICIAL, environ))

    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        halves = {i for i, text in enumerate(texts) if any("\ud800" <= c <= "\udfff" for c in text)}
        # Every second piece is a line end.
        pieces = [_LINE_END.split(text) for i, text in enumerate(texts) if i not in halves]
        lines = [line for parts in pieces for line in parts[::2] if line.strip()]
        answers = iter(await self._rows(lines, source, target) if lines else ())
        whole = iter("".join(next(answers) if part.strip() else part for part in parts) for parts in pieces)
        refusal = "the text holds half of a surrogate pair, which UTF-8 cannot carry"
        return [Refused(refusal) if i in halves else next(whole) for i in range(len(texts))]

    async def _rows(self, lines: list[str], source: str, target: str) -> list[str]:
        query = "\n".join(lines)
        form = {"q": query, "from": source, "to": target, **self._sign(query, self._salt())}
        answer = await self._http.post_json("/api/trans/vip/translate", data=form)
        code = str(pick(answer, dict).get("error_code") or "52000")
        if code != "52000":
            raise self._http.meaning(code, wait=WAITS.get(code))
        rows = [(pick(row, str, "src"), pick(row, str, "dst")) for row in pick(answer, list, "trans_result")]
        self._http.matched(rows, lines, "line")
        if len(lines) == 1:
            return [rows[0][1]]
        by_line = {line.strip(): answer for line, answer in rows}
        if by_line.keys() != {line.strip() for line in lines}:
            raise BadAnswer("Baidu gave answers to lines that it was not asked")
        return [by_line[line.strip()] for line in lines]


def _signer(app: str, secret: str) -> Callable[[str, str], dict[str, str]]:
    # A closure, so that nobody who prints the translator's attributes prints the secret.
    def sign(query: str, salt: str) -> dict[str, str]:
        digest = md5(f"{app}{query}{salt}{secret}".encode(), usedforsecurity=False).hexdigest()
        return {"appid": app, "salt": salt, "sign": digest}

    return sign
