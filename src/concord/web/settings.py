"""The settings of a server, which every page can read."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request

from concord.errors import CONFIGURATION

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


@dataclass(frozen=True, slots=True)
class Site:
    """One workspace at one address.

    `hosts` are the accepted host names; it is empty for a server that other machines can reach, which accepts any name
    but requires the `token`. `systems` may be run and tried besides those of the workspace: a page must not be able to
    name a program to start.
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
