"""The workspace: one SQLite file with every run, case, label and paid-for translation."""

from concord.store.workspace import RunRecord, Spent, Workspace

__all__ = ["RunRecord", "Spent", "Workspace"]
