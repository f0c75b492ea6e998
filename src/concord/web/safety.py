"""What stands between the network and the pages: who may ask, what may be sent, and what a browser may do with it.

Translations are untrusted, and so is every other page that a browser has open. A request must name this server (a
stranger's domain that points here is turned away), know the token where there is one and, to change anything, come
from a page of ours. The policy for browsers allows our own files alone: no inline script, no style, no other site.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import sys
import time
import traceback
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request, cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from concord.web.settings import Site

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LARGEST = 32 * 2**20
LONGEST_PATH, LONGEST_QUERY = 500, 8_000
FIELDS = 200
UNFORESEEN = "Something went wrong. The terminal that runs `concord serve` says what."
SESSION, TOKEN = "concord-session", "concord-token"
BEGINNING, SECONDS = 2**16, 10.0
"""So much of a form must hold its proof, which is the first field of ours, and must be there in so many seconds."""
_PROOF = re.compile(rb'\bcsrf(?:=|"\r\n\r\n)([0-9a-f]{64})\b')
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]+))(?::[0-9]{1,5})?")
READING = frozenset(("GET", "HEAD"))


class Safety:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        known = _cookie(scope, SESSION)
        session = known or secrets.token_urlsafe(18)
        scope.setdefault("state", {})["csrf"] = proof(self._site.secret, session)
        began = _Began("" if known else f"{_named(scope, SESSION)}={session}; Path=/; HttpOnly; SameSite=Lax")
        send = _dressed(send, began)
        try:
            answer = self._turned_away(scope)
            if answer is None and scope["method"] not in READING:
                answer = await self._form(scope, receive)
            await (answer or self._app)(scope, receive, send)
        except Exception as error:
            # What nobody foresaw is told in full where the server runs, and not to the browser.
            traceback.print_exception(error, file=sys.stderr)
            if not began.answered:
                await PlainTextResponse(UNFORESEEN, 500)(scope, receive, send)
        finally:
            if "form" in scope["state"]:
                await scope["state"]["form"].close()

    def _turned_away(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if len(scope["path"]) > LONGEST_PATH or len(scope["query_string"]) > LONGEST_QUERY:
            return PlainTextResponse("The address is too long.", 414)
        if _embedded(headers):
            return PlainTextResponse("Another site may link to this page, but not use it.", 403)
        if self._site.hosts and _host(headers.get("host", "")) not in self._site.hosts:
            return PlainTextResponse("This server does not go by that name.", 421)
        return self._without_token(scope) if self._site.token else None

    def _without_token(self, scope: Scope) -> Response | None:
        """Nothing for somebody who has shown the token; it is taken out of the address as soon as it is known."""
        asked = QueryParams(scope["query_string"])
        if hmac.compare_digest(asked.get("token", "").encode(), self._site.token.encode()):
            rest = urlencode([(name, value) for name, value in asked.multi_items() if name != "token"])
            # Two slashes in front would lead to another server.
            here = "/" + scope["path"].lstrip("/\\")
            answer = RedirectResponse(here + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(_named(scope, TOKEN), self._site.token, httponly=True, samesite="lax")
            return answer
        if hmac.compare_digest(_cookie(scope, TOKEN).encode(), self._site.token.encode()):
            return None
        return PlainTextResponse("Open the address that `concord serve` printed: it holds the token.", 403)

    async def _form(self, scope: Scope, receive: Receive) -> Response | None:
        """Read what was sent, within bounds, as soon as its beginning shows that one of our own pages sent it."""
        headers = Headers(scope=scope)
        if _elsewhere(headers):
            return PlainTextResponse("Another site may not change anything here.", 403)
        try:
            sent = _Sent(headers, receive)
            async with asyncio.timeout(SECONDS):
                found = _PROOF.search(await sent.read(BEGINNING), 0, BEGINNING)
            given = headers.get("x-csrf", "").encode() or (found[1] if found else b"")
            if not hmac.compare_digest(given, scope["state"]["csrf"].encode()):
                return PlainTextResponse(
                    "This page is out of date. Go back, load it again, and send it once more.", 403
                )
            body = await sent.read_all()
            form = await Request(scope, _again(body)).form(max_files=1, max_fields=FIELDS, max_part_size=LARGEST)
        except TimeoutError:
            return PlainTextResponse("The form did not come in time.", 408)
        except _TooLarge:
            return PlainTextResponse(f"At most {LARGEST // 2**20} MB can be sent.", 413)
        except (MultiPartException, HTTPException, ValueError):
            return PlainTextResponse("What was sent cannot be read as a form.", 400)
        scope["state"]["form"] = form
        return None


def proof(secret: bytes, session: str) -> str:
    """What a form must hold to show that it stood on a page that this server gave to this browser."""
    return hmac.new(secret, session.encode(), hashlib.sha256).hexdigest()


class _TooLarge(Exception):
    pass


class _Sent:
    """The body of a request; what is cut off by a lost connection counts for nothing."""

    def __init__(self, headers: Headers, receive: Receive) -> None:
        length = headers.get("content-length", "")
        digits = length.isascii() and length.isdigit() and len(length) <= len(str(LARGEST))
        if length and (not digits or int(length) > LARGEST):
            raise _TooLarge
        self._length = int(length) if length else None
        self._receive = receive
        self._body = bytearray()
        self._more = True

    async def read(self, enough: int) -> bytearray:
        """As much as that, and a little more, or all there is."""
        while self._more and len(self._body) < enough:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ValueError("the connection was lost")
            self._body += message.get("body", b"")
            self._more = bool(message.get("more_body"))
        return self._body

    async def read_all(self) -> bytes:
        body = await self.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise _TooLarge
        if self._length not in (None, len(body)):
            raise ValueError("less was sent than was told")
        return bytes(body)


def _again(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


@dataclass(slots=True)
class _Began:
    """A request: the cookie that its browser is yet to be given, when it came, and whether it is being answered."""

    cookie: str
    at: float = field(default_factory=time.perf_counter)
    answered: bool = False


def _dressed(send: Send, began: _Began) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            began.answered = True
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
            headers["Server-Timing"] = f"app;dur={1000 * (time.perf_counter() - began.at):.1f}"
            if began.cookie and headers.get("content-type", "").startswith("text/html"):
                headers.append("Set-Cookie", began.cookie)
        await send(message)

    return dressed


def _elsewhere(headers: Headers) -> bool:
    """Whether a browser says that another site's page sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


def _host(given: str) -> str:
    """The name without its port: `localhost` of `localhost:8000`, `::1` of `[::1]:8000`; nothing of anything odd."""
    found = _HOST.fullmatch(given)
    return (found[1] or found[2]).lower() if found else ""


def _embedded(headers: Headers) -> bool:
    """Whether a browser says that another site's page wants this as a part of its own, and not to lead here."""
    if headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none"):
        return False
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest", "document") != "document"


def _named(scope: Scope, name: str) -> str:
    """A cookie's name at this port: browsers share cookies among all ports of a machine."""
    return f"{name}-{(scope.get('server') or ('', 0))[1]}"


def _cookie(scope: Scope, name: str) -> str:
    return cookie_parser(Headers(scope=scope).get("cookie", "")).get(_named(scope, name), "")
