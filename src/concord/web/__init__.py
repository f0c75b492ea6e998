"""The workbench page: a small server over a workspace, for one person's machine."""
