"""Start and stop the server of the workbench page."""

import contextlib
import errno
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from concord.api.workspace import check_workspace
from concord.errors import Interrupted, UserError
from concord.interruption import heard, terminated
from concord.web.app import create
from concord.web.connections import Connection
from concord.web.jobs import Jobs
from concord.web.settings import LOOPBACK, Site

PORT = 8765
FAREWELL = 2


def serve(
    workspace: Path,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    token: bool = False,
    name: str = "",
    systems: tuple[str, ...] = (),
    config: Path,
    new: bool = False,
    say: Callable[[str], None],
    browser: bool = False,
) -> None:
    """Serve the page of a workspace until Ctrl-C. `say` gets the address as soon as the server listens.

    `name` is the host name under which a proxy serves the page to others, who then need the token.
    """
    if not new and not workspace.exists():
        raise UserError(f"there is no workspace {workspace}. `concord run` makes one, and `serve --new` an empty one")
    check_workspace(workspace, create=new)
    near = host in LOOPBACK
    site = Site(
        workspace=workspace,
        hosts=LOOPBACK | {name.lower()} - {""} if near else frozenset(),
        token=secrets.token_urlsafe(24) if token or name or not near else "",
        systems=systems,
        config=config,
    )
    listening = _listen(host, port)
    address = _address(host, listening.getsockname()[1], site.token)
    app = create(site)
    settings = uvicorn.Config(
        app,
        http=Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=FAREWELL,
        lifespan="on",
    )
    server = _Server(settings, app.state.jobs)
    with heard(server.end):
        say(address)
        if browser and _has_screen():
            webbrowser.open(address)
        server.run(sockets=[listening])
    if terminated():
        raise Interrupted("the server has stopped")


class _Server(uvicorn.Server):
    """A server that handles no signals, and ends its open event streams when it stops."""

    def __init__(self, settings: uvicorn.Config, jobs: Jobs) -> None:
        super().__init__(settings)
        self._jobs = jobs

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def end(self) -> None:
        self._jobs.closing = self.should_exit = True


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket at the port or, if none is given and the default is taken, at any free port."""
    try:
        return _bound(host, PORT if port is None else port)
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return _bound(host, 0)
        reason = error.strerror or str(error)
        address = f"{host}:{PORT if port is None else port}"
        raise UserError(f"{address} cannot be listened at: {reason}. {_advice(error)}") from None


def _advice(error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
        return "Choose an address of this machine with --host: 127.0.0.1 for yourself, 0.0.0.0 for others too"
    return "Choose another with --port, or --port 0 for any"


def _bound(host: str, port: int) -> socket.socket:
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except BaseException:
        listener.close()
        raise
    return listener


def _address(host: str, port: int, token: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def _has_screen() -> bool:
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
