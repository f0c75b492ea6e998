"""Text files that a user names, such as a list of terms: limited in size, and read again when they change."""

from pathlib import Path
from typing import NamedTuple

from concord.errors import UserError


class UserFile(NamedTuple):
    """A file with its time and size, so that it serves as a cache key that changes with the file."""

    kind: str
    path: str
    written: int
    size: int

    def lines(self, largest: int, cure: str) -> list[str]:
        """Its lines; a file of more than `largest` bytes is an error, which ends with the `cure`."""
        try:
            # The size of a device or a pipe is reported as 0, so the read is limited too.
            with Path(self.path).open("rb") as file:
                content = file.read(largest + 1)
            if max(self.size, len(content)) > largest:
                raise UserError(f"{self.path} is larger than {largest // 1_000_000} MB; {cure}")
            return content.decode("utf-8-sig").splitlines()
        except OSError as error:
            raise UserError(f"the {self.kind} {self.path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise UserError(f"the {self.kind} {self.path} is not UTF-8: {error.reason} at byte {error.start}") from None


def user_file(kind: str, path: str, hint: str = "") -> UserFile:
    """The file at a path; if there is none, the error names the `kind` of file and ends with the `hint`."""
    try:
        state = Path(path).stat()
    except OSError as error:
        raise UserError(f"the {kind} {path} cannot be read: {error.strerror}{hint}") from None
    return UserFile(kind, path, state.st_mtime_ns, state.st_size)
