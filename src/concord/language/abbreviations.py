"""Abbreviations of twelve languages, by whether a sentence can end with them.

After a title or "e.g." the sentence goes on; "etc." may end a sentence; "no." or "p." is an
abbreviation only before a number. Single letters with full stops ("U.S.", "т.е.") need no list.
"""

from functools import cache
from typing import NamedTuple

from concord.language import word_set, word_tables
from concord.language.codes import base


class Abbreviations(NamedTuple):
    """The abbreviations of a language, in lower case and without their last full stop."""

    leading: frozenset[str]
    closing: frozenset[str]
    numbering: frozenset[str]


@cache
def abbreviations(lang: str) -> Abbreviations:
    """The abbreviations of the language; none for a language without a list."""
    lists = word_tables(__file__).get(base(lang), {})
    return Abbreviations(*(word_set(lists.get(kind, "")) for kind in Abbreviations._fields))
