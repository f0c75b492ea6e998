"""The index of a workspace, by which findings are read: a file beside it that can be deleted at any time."""

from concord.store.index.location import Damaged
from concord.store.index.update import Index, with_index

__all__ = ["Damaged", "Index", "with_index"]
