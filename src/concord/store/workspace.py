"""Reading and writing the workspace file. One process writes runs at a time; anyone may read."""

from concord.store.answers import Answers
from concord.store.queries import RunQueries


class Workspace(Answers, RunQueries):
    """The store of a project: its translations, its runs and their rows. Use it as a context manager."""
