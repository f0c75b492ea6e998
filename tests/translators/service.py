"""A hosted service for tests: a real HTTP server on this machine that answers as a test tells it to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Answer = tuple[int, Mapping[str, str], bytes]


@dataclass(frozen=True)
class Request:
    """What arrived; the names of headers are in lower case."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True, strict_parsing=True))


def reply(content=None, status=200, **headers):
    """An answer: bytes and text as they are, anything else as JSON; retry_after="7" is the header retry-after."""
    body = content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else None
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps(content).encode() if body is None else body


class Service:
    """The server's address, what it was asked, and what it answers; the status 0 drops the connection."""

    reply = staticmethod(reply)

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Request] = []
        self.answer: Callable[[Request], Answer] = lambda _: reply({})
        self.wrong: list[Exception] = []

    def answers(self, content: Any = None, status: int = 200, **headers: str) -> None:
        """Give one answer to everything."""
        self.answer = lambda _: reply(content, status, **headers)

    def respond(self, request: Request) -> Answer:
        self.requests.append(request)
        try:
            return self.answer(request)
        except Exception as error:
            self.wrong.append(error)
            return reply("the test's own answer failed", 500)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: Service

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def _handle(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        status, given, content = self.server.service.respond(
            Request(self.command, parts.path, query, headers, body),
        )
        if status == 0:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **given}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _handle

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on standard error."""


@contextmanager
def serving():
    """A running service; what its answers got wrong (a failed assertion, say) is raised at the end."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.service = Service(f"http://127.0.0.1:{server.server_address[1]}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.service
        finally:
            server.shutdown()
            thread.join()
    if server.service.wrong:
        raise server.service.wrong[0]
