"""Amazon Translate, through its TranslateText operation (Signature Version 4).

`--system amazon` with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, AWS_SESSION_TOKEN
too where the keys are temporary, and the region in `region`, AWS_REGION or AWS_DEFAULT_REGION. Each text is
a request of its own; the secret signs it and is never sent. Signing needs `pip install 'concord-mt[amazon]'`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import httpx2

from concord.errors import (
    BadAnswer,
    Exhausted,
    Missing,
    Refused,
    ServiceError,
    Throttled,
    Unauthorised,
    Unavailable,
    UserError,
)
from concord.language.codes import normalise
from concord.model import Limits, Price, System
from concord.translators._http import Http, Sign, key_of, pick, retry_after

SERVICE = "AWSShineFrontendService_20170701"
MOST_BYTES = 10_000
MOST_PAGES = 20
# Amazon's plain "pt" is Brazilian, its "tl" is Filipino as well.
SPELLED = {
    "zh": "zh",
    "zh-Hans": "zh",
    "zh-Hant": "zh-TW",
    "nb": "no",
    "pt": "pt",
    "pt-BR": "pt",
    "fil": "tl",
    "tl": "tl",
    "prs": "fa-AF",
    "en": "en",
    "en-GB": "en",
    "en-US": "en",
}
DENIED = {
    "UnrecognizedClientException": "the access key is not known",
    "InvalidClientTokenId": "the access key is not known",
    "InvalidSignatureException": "the secret is wrong, or this machine's clock is",
    "SignatureDoesNotMatch": "the secret is wrong, or this machine's clock is",
    "IncompleteSignatureException": "the signature is not complete",
    "MissingAuthenticationTokenException": "the signature is missing",
    "AccessDeniedException": "the user may not call translate:TranslateText and translate:ListLanguages",
    "ExpiredTokenException": "the session token has expired",
    "OptInRequired": "the account is not subscribed to the service",
    "SubscriptionRequiredException": "the account is not subscribed to the service",
}
SPENT = frozenset({"LimitExceededException", "ServiceQuotaExceededException"})
BUSY = frozenset({"ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded"})
FAILED = frozenset({"ServiceUnavailableException", "ServiceUnavailable", "InternalServerException", "InternalFailure"})


class Translator(System):
    """A client of Amazon Translate in one region."""

    keys = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION")
    limits = Limits(texts=1, characters=MOST_BYTES, in_flight=4, seconds=60)
    price = Price(15.0, "USD", "2026-11-15", "Amazon Translate pricing, standard text, as third parties quote it")

    def __init__(
        self,
        *,
        region: str = "",
        url: str = "",
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        access, secret = (key_of("amazon", name, environ) for name in self.keys[:2])
        token = key_of("amazon", self.keys[2], environ, needed=False)
        where = _region(region, os.environ if environ is None else environ)
        official = f"https://translate.{where}.amazonaws.com"
        address = url.rstrip("/") or official
        self.id = "amazon" if address == official else f"amazon,url={address}"
        sign = _signer((access, secret, token), where, clock)
        key = " and ".join(self.keys[:2])
        self._http = _Amazon(address, name="Amazon Translate", key=key, secrets=(access, secret, token), sign=sign)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        return [await self._one(text, spelled(source), spelled(target)) for text in texts]

    async def directions(self) -> Collection[tuple[str, str]]:
        codes: set[str] = set()
        asked: dict[str, Any] = {"MaxResults": 500}
        for _ in range(MOST_PAGES):
            page = await self._ask("ListLanguages", asked)
            codes |= {ours for row in pick(page, list, "Languages") for ours in meant(pick(row, str, "LanguageCode"))}
            if not page.get("NextToken"):
                return {(a, b) for a in codes for b in codes if spelled(a) != spelled(b)}
            asked["NextToken"] = page["NextToken"]
        raise BadAnswer("the list of languages of Amazon Translate does not end")

    async def close(self) -> None:
        await self._http.close()

    async def _one(self, text: str, source: str, target: str) -> str | Refused:
        if not text.strip():
            return text  # Amazon takes blank text for a missing one.
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > MOST_BYTES:
            return Refused(f"the text has {size:,} bytes; Amazon Translate takes {MOST_BYTES:,}")
        asked = {"Text": text, "SourceLanguageCode": source, "TargetLanguageCode": target}
        try:
            return pick(await self._ask("TranslateText", asked), str, "TranslatedText")
        except Refused as refusal:
            return refusal

    async def _ask(self, operation: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": f"{SERVICE}.{operation}"}
        return pick(await self._http.post_json("/", json=asked, headers=headers), dict)


class _Amazon(Http):
    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        # Nearly everything is a bad request (status 400); the type inside tells.
        code = _code(body, headers or {})
        if code in DENIED:
            return Unauthorised(f"{self.name} denies access ({code}): {DENIED[code]}. Check {self._key}")
        if code in SPENT:
            return Exhausted(f"the quota of {self.name} is used up ({code})")
        if code in BUSY:
            wait = retry_after((headers or {}).get("retry-after", ""), self._clock())
            return Throttled(f"{self.name} asks for patience ({code})", wait)
        if code in FAILED:
            return Unavailable(f"{self.name} failed ({code})")
        return super().failure(status, body, headers)


def spelled(code: str) -> str:
    """Amazon's spelling of a BCP-47 code."""
    return SPELLED.get(code, code)


def meant(theirs: str) -> set[str]:
    """The BCP-47 codes that Amazon's code stands for."""
    ours = {code for code, known in SPELLED.items() if known == theirs}
    try:
        return ours or {normalise(theirs)}
    except UserError:
        return set()


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
        made = {"X-Amz-Date": now} | ({"X-Amz-Security-Token": keys[2]} if keys[2] else {})
        signed = {name: request.headers[name] for name in ("content-type", "host", "x-amz-target")} | made
        asked = AWSRequest(request.method, str(request.url), headers=signed, data=request.content)
        # Step by step, since `add_auth` reads the machine's clock and writes the token into debugging logs.
        asked.context["timestamp"] = now
        signature = signer.signature(signer.string_to_sign(asked, signer.canonical_request(asked)), asked)
        names = signer.signed_headers(signer.headers_to_sign(asked))
        told = f"Credential={signer.scope(asked)}, SignedHeaders={names}, Signature={signature}"
        return {**made, "Authorization": f"AWS4-HMAC-SHA256 {told}"}

    return sign


def _region(given: str, environ: Mapping[str, str]) -> str:
    names = Translator.keys[3:]
    region = next(filter(None, (value.strip() for value in (given, *(environ.get(name, "") for name in names)))), "")
    # It becomes a part of the address that the signed request goes to.
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", region, re.ASCII):
        wrong = f"'{region}' is not a region" if region else "amazon needs a region"
        raise UserError(f"{wrong}: write region=eu-west-1, or set {' or '.join(names)}")
    return region


def _code(body: str, headers: Mapping[str, str]) -> str:
    try:
        told = pick(json.loads(body), str, "__type")
    except (ValueError, RecursionError, BadAnswer):
        told = headers.get("x-amzn-errortype", "")
    return told.rpartition("#")[2].partition(":")[0]
