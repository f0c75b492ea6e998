"""Regular expressions, their languages as automata, and the similarity of two (SemMT-R, SemMT-D, SemMT-H).

from concord.relations.semmt.automata import read, language, similarity

similarity("( [ <CAP> ] ) { 3 , }", "( [ <CAP> ] ) { , 3 }")   # Similarities(r=…, d=…, h=…, equal=False)
language(read(". * dog . *")).accepts("hotdogs")               # True
"""

from concord.relations.semmt.automata.languages import equal, language
from concord.relations.semmt.automata.limits import TooComplex, Unreadable
from concord.relations.semmt.automata.parser import read
from concord.relations.semmt.automata.similarities import Measure, Similarities, similarity

__all__ = ["Measure", "Similarities", "TooComplex", "Unreadable", "equal", "language", "read", "similarity"]
