"""The workbench page: a small local server for a workspace."""
