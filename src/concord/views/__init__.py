"""Rendering for people: terminal output, HTML pages, tables and charts."""

from concord.language.codes import direction
from concord.language.invisible import visible

__all__ = ["direction", "visible"]
