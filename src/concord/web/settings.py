"""What a server is told when it starts, and what every page may ask of it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request

from concord.errors import CONFIGURATION

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


@dataclass(frozen=True, slots=True)
class Site:
    """One workspace behind one address.

    `hosts` are the names under which it may be asked, where they are known; a server that others can reach is asked
    under any name, and then by a `token` alone. `systems` may be run and tried besides those that the workspace has
    seen: a page must not be able to name a program to start.
    """

    workspace: Path
    hosts: frozenset[str] = LOOPBACK
    token: str = ""
    systems: tuple[str, ...] = ()
    config: Path = Path(CONFIGURATION)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site
