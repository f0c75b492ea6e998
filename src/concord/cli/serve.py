"""The command that opens the workbench page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from concord.cli.app import app
from concord.cli.options import CONFIGURATION, Config, WorkspaceFile, option
from concord.cli.output import WORKSPACE, say


@app.command()
def serve(
    place: Annotated[
        Path | None, typer.Argument(metavar="WORKSPACE", help="The same as --workspace, which may be left out.")
    ] = None,
    workspace: WorkspaceFile = WORKSPACE,
    host: Annotated[str, option(help="Where to listen. Elsewhere than on this machine, a token is asked for.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int | None, option(min=0, max=65535, help="The port; 0 takes any. [default: 8765, or any if that is taken]")
    ] = None,
    system: Annotated[
        list[str] | None,
        option(
            "--system", "-s", help="A system that may be run and tried on the page, besides those of the workspace."
        ),
    ] = None,
    config: Config = CONFIGURATION,
    token: Annotated[bool, option("--token", help="Ask for a token on this machine, too, if others work on it.")] = (
        False
    ),
    name: Annotated[
        str, option(metavar="HOST", help="The name under which a proxy shows it to others; a token is asked for.")
    ] = "",
    new: Annotated[bool, option("--new", help="Make the workspace if there is none.")] = False,
    browser: Annotated[bool, option(help="Open the page in a browser, where there is a screen.")] = True,
) -> None:
    """Open the workbench page: look at findings, label, evaluate, compare, run and try."""
    from concord.web.server import serve as served

    shown = place or workspace

    def tell(address: str) -> None:
        say(f"Concord shows {shown} at {address} until Ctrl-C.")

    served(
        shown,
        host=host,
        port=port,
        token=token,
        name=name,
        systems=tuple(system or ()),
        config=config,
        new=new,
        say=tell,
        browser=browser,
    )
