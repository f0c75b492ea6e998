"""The index: what is looked up of a workspace, in a file beside it that can be deleted at any time."""

from concord.store.index.file import Index, with_index
from concord.store.index.place import Damaged

__all__ = ["Damaged", "Index", "with_index"]
