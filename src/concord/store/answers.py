"""The cache of translations that were paid for, and how many characters each account was sent in each month.

The key of an answer is a hash of all that it depends on: system, version, direction and text.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from concord.errors import UserError
from concord.model import Noted
from concord.signature import digest
from concord.store.costs import Spent, spend
from concord.store.damage import Shape, loads, printable, sound
from concord.store.file import DatabaseFile

_NOTE = Shape(system=str, source=str, target=str, text=str, answer=str, note=str)
_NOTE_KEYS = ("system", "source_lang", "target_lang", "text", "answer")


class Answers(DatabaseFile):
    """The cached translations of a workspace."""

    def recall(self, system: str, version: str, direction: tuple[str, str], texts: Sequence[str]) -> list[str | None]:
        """The cached answer to each text; None if there is none or it is damaged, so that the text is sent again."""
        find = "SELECT answer FROM translations WHERE key = ?"
        rows = [self.first(find, (_key(system, version, direction, text),)) for text in texts]
        return [row[0] if row and isinstance(row[0], str) else None for row in rows]

    def remember(
        self,
        system: str,
        version: str,
        direction: tuple[str, str],
        texts: Sequence[str],
        answers: Sequence[str],
        *,
        spent: Spent | None = None,
    ) -> None:
        """Store answers and, in the same transaction, what the run has spent."""
        created = self.clock()
        rows = [
            (
                _key(system, version, direction, text),
                digest(*direction, text),
                system,
                version,
                *direction,
                text,
                answer,
                json.dumps(answer.note, ensure_ascii=False) if isinstance(answer, Noted) else None,
                created,
            )
            for text, answer in zip(texts, answers, strict=True)
        ]
        with self.writing() as db:
            db.executemany("INSERT OR REPLACE INTO translations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            spend(db, spent)

    def notes(self, system: str | None = None) -> Iterator[dict[str, Any]]:
        """The translations that carry a note, such as an injected fault."""
        query = "SELECT system, source, target, text, answer, note FROM translations WHERE note IS NOT NULL"
        rows = self.many(query + (" AND system = ?" if system else ""), (system,) if system else ())
        return sound(rows, _NOTE, _note, lambda row: f"the remark on a translation by {printable(row[0])}")

    def epoch(self, system: str, *, renew: bool = False) -> int:
        """The generation of the cached answers in use; `renew` begins another, for which every text is sent again."""
        if renew:
            with self.writing() as db:
                db.execute(
                    "INSERT INTO epochs VALUES (?, 1) ON CONFLICT (system) DO UPDATE SET epoch = epoch + 1", (system,)
                )
        row = self.first("SELECT epoch FROM epochs WHERE system = ?", (system,))
        return _count(row, f"the age of the answers of {system}", "--fresh has all of them asked for again")

    def spent_this_month(self, account: str) -> int:
        """How many characters a provider was sent since the calendar month (UTC) began, under any options."""
        row = self.first("SELECT characters FROM months WHERE account = ? AND month = ?", (account, self.clock()[:7]))
        return _count(row, f"the number of characters that {account} was sent", "Choose another --workspace")

    def note_sent(self, account: str, characters: int) -> None:
        """Add to the characters that a provider is sent this month, before they are sent; a negative number refunds."""
        with self.writing() as db:
            db.execute(
                "INSERT INTO months VALUES (?, ?, ?)"
                " ON CONFLICT (account, month) DO UPDATE SET characters = max(0, characters + excluded.characters)",
                (account, self.clock()[:7], characters),
            )


def _note(*row: str) -> dict[str, Any]:
    return dict(zip(_NOTE_KEYS, row, strict=False)) | loads(row[5], dict, "note")


def _count(row: Sequence[Any] | None, name: str, cure: str) -> int:
    if row is not None and type(row[0]) is not int:
        raise UserError(f"{name} is damaged: it is '{printable(row[0])}'. {cure}")
    return row[0] if row else 0


def _key(system: str, version: str, direction: tuple[str, str], text: str) -> bytes:
    return digest(system, version, *direction, text)
