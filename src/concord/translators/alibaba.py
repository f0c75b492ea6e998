"""Alibaba Cloud Machine Translation, general edition (signed with ACS3-HMAC-SHA256).

`--system alibaba` with the key pair in ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET; the
secret signs the request and is never sent. Short texts travel together (GetBatchTranslate), longer ones alone
(TranslateGeneral). An account outside China uses `--system alibaba,url=https://mt.ap-southeast-1.aliyuncs.com`.
"""

import hmac
import json
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import httpx2

from concord.errors import BadAnswer, Refused, ServiceError
from concord.model import Limits
from concord.plural import plural
from concord.translators._http import Sign, found_in, pick
from concord.translators._provider import SERVICES, Coded, ListedProvider, Url

OFFICIAL = "https://mt.cn-hangzhou.aliyuncs.com"
ALGORITHM = "ACS3-HMAC-SHA256"
LONGEST_IN_A_BATCH = 1_000
CODES = SERVICES["alibaba"]["languages"]
ONLY_WITH_CHINESE = frozenset({"zh-tw", "yue", "mn"})


class _Alibaba(Coded):
    errors = SERVICES["alibaba"]["errors"]

    def code_in(self, body: str, headers: Mapping[str, str]) -> tuple[str, str]:
        # A wrong key can be "not found" and a busy service a "bad request": the code inside tells.
        return found_in(body, str, "Code") or "", str((found_in(body, dict) or {}).get("Message", ""))


class Translator(ListedProvider):
    """A client of Alibaba's general machine translation for one account."""

    keys = ("ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET")
    codes = CODES
    client = _Alibaba
    # A batch may hold 8,000 characters, but a single text only 5,000.
    limits = Limits(texts=50, characters=5_000, in_flight=4, seconds=60, per_second=10)

    def __init__(
        self,
        *,
        url: Url = OFFICIAL,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        nonce: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self._connect("Alibaba", url, OFFICIAL, environ, lambda *keys: _signer(keys, clock, nonce))

    @classmethod
    def translates(cls, source: str, target: str) -> bool:
        pair = {CODES.get(source), CODES.get(target)}
        return super().translates(source, target) and ("zh" in pair or not pair & ONLY_WITH_CHINESE)

    async def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str | ServiceError]:
        form = {"FormatType": "text", "Scene": "general", "SourceLanguage": source, "TargetLanguage": target}
        short = {str(i): text for i, text in enumerate(texts) if len(text) <= LONGEST_IN_A_BATCH}
        answers = await self._batch(short, form) if short else {}
        answers |= await self._apart({i: text for i, text in enumerate(texts) if str(i) not in short}, form)
        return [answers[i] for i in range(len(texts))]

    async def _batch(self, texts: dict[str, str], form: dict[str, str]) -> dict[int, str | ServiceError]:
        form = {**form, "ApiType": "translate_standard", "SourceText": json.dumps(texts, ensure_ascii=False)}
        answer = await self._ask("GetBatchTranslate", form)
        rows = {str(pick(row, object, "index")): row for row in pick(answer, list, "TranslatedList")}
        if rows.keys() != texts.keys():
            raise BadAnswer(
                f"Alibaba gave answers to {plural(len(rows), 'text')}, which are not the {len(texts)} it was asked"
            )
        return {int(index): self._row_answer(row) for index, row in rows.items()}

    async def _apart(self, texts: dict[int, str], form: dict[str, str]) -> dict[int, str | ServiceError]:
        """One request for each text. An error is the answer to its text alone: the texts before it are paid for."""
        answers: dict[int, str | ServiceError] = {}
        stopped: ServiceError | None = None
        for i, text in texts.items():
            try:
                answer = None if stopped else await self._ask("TranslateGeneral", {**form, "SourceText": text})
                answers[i] = stopped or pick(answer, str, "Data", "Translated")
            except (Refused, BadAnswer) as error:
                answers[i] = error
            except ServiceError as error:
                answers[i] = stopped = error
        return answers

    async def _ask(self, action: str, form: dict[str, str]) -> dict[str, Any]:
        headers = {"x-acs-action": action, "x-acs-version": "2018-10-12"}
        answer = pick(await self._http.post_json("/", data=form, headers=headers), dict)
        if str(pick(answer, object, "Code")) != "200":
            raise self._http.meaning(str(answer["Code"]), str(answer.get("Message", "")))
        return answer

    def _row_answer(self, row: Any) -> str | ServiceError:
        code = str(pick(row, object, "code"))
        return pick(row, str, "translated") if code == "200" else self._http.meaning(code)


def authorisation(keys: tuple[str, str], headers: Mapping[str, str], query: str = "") -> str:
    """The header that signs a POST to / with these headers, by Alibaba's signature method v3.

    Among the headers is the digest of the body, `x-acs-content-sha256`.
    """
    identity, secret = keys
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name].strip()}\n" for name in sorted(headers))
    request = "\n".join(("POST", "/", query, lines, names, headers["x-acs-content-sha256"]))
    text = f"{ALGORITHM}\n{sha256(request.encode()).hexdigest()}"
    signature = hmac.digest(secret.encode(), text.encode(), "sha256").hex()
    return f"{ALGORITHM} Credential={identity},SignedHeaders={names},Signature={signature}"


def _signer(keys: tuple[str, str], clock: Callable[[], float], nonce: Callable[[], str]) -> Sign:
    # A closure, so that nobody who prints the translator's attributes prints the secret.
    def sign(request: httpx2.Request) -> dict[str, str]:
        added = {
            "x-acs-content-sha256": sha256(request.content).hexdigest(),
            "x-acs-date": datetime.fromtimestamp(clock(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "x-acs-signature-nonce": nonce(),
        }
        own = ("content-type", "host", "x-acs-action", "x-acs-version")
        signed = {name: request.headers[name] for name in own} | added
        return {**added, "Authorization": authorisation(keys, signed)}

    return sign
