"""Automata: regular expressions, their languages, and how alike two of them are (SemMT-R, SemMT-D, SemMT-H).

from concord.automata import read, language, similarity

similarity("( [ <CAP> ] ) { 3 , }", "( [ <CAP> ] ) { , 3 }")   # Similarities(r=…, d=…, h=…, equal=False)
language(read(". * dog . *")).accepts("hotdogs")               # True
language(read("[A-Z]{,3}")).counts(3)                          # [1, 26, 676, 17576]
"""

from __future__ import annotations

from concord.automata.expression import Expression
from concord.automata.languages import Language, equal, language
from concord.automata.limits import TooComplex, Unreadable
from concord.automata.reading import read
from concord.automata.similarities import (
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
