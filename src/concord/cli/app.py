"""The program itself: how every error ends in one line."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import Annotated, NoReturn, cast

import typer

from concord import __version__, interruption
from concord.cli.exit_codes import FAILED, INTERRUPTED, OK, USAGE
from concord.cli.options import option
from concord.cli.output import print_json, say
from concord.errors import ConcordError, Interrupted, UserError, refusal

app = typer.Typer(
    help="Test any machine-translation system without reference translations.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# What typer raises for a wrong option or argument; it has no public name for the whole kind.
WrongUsage = cast(type[typer.BadParameter], typer.BadParameter.__bases__[0])


def main() -> None:
    """Run the command line; every expected error is one line on stderr and an exit code."""
    _replace_closed_streams()
    code = OK
    try:
        try:
            code = app(standalone_mode=False) or OK
            if code == INTERRUPTED:  # what typer makes of a KeyboardInterrupt, some versions of it
                raise KeyboardInterrupt
        except SystemExit as end:
            if not _reader_has_gone(end):
                raise
        sys.stdout.flush()
    except WrongUsage as error:
        if error.message.startswith("Usage:"):  # without arguments: the help
            error.show()
            _end(error.exit_code)
        _fail(f"error: {_usage(error)}", error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _fail(f"{_cause()}stopped at once", interruption.code())
    except Interrupted as error:
        _fail(f"{_cause()}{error}. Run the same command again to continue", interruption.code())
    except ConcordError as error:
        words = ". ".join([str(error), *getattr(error, "__notes__", ())])
        _fail(f"error: {words}", USAGE if isinstance(error, UserError) else FAILED)
    except (OSError, RuntimeError, ValueError) as error:
        if refused := refusal(error):
            _fail(f"error: {refused}", USAGE if isinstance(refused, UserError) else FAILED)
        if not isinstance(error, OSError) or error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        # A reader that has gone (`concord show | head`) is nothing wrong, and changes no verdict; a full disk is.
        if error.errno == errno.ENOSPC:
            say("error: standard output cannot be written: no space left")
            code = FAILED
    _end(code)


def _replace_closed_streams() -> None:
    """Python has None for a stream that is closed when a program starts (`concord runs >&-`)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _usage(error: typer.BadParameter) -> str:
    """What is wrong with an option or argument, the value that was given, and where to read on."""
    message = error.format_message().rstrip(".")
    # A value of a wrong type or out of its range; only the error of the library that checked it has the value.
    values = [str(detail["input"]) for detail in getattr(error.__cause__, "errors", list)()]
    where = f" See: {error.ctx.command_path} -h" if error.ctx else ""
    message += "".join(f", not {value!r}" for value in values)
    return f"{message[:1].lower()}{message[1:]}{'' if message.endswith('?') else '.'}{where}"


def _cause() -> str:
    return "SIGTERM: " if interruption.terminated() else ""


@contextlib.contextmanager
def ending(code: int) -> Iterator[None]:
    """Print what belongs to a verdict: the command ends with its code, even if nobody reads to the end."""
    try:
        yield
    except (BrokenPipeError, SystemExit) as error:
        if not _reader_has_gone(error):
            raise
    raise typer.Exit(code)


def _reader_has_gone(error: BaseException) -> bool:
    # Tables turn a reader that has gone into a failure of the command.
    return isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError)


def _fail(words: str, code: int) -> NoReturn:
    """End with a line for people and, where JSON was asked for, an object for programs."""
    with contextlib.suppress(OSError):  # who has stopped reading is still told by the code
        say(words)
    if "--json" in sys.argv:
        with contextlib.suppress(OSError):  # where output cannot be written, the line for people must do
            print_json({"error": words.removeprefix("error: ")})
    _end(code)


def _end(code: int) -> NoReturn:
    """Exit with this code, whatever becomes of output that is still to be written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Python would try once more, and end with a code of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, option("--version", help="Print the version and exit.")] = False) -> None:
    if show:
        print(f"concord {__version__}")
        raise typer.Exit
