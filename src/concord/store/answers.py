"""Translations that were paid for: kept under what they depend on, and counted by account and month."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from concord.errors import UserError
from concord.model import Noted
from concord.signature import digest
from concord.store.costs import Spent, spend
from concord.store.damage import Shape, loads, shown, sound
from concord.store.file import DatabaseFile

_NOTE = Shape(system=str, source=str, target=str, text=str, answer=str, note=str)
_NOTED = ("system", "source_lang", "target_lang", "text", "answer")


class Answers(DatabaseFile):
    """The translations in a workspace."""

    def recall(self, system: str, version: str, direction: tuple[str, str], texts: Sequence[str]) -> list[str | None]:
        """The answers that are kept; one that is damaged is asked for again."""
        find = "SELECT answer FROM translations WHERE key = ?"
        rows = [self.one(find, (_key(system, version, direction, text),)) for text in texts]
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
        """Keep answers, and note in the same breath what the run has spent."""
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
        """Translations that carry a remark, such as an injected fault."""
        query = "SELECT system, source, target, text, answer, note FROM translations WHERE note IS NOT NULL"
        found = self.many(query + (" AND system = ?" if system else ""), (system,) if system else ())
        return sound(found, _NOTE, _noted, lambda row: f"the remark on a translation by {shown(row[0])}")

    def epoch(self, system: str, *, renew: bool = False) -> int:
        """The age of the answers in use; renewing it makes every text be asked again."""
        if renew:
            with self.writing() as db:
                db.execute(
                    "INSERT INTO epochs VALUES (?, 1) ON CONFLICT (system) DO UPDATE SET epoch = epoch + 1", (system,)
                )
        row = self.one("SELECT epoch FROM epochs WHERE system = ?", (system,))
        return _count(row, f"the age of the answers of {system}", "--fresh has all of them asked for again")

    def spent_this_month(self, account: str) -> int:
        """The characters that a provider was sent since the calendar month (UTC) began, under any options."""
        row = self.one("SELECT characters FROM months WHERE account = ? AND month = ?", (account, self.clock()[:7]))
        return _count(row, f"the number of characters that {account} was sent", "Choose another --workspace")

    def note_sent(self, account: str, characters: int) -> None:
        """Count what a provider is sent this month, before it is sent; less, if it was given back."""
        with self.writing() as db:
            db.execute(
                "INSERT INTO months VALUES (?, ?, ?)"
                " ON CONFLICT (account, month) DO UPDATE SET characters = max(0, characters + excluded.characters)",
                (account, self.clock()[:7], characters),
            )


def _noted(*row: str) -> dict[str, Any]:
    return dict(zip(_NOTED, row, strict=False)) | loads(row[5], dict, "note")


def _count(row: Sequence[Any] | None, name: str, cure: str) -> int:
    if row is not None and type(row[0]) is not int:
        raise UserError(f"{name} is damaged: it is '{shown(row[0])}'. {cure}")
    return row[0] if row else 0


def _key(system: str, version: str, direction: tuple[str, str], text: str) -> bytes:
    return digest(system, version, *direction, text)
