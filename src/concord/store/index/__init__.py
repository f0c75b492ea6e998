"""The index of a workspace, by which findings are read: a file beside it that can be deleted at any time."""

from concord.store.index.index import Index, with_index
from concord.store.index.location import Damaged

__all__ = ["Damaged", "Index", "with_index"]
