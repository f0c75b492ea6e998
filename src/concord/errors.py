"""The errors of Concord, by what is to be done about them.

ConcordError
├── UserError                 the user can cure it: printed without a traceback
│   ├── UnknownName           there is no plug-in or option of that name
│   ├── Missing               something optional is not installed; says what installs it
│   └── CorpusError           the input file cannot be read as it is
├── StoreError                the workspace cannot be read or written (full disk, damaged file)
├── Interrupted               Ctrl-C or SIGTERM: what was paid for is kept
├── NotJudged                 a text or an answer is too long to be compared: a row that says so
└── ServiceError              a translator (or another service) did not answer
    ├── Refused               this one text cannot be done: a row with an error
    ├── BadAnswer             wrong number of answers, malformed answer: the batch is halved
    ├── Unavailable           dropped connection, timeout, 5xx: waited out; halved if others get through
    │   └── Throttled         429 or 503 with a time to wait: retried more slowly
    └── RunEnding             going on is pointless: the run ends cleanly and can be continued
        ├── Unauthorised      the key is missing or wrong
        ├── Exhausted         the quota or the budget is used up
        └── Down              the service has stopped answering altogether
"""

from __future__ import annotations

import difflib
import errno
import os
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

WORKSPACE = "concord.sqlite"
"""The default workspace."""
CONFIGURATION = "concord.toml"
"""The default configuration file."""
NOT_JUDGED = "not judged: "
"""How the error of a row that is not judged begins."""
KEPT = "stopped; everything that was answered is kept. Run the same command again to continue"
"""The message of an interrupted run."""
LONGEST_NAME = 100
"""The most characters of a name that a message shows."""

MALFORMED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading damaged or malformed JSON or arrays may raise."""


class ConcordError(Exception):
    """The root of all errors that Concord raises on purpose."""


class UserError(ConcordError):
    """The user can cure it; the message says how."""


class UnknownName(UserError):
    """An unknown name; the message suggests the nearest known one."""

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        choices = sorted(choices)
        name = _shortened(name)
        near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        super().__init__(f"there is no {kind} '{name}'.{hint} Known: {', '.join(choices) or 'none'}")

    def __reduce__(self) -> tuple[type[UserError], tuple[str]]:
        return UserError, (str(self),)


class Missing(UserError):
    """Something optional is not installed."""

    def __init__(self, name: str, install: str) -> None:
        super().__init__(f"{name} is not installed. To install it: {install}")
        self.name = name
        self.install = install

    def __reduce__(self) -> tuple[type[Missing], tuple[str, str]]:
        return Missing, (self.name, self.install)


def apt_install(*packages: str) -> str:
    """The command that installs Debian packages for this user."""
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {' '.join(packages)}"


def pip_install(extra: str) -> str:
    """The command that installs an extra of this package.

    >>> pip_install("parquet")
    "pip install 'concord-mt[parquet]'"
    """
    return f"pip install 'concord-mt[{extra}]'"


def command(words: str, workspace: object = WORKSPACE, program: str = "concord") -> str:
    """The command line to type, with the workspace where it is not the default.

    >>> command("show --errors", "my.sqlite")
    'concord show --errors -w my.sqlite'
    """
    return f"{program} {words}{workspace_option(workspace)}"


def workspace_option(workspace: object) -> str:
    return "" if str(workspace) == WORKSPACE else f" -w {shlex.quote(str(workspace))}"


class CorpusError(UserError):
    """The input cannot be read as it is; the message names file and line."""


class StoreError(ConcordError):
    """The workspace cannot be read or written."""


class Interrupted(ConcordError):
    """The user stopped the run; everything that was answered is kept."""


class NotJudged(ConcordError):
    """A text or an answer exceeds a bound, so that no relation has judged it."""

    def __str__(self) -> str:
        return f"{NOT_JUDGED}{super().__str__()}"


class Untested(ConcordError):
    """A relation finds nothing to test in a text, which says nothing about the system; the message says why."""


_UNUSABLE = {
    errno.ENAMETOOLONG,
    errno.ELOOP,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
}
_EXHAUSTED = {errno.EMFILE: ". Allow more, such as: ulimit -n 1024", errno.ENFILE: "", errno.EIO: "", errno.EDQUOT: ""}
_LOOP = "Symlink loop from "  # what pathlib says, until Python 3.13


def refusal(error: BaseException) -> ConcordError | None:
    """The one-line error for what the operating system refuses: an unusable name, or too many open files.

    None for other errors: they may be bugs of Concord, and are shown with their traceback.
    """
    if isinstance(error, RuntimeError) and str(error).startswith(_LOOP):
        error = OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(error).removeprefix(_LOOP).strip("'"))
    if isinstance(error, ValueError) and str(error) == "embedded null byte":
        return UserError("a file name with a null byte cannot be used")
    if not isinstance(error, OSError):
        return None
    reason = error.strerror or str(error)
    if error.errno in _UNUSABLE and error.filename is not None:
        return UserError(f"{_shortened(os.fsdecode(error.filename))} cannot be used: {reason}")
    if error.errno in _EXHAUSTED:
        return ConcordError(f"{reason}{_EXHAUSTED[error.errno]}")
    return None


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME // 2]}…{name[-LONGEST_NAME // 2 :]}"


class ServiceError(ConcordError):
    """A translator, or another slow service, did not answer."""


class Refused(ServiceError):
    """The service cannot do this text; asking again will not help."""


class BadAnswer(ServiceError):
    """The service answered, but not with one usable answer per text."""


class Unavailable(ServiceError):
    """The service did not answer this time; it may the next."""


class Throttled(Unavailable):
    """The service asks for patience, for `retry_after` seconds where it says so."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RunEnding(ServiceError):
    """Every further request would fail as well."""

    finished: Sequence[Any] = ()
    """The summaries of the runs that the same command had finished before."""


class Unauthorised(RunEnding):
    """The key is missing or wrong."""


class Exhausted(RunEnding):
    """The quota or the budget is used up."""


class Down(RunEnding):
    """The service has not answered many requests in a row."""
