"""The schema of the index file. It is never migrated: a file with another schema is rebuilt."""

from pathlib import Path
from zlib import crc32

REVISION = 4
"""To be raised when the same rows are to give another index."""
OURS = 0x434E4349  # "CNCI": in the header of every index

TABLES = Path(__file__).with_name("schema.sql").read_text("utf-8")


def version_for(workspace: Path) -> int:
    """The version number in the header of the index of this very file.

    It depends on the workspace's inode, which nobody knows who sends a workspace with its index: such an index is
    rebuilt, and so is one that was copied or belongs to another workspace. So an index needs no checks of its content
    beyond checksums.
    """
    # The line feed stood before the tables when they were in this file: an index from then is still good.
    return crc32(f"{REVISION} \n{TABLES} {workspace.stat().st_ino}".encode()) & 0x7FFFFFFF
