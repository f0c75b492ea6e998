"""Corpora that were uploaded on the page: files in a folder beside the workspace, so that a run can be resumed."""

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
    """The files of one folder by name. A name never leads out of the folder."""

    def __init__(self, workspace: str | Path) -> None:
        self.folder = Path(workspace).with_name(Path(workspace).name + "-corpora")

    def names(self) -> list[str]:
        if not self.folder.is_dir() or self.folder.is_symlink():  # it would lead elsewhere
            return []
        return sorted(path.name for path in self.folder.iterdir() if _is_corpus(path))

    def path(self, name: str) -> Path:
        if name not in self.names():
            raise UnknownName("corpus", name[:LONGEST_NAME], self.names())
        return self.folder / name

    def keep(self, name: str, data: bytes) -> str:
        """Store a file and return its name, which gets a number if another file has the name already."""
        plain = _plain(name)
        self._make_folder()
        if not data.strip():
            raise UserError("the corpus is empty. Give a sentence in each line")
        if len(self.names()) >= MOST:
            raise UserError(f"{self.folder} holds {MOST} files already; remove some")
        for number in range(1, MOST + 2):
            numbered = plain if number == 1 else f"-{number}.".join(plain.rsplit(".", 1))
            path = self.folder / numbered
            if not path.exists():
                with atomic_write(path) as part:
                    part.write_bytes(data)
                return numbered
            if path.is_file() and path.read_bytes() == data:
                return numbered
        raise UserError(f"there are too many corpora called '{plain}'; choose another name")

    def _make_folder(self) -> None:
        if self.folder.is_symlink():
            raise UserError(f"{self.folder} is a symbolic link. Remove it")
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{self.folder} cannot be made: {error.strerror}. Check that {self.folder.parent} can be written"
            ) from None

    def remove(self, name: str) -> None:
        """Delete a file. Runs on it stay, but cannot be resumed."""
        self.path(name).unlink()

    def requests(self) -> list[dict[str, Any]]:
        """The latest requests for runs, newest first."""
        if self.folder.is_symlink():
            return []
        try:
            requests = json.loads((self.folder / REQUESTS).read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return [request for request in requests if isinstance(request, dict)] if isinstance(requests, list) else []

    def remember(self, request: Mapping[str, Any]) -> None:
        """Store a request for a run: repeated, it resumes the run where it stopped."""
        requests = [request, *(earlier for earlier in self.requests() if earlier != request)]
        self._make_folder()
        with atomic_write(self.folder / REQUESTS) as part:
            part.write_text(json.dumps(requests[:LATEST], ensure_ascii=False), "utf-8")


def _is_corpus(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and not path.name.startswith(".")


def _plain(name: str) -> str:
    """A file name without folders, blanks and leading dots; one without an extension gets `.txt`.

    >>> _plain("../../etc/pass wd"), _plain("Böll.tsv"), _plain("")
    ('pass-wd.txt', 'Böll.tsv', 'sentences.txt')
    """
    last = re.split(r"[/\\]", name)[-1]
    fit = _UNFIT.sub("-", last).lstrip(".-") or "sentences"
    stem, dot, ending = fit.rpartition(".")
    return f"{stem[: LONGEST_NAME - 10]}.{ending[:9]}" if dot and stem else f"{fit[: LONGEST_NAME - 10]}.txt"
