"""The HTTP client of adapters: one connection pool per event loop, bounded answers, errors in Concord's terms."""

import asyncio
import ipaddress
import json
import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus
from weakref import WeakKeyDictionary

import httpx2

from concord.errors import (
    BadAnswer,
    Exhausted,
    Refused,
    ServiceError,
    Throttled,
    Unauthorised,
    Unavailable,
    UserError,
)
from concord.plain_data import json_kind
from concord.plural import plural
from concord.response_body import ACCEPTED, LARGEST, Body
from concord.translators._keys import sendable

T = TypeVar("T")
Sign = Callable[[httpx2.Request], Mapping[str, str]]

LARGEST_COMPLAINT = 2**16
LONGEST_EXCERPT = 200
SECONDS_TO_CONNECT = 10.0


class Http:
    """A service that speaks JSON, at `base_url`.

        http = Http("https://api.example.org/v2", name="Example", key="EXAMPLE_API_KEY",
                    headers={"Authorization": f"Bearer {key}"})
        answer = await http.post_json("/translate", json={"text": texts})
        return [pick(row, str, "text") for row in pick(answer, list, "translations")]

    `key` names the environment variable that a user must set when the service denies access, `hint`
    says what to do when the server cannot be reached. A key belongs in `headers`, or in the body and then also in
    `secrets`; never in a query string, which servers and libraries write into logs. A service that wants
    its requests signed gets `sign`, which makes headers from a request that is ready to be sent: its body,
    its address and the headers that belong to it alone (`post_json(..., headers=...)`). A service whose
    status codes mean something of their own overrides `failure`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        name: str,
        key: str = "",
        hint: str = "",
        headers: Mapping[str, str] | None = None,
        secrets: Sequence[str] = (),
        sign: Sign | None = None,
        seconds: float | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self._url = _address(base_url)
        self._key = key
        self._hint = hint
        self._headers = {field: sendable(value.strip(), key or name) for field, value in (headers or {}).items()}
        self._secrets = _spellings([*self._headers.values(), *secrets])
        self._sign = sign
        self._timeout = httpx2.Timeout(seconds, connect=min(seconds or SECONDS_TO_CONNECT, SECONDS_TO_CONNECT))
        self._transport = transport
        self._clock = clock
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()

    async def post_json(
        self,
        path: str,
        *,
        json: Any = None,
        data: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Send a JSON body, or a form, and decode the answer."""
        return await self._ask("POST", path, json=json, data=data, headers=headers)

    async def get_json(self, path: str, *, params: Mapping[str, str] | None = None) -> Any:
        """Fetch and decode."""
        return await self._ask("GET", path, params=params)

    async def close(self) -> None:
        """Close the connections of this event loop; the next request opens new ones."""
        for loop in [loop for loop in self._clients if loop.is_closed()]:
            del self._clients[loop]
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def failure(self, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ServiceError:
        """The error for a status that is not success."""
        if status in (401, 403):
            cure = f". Set {self._key} in the environment to a valid key" if self._key else ""
            return Unauthorised(f"{self.name} denies access (status {status}){cure}")
        if status in (402, 456):
            return Exhausted(f"the quota of {self.name} is used up (status {status})")
        wait = retry_after((headers or {}).get("retry-after", ""), self._clock())
        if status == 429 or (status == 503 and wait is not None):
            return Throttled(f"{self.name} asks for patience (status {status})", wait)
        if status == 408 or status >= 500:
            return Unavailable(f"{self.name} failed (status {status})")
        if 300 <= status < 400 and (moved := (headers or {}).get("location", "").partition("?")[0]):
            return Refused(f"{self.name} has moved (status {status}) to {self._excerpt(moved)}. Use that address")
        excerpt = self._excerpt(body)
        return Refused(f"{self.name} refused the request (status {status})" + (f": {excerpt}" if excerpt else ""))

    def matched(self, answers: list[T], texts: Sequence[str], noun: str = "text") -> list[T]:
        """The answers, if there is one for each text; `noun` is what the message calls the texts."""
        if len(answers) != len(texts):
            raise BadAnswer(f"{self.name} gave {plural(len(answers), 'answer')} to {plural(len(texts), noun)}")
        return answers

    async def _ask(self, method: str, path: str, **content: Any) -> Any:
        try:
            async with self._client().stream(method, path, **content) as response:
                body = Body(self.name, response, largest=LARGEST if response.is_success else LARGEST_COMPLAINT)
                async for piece in response.aiter_raw():
                    if not body.add(piece):
                        break
        except UnicodeEncodeError:
            raise Refused("the text holds half of a surrogate pair, which UTF-8 cannot carry") from None
        except httpx2.RequestError as error:
            # The cause is left out of the chain: it carries the request, and with it the key.
            raise self._unanswered(error) from None
        if not response.is_success:
            raise self.failure(response.status_code, body.text(), response.headers)
        return body.json()

    def _unanswered(self, error: httpx2.RequestError) -> ServiceError:
        if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
            return Unavailable(f"{self.name} cannot be reached" + (f". {self._hint}" if self._hint else ""))
        if isinstance(error, httpx2.TimeoutException):
            return Unavailable(f"{self.name} did not answer in time")
        if isinstance(error, httpx2.RemoteProtocolError) and not re.search("disconnected|closed", str(error)):
            return Unavailable(f"{self.name} answered with headers that are too long or not HTTP")
        return Unavailable(f"{self.name} broke off the connection")

    def _client(self) -> httpx2.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = httpx2.AsyncClient(
                base_url=self._url,
                headers={**ACCEPTED, **self._headers},
                auth=self._signed if self._sign else None,
                timeout=self._timeout,
                transport=self._transport,
                # A proxy is meant for the world outside, not for a server on this machine.
                trust_env=not is_loopback(self._url.host),
            )
        return self._clients[loop]

    def _signed(self, request: httpx2.Request) -> httpx2.Request:
        if self._sign:
            request.headers.update(self._sign(request))
        return request

    def _excerpt(self, body: str) -> str:
        for secret in self._secrets:
            body = body.replace(secret, "…")
        text = " ".join("".join(" " if unicodedata.category(c)[0] == "C" else c for c in body).split())
        return text if len(text) <= LONGEST_EXCERPT else text[:LONGEST_EXCERPT] + "…"


def pick(answer: Any, kind: type[T], *path: str | int) -> T:
    """The value at `path` in a decoded answer; raises BadAnswer if it is missing or of another type.

    >>> pick({"data": [{"text": "hola"}]}, str, "data", 0, "text")
    'hola'
    """
    value: Any = answer
    for step in path:
        inside: Any = value if isinstance(value, dict | list) else {}
        try:
            value = inside[step]
        except (KeyError, IndexError, TypeError):
            value = None
        if value is None:
            raise BadAnswer(f"the answer has no {_spelled(path)}")
    if not isinstance(value, kind):
        raise BadAnswer(f"the answer has {json_kind(type(value))} as {_spelled(path)}, not {json_kind(kind)}")
    return value


def found_in(body: str, kind: type[T], *path: str | int) -> T | None:
    """The value at `path` in a body that may be anything, such as an error message; None if there is none."""
    try:
        return pick(json.loads(body), kind, *path)
    except (ValueError, RecursionError, BadAnswer):
        return None


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait, from a Retry-After header: a number of seconds or an HTTP date."""
    value = value.strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError, OSError):
        return None


def _spelled(path: Sequence[str | int]) -> str:
    return ".".join(map(str, path)) or "body"


def _address(base_url: str) -> httpx2.URL:
    try:
        url = httpx2.URL(base_url)
        usable = url.scheme in ("http", "https") and url.host and not url.query and not url.userinfo
        usable = usable and 0 < (url.port or 80) < 2**16
    except (httpx2.InvalidURL, ValueError):
        usable = False
    if not usable:
        # An address with a user's name or a query may hold a password.
        address = "that" if re.search("[@?]", base_url) else f"'{base_url}'"
        raise UserError(
            f"{address} is not the address of a server. Write it like http://127.0.0.1:2737 or https://host"
        )
    return url


def _spellings(secrets: Sequence[str]) -> list[str]:
    """Secrets in every spelling in which a server may quote them: as they are, in an address, in JSON."""
    spelled: set[str] = set()
    for word in {word for secret in secrets for word in (secret, *secret.split()) if len(word) >= 6}:
        in_json = json.dumps(word)[1:-1]
        quoted = (quote_plus(word), quote(word), quote(word, safe=""))
        spelled |= {word, *quoted, in_json, in_json.replace("/", "\\/")}
    return sorted(spelled | {word.lower() for word in spelled if "%" in word}, key=len, reverse=True)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
