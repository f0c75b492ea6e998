"""Quantifiers and logic in ordinary sentences: find them, abstract a sentence to an expression, compare two, count.

>>> abstraction = abstract("At least three banks have offered to pay.")
>>> abstraction.sentence, abstraction.regex
('At least three X.', 'X{3,}')

This reader of ordinary English is frozen: the phrases and small words of `english.json`, and the rules over them in
`numbers`, `number_context`, `quantities`, `quantifier_spans`, `bounds`, `items`, `negation_scope` and `formula_parser`.
Each added phrase makes one more sentence readable and may cause others to be misread, and the list would never be
complete. A new phrase or rule comes only with a measured gain on a corpus that it was not made from: run
`python reproduce/semmt_ours.py FOLDER`, on labelled round trips, before and after, and put both areas under the curve
with their intervals in the commit. Without a gain in the area of d or h the change is not made. Mistakes in reading
sentences that are covered already may be corrected; the same command must show that nothing is lost.
"""

from concord.relations.semmt.logic.abstraction import Abstraction, abstract
from concord.relations.semmt.logic.alignment import align
from concord.relations.semmt.logic.prevalence import Prevalence, prevalence
from concord.relations.semmt.logic.quantifier_spans import Finding, find

__all__ = [
    "Abstraction",
    "Finding",
    "Prevalence",
    "abstract",
    "align",
    "find",
    "prevalence",
]
