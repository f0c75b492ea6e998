"""A text file that the user names, such as a list of terms: read whole, bounded, and again when it was written anew."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from concord.errors import UserError


class UserFile(NamedTuple):
    """A file as it is now, so that what is remembered by it is forgotten when the file changes."""

    what: str
    path: str
    written: int
    size: int

    def lines(self, largest: int, cure: str) -> list[str]:
        """Its lines; `cure` is said of a file of more than `largest` bytes."""
        try:
            # The size of a device or a pipe is told as nothing, so that what is read is bounded too.
            with Path(self.path).open("rb") as file:
                held = file.read(largest + 1)
            if max(self.size, len(held)) > largest:
                raise UserError(f"{self.path} is larger than {largest // 1_000_000} MB; {cure}")
            return held.decode("utf-8-sig").splitlines()
        except OSError as error:
            raise UserError(f"the {self.what} {self.path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise UserError(f"the {self.what} {self.path} is not UTF-8: {error.reason} at byte {error.start}") from None


def user_file(what: str, path: str, hint: str = "") -> UserFile:
    """The file at a path; where there is none, the error names `what` it should be, and the `hint` follows."""
    try:
        state = Path(path).stat()
    except OSError as error:
        raise UserError(f"the {what} {path} cannot be read: {error.strerror}{hint}") from None
    return UserFile(what, path, state.st_mtime_ns, state.st_size)
