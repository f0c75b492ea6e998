"""Corpora that were given to a page: kept in a folder beside the workspace, so that a run can be taken up again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from concord.atomic import atomic_write
from concord.errors import StoreError, UnknownName, UserError

LONGEST_NAME = 80
MOST = 1_000
REQUESTS = ".requests.json"
LATEST = 20
_UNFIT = re.compile(r"[^\w.-]+")


class Corpora:
    """The files of one folder, by their plain names: a name can lead nowhere else."""

    def __init__(self, workspace: str | Path) -> None:
        self.folder = Path(workspace).with_name(Path(workspace).name + "-corpora")

    def names(self) -> list[str]:
        if not self.folder.is_dir() or self.folder.is_symlink():  # it would lead elsewhere
            return []
        return sorted(each.name for each in self.folder.iterdir() if _is_corpus(each))

    def path(self, name: str) -> Path:
        if name not in self.names():
            raise UnknownName("corpus", name[:LONGEST_NAME], self.names())
        return self.folder / name

    def keep(self, name: str, data: bytes) -> str:
        """Keep a file; gives the name that it has here, which is another if that one is taken by something else."""
        plain = _plain(name)
        self._here()
        if not data.strip():
            raise UserError("the corpus is empty. Give a sentence in each line")
        if len(self.names()) >= MOST:
            raise UserError(f"{self.folder} holds {MOST} files already; remove some")
        for number in range(1, MOST + 2):
            named = plain if number == 1 else _numbered(plain, number)
            path = self.folder / named
            if not path.exists():
                with atomic_write(path) as part:
                    part.write_bytes(data)
                return named
            if path.is_file() and path.read_bytes() == data:
                return named
        raise UserError(f"there are too many corpora called '{plain}'; choose another name")

    def _here(self) -> None:
        if self.folder.is_symlink():
            raise UserError(f"{self.folder} leads elsewhere. Remove the link")
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{self.folder} cannot be made: {error.strerror}. Check that its place can be written"
            ) from None

    def remove(self, name: str) -> None:
        """Forget a file; a run that was made of it stays, but cannot go on."""
        self.path(name).unlink()

    def requests(self) -> list[dict[str, Any]]:
        """What was last asked for, the latest first."""
        if self.folder.is_symlink():
            return []
        try:
            found = json.loads((self.folder / REQUESTS).read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []

    def remember(self, asked: Mapping[str, Any]) -> None:
        """Keep what a run was asked for: asked again, it goes on where it was stopped."""
        known = [asked, *(request for request in self.requests() if request != asked)]
        self._here()
        with atomic_write(self.folder / REQUESTS) as part:
            part.write_text(json.dumps(known[:LATEST], ensure_ascii=False), "utf-8")


def _is_corpus(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and not path.name.startswith(".")


def _plain(name: str) -> str:
    """A name without folders, blanks and leading dots; one without an ending is taken for lines.

    >>> _plain("../../etc/pass wd"), _plain("Böll.tsv"), _plain("")
    ('pass-wd.txt', 'Böll.tsv', 'sentences.txt')
    """
    last = re.split(r"[/\\]", name)[-1]
    fit = _UNFIT.sub("-", last).lstrip(".-") or "sentences"
    stem, dot, ending = fit.rpartition(".")
    return f"{stem[: LONGEST_NAME - 10]}.{ending[:9]}" if dot and stem else f"{fit[: LONGEST_NAME - 10]}.txt"


def _numbered(name: str, number: int) -> str:
    stem, _, ending = name.rpartition(".")
    return f"{stem}-{number}.{ending}"
