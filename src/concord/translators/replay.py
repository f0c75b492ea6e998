"""Answers from an earlier workspace, so that a run can be repeated without its system.

`--system replay:OLD.sqlite`; where the workspace holds answers of several systems, `system` says whose
to give. Of several answers to one text the newest counts; a text that was never translated there is
refused. The file is only read.
"""

import json
import os
import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Annotated

from concord import plugins
from concord.database import open_database
from concord.errors import MALFORMED, Refused, Unavailable, UnknownName, UserError
from concord.model import Limits, Noted, System
from concord.signature import digest

SYSTEMS = "SELECT DISTINCT system FROM translations"
DIRECTIONS = "SELECT DISTINCT source, target FROM translations WHERE system = ?"
STATE = "SELECT count(*), max(created), max(rowid) FROM translations WHERE system = ?"
ANSWER = """
    SELECT answer, note FROM translations WHERE question = ? AND system = ? ORDER BY created DESC, rowid DESC LIMIT 1
"""


class Translator(System):
    """The translations of one system that a workspace holds."""

    limits = Limits(texts=500, characters=1_000_000, in_flight=1)
    deterministic = True

    def __init__(
        self,
        *,
        argument: Annotated[str, "The workspace whose answers are given."] = "",
        system: Annotated[str, "Whose answers to give, if the workspace has those of several systems."] = "",
    ) -> None:
        if not os.path.isfile(argument):
            raise UserError(f"there is no workspace '{argument}'. Write it like --system replay:OLD.sqlite")
        self._path = argument
        try:
            with _reading(argument) as db:
                names = [name for (name,) in db.execute(SYSTEMS) if isinstance(name, str)]
                self._system = _choice(argument, system, names)
                state = db.execute(STATE, (self._system,)).fetchone()
                directions = db.execute(DIRECTIONS, (self._system,)).fetchall()
        except (sqlite3.Error, MemoryError) as error:
            raise UserError(f"{argument} cannot be read as a Concord workspace: {error or 'out of memory'}") from None
        self._directions = frozenset(pair for pair in directions if all(isinstance(code, str) for code in pair))
        self._version = digest(*map(str, state), size=6).hex()
        self.id = f"replay:{argument},system={self._system}"
        self.dictionaries = _dictionaries(self._system)

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        # One connection a batch: it never leaves the thread that opened it, and there is nothing to close later.
        try:
            with _reading(self._path) as db:
                return [self._answer(db, (digest(source, target, text), self._system)) for text in texts]
        except (sqlite3.Error, MemoryError) as error:
            raise Unavailable(f"{self._path} could not be read: {error or 'out of memory'}") from None

    def _answer(self, db: sqlite3.Connection, question: tuple[bytes, str]) -> str | Refused:
        try:
            row = db.execute(ANSWER, question).fetchone()
            if row is None:
                return Refused(f"{self._path} holds no translation of this text by {self._system}")
            answer, note = row
            if isinstance(answer, str):
                return Noted(answer, dict(json.loads(note))) if note else answer
        except (sqlite3.DataError, *MALFORMED):
            pass
        return Refused(f"the translation of this text by {self._system} in {self._path} is damaged")

    def version(self, source: str, target: str) -> str:
        return self._version

    async def directions(self) -> Collection[tuple[str, str]]:
        return self._directions


def _dictionaries(system: str) -> str:
    """The `dictionaries` of the system that an id names, perhaps within others: `faulty:apertium,kind=any`."""
    for name in (os.path.basename(part) for part in re.split(r"[:=,#\s]", system)):
        if name in plugins.names("translators"):
            with suppress(UserError):  # one that cannot be used here any more is no reason not to replay
                if own := getattr(plugins.entry("translators", name), "dictionaries", ""):
                    return str(own)
    return ""


def _choice(path: str, name: str, stored: Sequence[str]) -> str:
    if name and name not in stored:
        raise UnknownName(f"system in {path}", name, stored)
    if not stored:
        raise UserError(f"{path} holds no translations to replay")
    if not name and len(stored) > 1:
        raise UserError(f"{path} holds several systems. Add ,system=NAME with one of: {', '.join(sorted(stored))}")
    return name or stored[0]


@contextmanager
def _reading(path: str) -> Iterator[sqlite3.Connection]:
    try:
        db = open_database(path, "?mode=ro")
    except sqlite3.OperationalError:
        # In a folder that cannot be written SQLite has no place for the index of its log; a file
        # without a log needs none.
        if os.path.exists(path + "-wal"):
            raise
        db = open_database(path, "?immutable=1")
    with closing(db):
        yield db
