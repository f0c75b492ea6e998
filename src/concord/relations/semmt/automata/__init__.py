"""Regular expressions, their languages as automata, and the similarity of two (SemMT-R, SemMT-D, SemMT-H).

from concord.relations.semmt.automata import read, language, similarity

similarity("( [ <CAP> ] ) { 3 , }", "( [ <CAP> ] ) { , 3 }")   # Similarities(r=…, d=…, h=…, equal=False)
language(read(". * dog . *")).accepts("hotdogs")               # True
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
