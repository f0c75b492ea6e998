"""The command `serve`, which opens the workbench page."""

from pathlib import Path
from typing import Annotated

import typer

from concord.cli.app import app
from concord.cli.options import CONFIGURATION, Config, WorkspaceFile, option
from concord.cli.output import WORKSPACE, say


@app.command()
def serve(
    path: Annotated[
        Path | None, typer.Argument(metavar="WORKSPACE", help="The workspace; short for --workspace.")
    ] = None,
    workspace: WorkspaceFile = WORKSPACE,
    host: Annotated[str, option(help="The address to listen on. One that other machines can reach needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int | None,
        option(min=0, max=65535, help="The port; 0 takes any free one. [default: 8765, or any if that is taken]"),
    ] = None,
    system: Annotated[
        list[str] | None,
        option(
            "--system",
            "-s",
            help="A system that may be run and tried on the page, besides those of the workspace; may be repeated.",
        ),
    ] = None,
    config: Config = CONFIGURATION,
    token: Annotated[
        bool, option("--token", help="Require a token on this machine too, if others have access to it.")
    ] = (False),
    name: Annotated[
        str, option(metavar="HOST", help="The host name under which a proxy serves the page; this needs a token.")
    ] = "",
    new: Annotated[bool, option("--new", help="Create the workspace if it does not exist.")] = False,
    browser: Annotated[bool, option(help="Open the page in a browser, if there is a display.")] = True,
) -> None:
    """Serve the workbench page: browse findings, label, evaluate, compare, run and try."""
    from concord.web.server import serve as served

    file = path or workspace

    def tell(address: str) -> None:
        say(f"Concord serves {file} at {address} until Ctrl-C.")

    served(
        file,
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
