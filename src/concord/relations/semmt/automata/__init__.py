"""Automata: regular expressions, their languages, and how alike two of them are (SemMT-R, SemMT-D, SemMT-H).

from concord.relations.semmt.automata import read, language, similarity

similarity("( [ <CAP> ] ) { 3 , }", "( [ <CAP> ] ) { , 3 }")   # Similarities(r=…, d=…, h=…, equal=False)
language(read(". * dog . *")).accepts("hotdogs")               # True
language(read("[A-Z]{,3}")).counts(3)                          # [1, 26, 676, 17576]
"""

from __future__ import annotations

from concord.relations.semmt.automata.expression import Expression
from concord.relations.semmt.automata.languages import Language, equal, language
from concord.relations.semmt.automata.limits import TooComplex, Unreadable
from concord.relations.semmt.automata.parser import read
from concord.relations.semmt.automata.similarities import (
    Measure,
    Similarities,
    edit_similarity,
    language_similarity,
    similarity,
)

__all__ = [
    "Expression",
    "Language",
    "Measure",
    "Similarities",
    "TooComplex",
    "Unreadable",
    "edit_similarity",
    "equal",
    "language",
    "language_similarity",
    "read",
    "similarity",
]
