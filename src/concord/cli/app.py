"""The typer application and its error handling: every expected error ends in one line."""

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

# The base class of what typer raises for a wrong option or argument; it has no public name.
WrongUsage = cast(type[typer.BadParameter], typer.BadParameter.__bases__[0])


def main() -> None:
    """Run the command line; every expected error is one line on stderr and an exit code."""
    _replace_closed_streams()
    code = OK
    try:
        try:
            if any(".py" in word for word in sys.argv[1:]):
                from concord.api.plugins import admit

                admit(*sys.argv[1:])
            code = app(standalone_mode=False) or OK
            if code == INTERRUPTED:  # some versions of typer turn a KeyboardInterrupt into this code
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
        _fail(f"{_cause()}{error}", interruption.code())
    except ConcordError as error:
        words = ". ".join([str(error), *getattr(error, "__notes__", ())])
        _fail(f"error: {words}", USAGE if isinstance(error, UserError) else FAILED)
    except (OSError, RuntimeError, ValueError) as error:
        if refused := refusal(error):
            _fail(f"error: {refused}", USAGE if isinstance(refused, UserError) else FAILED)
        if not isinstance(error, OSError) or error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        # A closed pipe (`concord show | head`) is no error and leaves the exit code as it is; a full disk is an error.
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
    """Print inside this context: the command ends with this code, even if the reader closes the pipe early."""
    try:
        yield
    except (BrokenPipeError, SystemExit) as error:
        if not _reader_has_gone(error):
            raise
    raise typer.Exit(code)


def _reader_has_gone(error: BaseException) -> bool:
    # The table printer turns a closed pipe into a SystemExit.
    return isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError)


def _fail(words: str, code: int) -> NoReturn:
    """Print the error as a line for people and, with --json, as an object for programs; then exit."""
    with contextlib.suppress(OSError):  # the exit code still tells a reader that has closed the pipe
        say(words)
    if "--json" in sys.argv:
        with contextlib.suppress(OSError):  # where stdout cannot be written, the line on stderr must do
            print_json({"error": words.removeprefix("error: ")})
    _end(code)


def _end(code: int) -> NoReturn:
    """Exit with this code, even if buffered output cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # Otherwise Python would flush again at exit, fail, and exit with a code of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, option("--version", help="Print the version and exit.")] = False) -> None:
    if show:
        print(f"concord {__version__}")
        raise typer.Exit
