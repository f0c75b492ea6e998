"""The workspace: one SQLite file with every run, case, label and paid-for translation."""

from concord.store.costs import Spent
from concord.store.records import RunRecord
from concord.store.workspace import Workspace

__all__ = ["RunRecord", "Spent", "Workspace"]
