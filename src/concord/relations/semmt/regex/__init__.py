"""Sentences that describe lines of text, read as regular expressions."""

from concord.relations.semmt.regex.parser import Reading, read

__all__ = ["Reading", "read"]
