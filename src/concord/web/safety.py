"""The security layer: host check, token, CSRF protection, size limits, and the Content-Security-Policy.

Translations are untrusted, and so is every other page that a browser has open. A request must name this server (which
prevents DNS rebinding), have the token if there is one and, to change anything, come from one of our pages. The
Content-Security-Policy allows only our own files: no inline scripts or styles, and no other site.
"""

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
"""The CSRF token, the first field of each form, must be within the first BEGINNING bytes and arrive in SECONDS."""
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
        known_session = _cookie(scope, SESSION)
        session = known_session or secrets.token_urlsafe(18)
        scope.setdefault("state", {})["csrf"] = proof(self._site.secret, session)
        exchange = _Exchange(
            "" if known_session else f"{_cookie_name(scope, SESSION)}={session}; Path=/; HttpOnly; SameSite=Lax"
        )
        send = _with_headers(send, exchange)
        try:
            answer = self._refusal(scope)
            if answer is None and scope["method"] not in READING:
                answer = await self._form(scope, receive)
            await (answer or self._app)(scope, receive, send)
        except Exception as error:
            # The traceback of an unexpected error goes to the server's terminal, not to the browser.
            traceback.print_exception(error, file=sys.stderr)
            if not exchange.answered:
                await PlainTextResponse(UNFORESEEN, 500)(scope, receive, send)
        finally:
            if "form" in scope["state"]:
                await scope["state"]["form"].close()

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if len(scope["path"]) > LONGEST_PATH or len(scope["query_string"]) > LONGEST_QUERY:
            return PlainTextResponse("The address is too long.", 414)
        if _is_embedded(headers):
            return PlainTextResponse("Another site may link to this page, but not use it.", 403)
        if self._site.hosts and _host(headers.get("host", "")) not in self._site.hosts:
            return PlainTextResponse("This server does not accept that host name.", 421)
        return self._without_token(scope) if self._site.token else None

    def _without_token(self, scope: Scope) -> Response | None:
        """None for a browser that has the token; a token in the address is moved to a cookie by a redirect."""
        query = QueryParams(scope["query_string"])
        if hmac.compare_digest(query.get("token", "").encode(), self._site.token.encode()):
            rest = urlencode([(name, value) for name, value in query.multi_items() if name != "token"])
            # A path that begins with two slashes would lead to another server.
            path = "/" + scope["path"].lstrip("/\\")
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(_cookie_name(scope, TOKEN), self._site.token, httponly=True, samesite="lax")
            return answer
        if hmac.compare_digest(_cookie(scope, TOKEN).encode(), self._site.token.encode()):
            return None
        return PlainTextResponse("Open the address that `concord serve` printed: it holds the token.", 403)

    async def _form(self, scope: Scope, receive: Receive) -> Response | None:
        """Read a form within size limits, after its beginning has shown a valid CSRF token."""
        headers = Headers(scope=scope)
        if _is_cross_site(headers):
            return PlainTextResponse("Another site may not change anything here.", 403)
        try:
            body_reader = _Body(headers, receive)
            async with asyncio.timeout(SECONDS):
                match = _PROOF.search(await body_reader.read(BEGINNING), 0, BEGINNING)
            token = headers.get("x-csrf", "").encode() or (match[1] if match else b"")
            if not hmac.compare_digest(token, scope["state"]["csrf"].encode()):
                return PlainTextResponse("This page is out of date. Go back, reload it, and send the form again.", 403)
            body = await body_reader.read_all()
            form = await Request(scope, _replayed(body)).form(max_files=1, max_fields=FIELDS, max_part_size=LARGEST)
        except TimeoutError:
            return PlainTextResponse("The form did not arrive in time.", 408)
        except _TooLarge:
            return PlainTextResponse(f"At most {LARGEST // 2**20} MB can be sent.", 413)
        except (MultiPartException, HTTPException, ValueError):
            return PlainTextResponse("The request is not a valid form.", 400)
        scope["state"]["form"] = form
        return None


def proof(secret: bytes, session: str) -> str:
    """The CSRF token of a session, which shows that a form comes from a page of this server."""
    return hmac.new(secret, session.encode(), hashlib.sha256).hexdigest()


class _TooLarge(Exception):
    pass


class _Body:
    """The body of a request; an incomplete body is an error."""

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
        """At least `enough` bytes, or the whole body."""
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
            raise ValueError("the body is shorter than its Content-Length")
        return bytes(body)


def _replayed(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


@dataclass(slots=True)
class _Exchange:
    """A request and its response: the cookie to set, the start time, and whether the response has begun."""

    cookie: str
    started: float = field(default_factory=time.perf_counter)
    answered: bool = False


def _with_headers(send: Send, exchange: _Exchange) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            exchange.answered = True
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
            headers["Server-Timing"] = f"app;dur={1000 * (time.perf_counter() - exchange.started):.1f}"
            if exchange.cookie and headers.get("content-type", "").startswith("text/html"):
                headers.append("Set-Cookie", exchange.cookie)
        await send(message)

    return dressed


def _is_cross_site(headers: Headers) -> bool:
    """Whether the browser says that a page of another site sent this."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


def _host(header: str) -> str:
    """The host without its port: `localhost` of `localhost:8000`, `::1` of `[::1]:8000`; empty if malformed."""
    match = _HOST.fullmatch(header)
    return (match[1] or match[2]).lower() if match else ""


def _is_embedded(headers: Headers) -> bool:
    """Whether the browser says that a page of another site embeds this, rather than links to it."""
    if headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none"):
        return False
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest", "document") != "document"


def _cookie_name(scope: Scope, name: str) -> str:
    """The name of a cookie with the port, because browsers share cookies among all ports of a machine."""
    return f"{name}-{(scope.get('server') or ('', 0))[1]}"


def _cookie(scope: Scope, name: str) -> str:
    return cookie_parser(Headers(scope=scope).get("cookie", "")).get(_cookie_name(scope, name), "")
