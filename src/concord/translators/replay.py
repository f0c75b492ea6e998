"""Answers from an earlier workspace, so that a run can be repeated without its system.

`--system replay:OLD.sqlite`; where the workspace holds answers of several systems, `system` says whose
to give. Of several answers to one text the newest counts; a text that was never translated there is
refused. The file is only read.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from urllib.parse import quote

from concord.errors import Refused, Unavailable, UnknownName, UserError
from concord.model import Limits, Noted, System
from concord.signature import digest

SYSTEMS = "SELECT DISTINCT system FROM translations"
STATE = "SELECT count(*), max(created), max(rowid) FROM translations WHERE system = ?"
ANSWER = """
    SELECT answer, note FROM translations WHERE question = ? AND system = ? ORDER BY created DESC, rowid DESC LIMIT 1
"""


class Translator(System):
    """The translations of one system that a workspace holds."""

    limits = Limits(texts=500, characters=1_000_000, in_flight=1)
    deterministic = True

    def __init__(self, *, argument: str = "", system: str = "") -> None:
        if not os.path.isfile(argument):
            raise UserError(f"there is no workspace '{argument}'. Write it like --system replay:OLD.sqlite")
        self._path = argument
        try:
            with _reading(argument) as db:
                self._system = _choice(argument, system, [name for (name,) in db.execute(SYSTEMS)])
                state = db.execute(STATE, (self._system,)).fetchone()
                self._directions = frozenset(
                    db.execute("SELECT DISTINCT source, target FROM translations WHERE system = ?", (self._system,))
                )
        except sqlite3.Error as error:
            raise UserError(f"{argument} cannot be read as a Concord workspace: {error}") from None
        self._version = digest(*map(str, state), size=6).hex()
        self.id = f"replay:{argument},system={self._system}"

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | Refused]:
        # One connection a batch: it never leaves the thread that opened it, and there is nothing to close later.
        try:
            with _reading(self._path) as db:
                questions = [(digest(source, target, text), self._system) for text in texts]
                rows = [db.execute(ANSWER, question).fetchone() for question in questions]
        except sqlite3.Error as error:
            raise Unavailable(f"{self._path} could not be read: {error}") from None
        return [_answer(row) if row else self._refusal() for row in rows]

    def version(self, source: str, target: str) -> str:
        return self._version

    async def directions(self) -> Collection[tuple[str, str]]:
        return self._directions

    def _refusal(self) -> Refused:
        return Refused(f"{self._path} holds no translation of this text by {self._system}")


def _choice(path: str, wanted: str, stored: Sequence[str]) -> str:
    if wanted and wanted not in stored:
        raise UnknownName(f"system in {path}", wanted, stored)
    if not stored:
        raise UserError(f"{path} holds no translations to replay")
    if not wanted and len(stored) > 1:
        raise UserError(f"{path} holds several systems. Add ,system=NAME with one of: {', '.join(sorted(stored))}")
    return wanted or stored[0]


def _answer(row: tuple[str, str | None]) -> str:
    answer, note = row
    return Noted(answer, json.loads(note)) if note else answer


@contextmanager
def _reading(path: str) -> Iterator[sqlite3.Connection]:
    address = f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as db:
        try:
            db.execute(SYSTEMS + " LIMIT 1")
        except sqlite3.OperationalError:
            # In a folder that cannot be written SQLite has no place for the index of its log; a file
            # without a log needs none.
            if os.path.exists(path + "-wal"):
                raise
        else:
            yield db
            return
    with closing(sqlite3.connect(address + "&immutable=1", uri=True)) as db:
        yield db
