"""Tencent Cloud, machine translation (TextTranslateBatch, signed with TC3-HMAC-SHA256).

`--system tencent` with the key pair in TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY; the secret key
signs the request and is never sent. `region` is the one that serves the requests.
"""

import hmac
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated

import httpx2

from concord.errors import UserError
from concord.model import Limits, Price
from concord.translators._http import Sign, pick
from concord.translators._provider import SERVICES, Coded, ListedProvider, Url

OFFICIAL = "https://tmt.tencentcloudapi.com"
ALGORITHM = "TC3-HMAC-SHA256"
CODES = SERVICES["tencent"]["languages"]
# What each language can be translated into, in Tencent's codes.
INTO = SERVICES["tencent"]["into"]


class _Tencent(Coded):
    errors = SERVICES["tencent"]["errors"]
    refused = "the request"


class Translator(ListedProvider):
    """A client of Tencent's machine translation for one account."""

    keys = ("TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY")
    codes = CODES
    client = _Tencent
    # All texts of a request together stay below 6,000 characters; an account has five requests a second.
    limits = Limits(texts=50, characters=5_900, in_flight=4, seconds=60, per_second=5)
    price = Price(58, "CNY", "2022-09-15", "Tencent Cloud, machine translation billing (mirror; day of a sister page)")

    def __init__(
        self,
        *,
        region: Annotated[str, "Tencent Cloud region that is asked."] = "ap-guangzhou",
        url: Url = OFFICIAL,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not re.fullmatch(r"[a-z0-9-]+", region, re.ASCII):
            raise UserError(f"'{region}' is not a region. Write it like region=ap-guangzhou or region=ap-singapore")
        self._connect("Tencent", url, OFFICIAL, environ, lambda *keys: _signer(keys, region, clock))

    @classmethod
    def translates(cls, source: str, target: str) -> bool:
        return super().translates(source, target) and CODES[target] in INTO[CODES[source]].split()

    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        body = {"Source": source, "Target": target, "ProjectId": 0, "SourceTextList": texts}
        headers = {"X-TC-Action": "TextTranslateBatch", "X-TC-Version": "2018-03-21"}
        answer = pick(await self._http.post_json("/", json=body, headers=headers), dict, "Response")
        if "Error" in answer:
            error = pick(answer, dict, "Error")
            raise self._http.meaning(pick(error, str, "Code"), str(error.get("Message", "")))
        rows = pick(answer, list, "TargetTextList")
        return [pick(row, str) for row in self._http.matched(rows, texts)]


def authorisation(keys: tuple[str, str], service: str, now: int, headers: Mapping[str, str], body: bytes) -> str:
    """The header that signs a POST to / with these headers and this body, by Tencent's signature method v3."""
    identity, secret = keys
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name].strip().lower()}\n" for name in sorted(headers))
    request = "\n".join(("POST", "/", "", lines, names, sha256(body).hexdigest()))
    day = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")
    scope = f"{day}/{service}/tc3_request"
    key = f"TC3{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    text = "\n".join((ALGORITHM, str(now), scope, sha256(request.encode()).hexdigest()))
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    return f"{ALGORITHM} Credential={identity}/{scope}, SignedHeaders={names}, Signature={signature}"


def _signer(keys: tuple[str, str], region: str, clock: Callable[[], float]) -> Sign:
    # A closure, so that nobody who prints the translator's attributes prints the secret.
    def sign(request: httpx2.Request) -> dict[str, str]:
        now = int(clock())
        signed = {name: request.headers[name] for name in ("content-type", "host", "x-tc-action")}
        header = authorisation(keys, "tmt", now, signed, request.content)
        return {"X-TC-Timestamp": str(now), "X-TC-Region": region, "Authorization": header}

    return sign
