"""Amazon Translate, through its TranslateText operation (Signature Version 4).

`--system amazon` with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, AWS_SESSION_TOKEN
too where the keys are temporary, and the region in `region`, AWS_REGION or AWS_DEFAULT_REGION. Each text is
a request of its own; the secret signs it and is never sent. Signing needs `pip install 'concord-mt[amazon]'`.
"""

import os
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import httpx2

from concord.errors import BadAnswer, Missing, Refused, UserError
from concord.model import Limits, Price
from concord.translators._http import Sign, found_in, pick
from concord.translators._keys import key_of
from concord.translators._names import system_id
from concord.translators._provider import SERVICES, Coded, CodeSpelling, Hosted, Url

SERVICE = "AWSShineFrontendService_20170701"
MOST_BYTES = 10_000
MOST_PAGES = 20
SPELLING = CodeSpelling(SERVICES["amazon"]["languages"])


class Translator(Hosted):
    """A client of Amazon Translate in one region."""

    keys = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION")
    limits = Limits(texts=1, characters=MOST_BYTES, in_flight=4, seconds=60)
    price = Price(15.0, "USD", "2026-11-15", "Amazon Translate pricing, standard text, as third parties quote it")

    def __init__(
        self,
        *,
        region: Annotated[str, "AWS region, such as eu-west-1; by default that of the environment."] = "",
        url: Url = "",
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        access, secret = (key_of("amazon", name, environ) for name in self.keys[:2])
        token = key_of("amazon", self.keys[2], environ, needed=False)
        where = _region(region, os.environ if environ is None else environ)
        official = f"https://translate.{where}.amazonaws.com"
        address = url.rstrip("/") or official
        self.id = system_id("amazon", url=(address, official))
        sign = _signer((access, secret, token), where, clock)
        key = " and ".join(self.keys[:2])
        self._http = _Amazon(address, name="Amazon Translate", key=key, secrets=(access, secret, token), sign=sign)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        languages = {"SourceLanguageCode": SPELLING.theirs(source), "TargetLanguageCode": SPELLING.theirs(target)}
        return await self._each(texts, lambda text: self._translated_text(text, languages))

    async def directions(self) -> Collection[tuple[str, str]]:
        codes: set[str] = set()
        body: dict[str, Any] = {"MaxResults": 500}
        for _ in range(MOST_PAGES):
            page = await self._ask("ListLanguages", body)
            codes |= {pick(row, str, "LanguageCode") for row in pick(page, list, "Languages")}
            if not page.get("NextToken"):
                return SPELLING.pairs(codes, codes)
            body["NextToken"] = page["NextToken"]
        raise BadAnswer("the list of languages of Amazon Translate does not end")

    async def _translated_text(self, text: str, languages: Mapping[str, str]) -> str:
        if not text.strip():
            return text  # Amazon takes blank text for a missing one.
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > MOST_BYTES:
            raise Refused(f"the text has {size:,} bytes; Amazon Translate takes {MOST_BYTES:,}")
        return pick(await self._ask("TranslateText", {"Text": text, **languages}), str, "TranslatedText")

    async def _ask(self, operation: str, body: Mapping[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": f"{SERVICE}.{operation}"}
        return pick(await self._http.post_json("/", json=body, headers=headers), dict)


class _Amazon(Coded):
    errors = SERVICES["amazon"]["errors"]

    def code_in(self, body: str, headers: Mapping[str, str]) -> tuple[str, str]:
        # Nearly everything is a bad request (status 400); the type inside, or in a header, tells.
        kind = found_in(body, str, "__type") or headers.get("x-amzn-errortype", "")
        return kind.rpartition("#")[2].partition(":")[0], ""


def _signer(keys: tuple[str, str, str], region: str, clock: Callable[[], float]) -> Sign:
    # A closure, so that nobody who prints the translator's attributes prints the secret.
    try:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
    except ImportError:
        raise Missing("botocore, which signs requests to Amazon,", "pip install 'concord-mt[amazon]'") from None
    signer = SigV4Auth(Credentials(*keys), "translate", region)

    def sign(request: httpx2.Request) -> dict[str, str]:
        now = datetime.fromtimestamp(clock(), UTC).strftime("%Y%m%dT%H%M%SZ")
        added = {"X-Amz-Date": now} | ({"X-Amz-Security-Token": keys[2]} if keys[2] else {})
        signed = {name: request.headers[name] for name in ("content-type", "host", "x-amz-target")} | added
        aws_request = AWSRequest(request.method, str(request.url), headers=signed, data=request.content)
        # Step by step, since `add_auth` reads the machine's clock and writes the token into debugging logs.
        aws_request.context["timestamp"] = now
        to_sign = signer.string_to_sign(aws_request, signer.canonical_request(aws_request))
        signature = signer.signature(to_sign, aws_request)
        names = signer.signed_headers(signer.headers_to_sign(aws_request))
        fields = f"Credential={signer.scope(aws_request)}, SignedHeaders={names}, Signature={signature}"
        return {**added, "Authorization": f"AWS4-HMAC-SHA256 {fields}"}

    return sign


def _region(option: str, environ: Mapping[str, str]) -> str:
    names = Translator.keys[3:]
    region = next(filter(None, (value.strip() for value in (option, *(environ.get(name, "") for name in names)))), "")
    # It becomes a part of the address that the signed request goes to.
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", region, re.ASCII):
        wrong = f"'{region}' is not a region" if region else "amazon needs a region"
        raise UserError(f"{wrong}: write region=eu-west-1, or set {' or '.join(names)}")
    return region
