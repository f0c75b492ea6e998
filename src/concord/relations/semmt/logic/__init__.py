"""Quantifiers and logic in ordinary sentences: find them, abstract a sentence to an expression, compare two, count.

>>> made = abstract("At least three banks have offered to pay.")
>>> made.sentence, made.regex
('At least three X.', 'X{3,}')
"""

from __future__ import annotations

from concord.relations.semmt.logic.abstraction import Abstraction, abstract
from concord.relations.semmt.logic.alignment import AlignedExpressions, align
from concord.relations.semmt.logic.prevalence import Prevalence, prevalence
from concord.relations.semmt.logic.quantifier_spans import Finding, Findings, find

__all__ = [
    "Abstraction",
    "AlignedExpressions",
    "Finding",
    "Findings",
    "Prevalence",
    "abstract",
    "align",
    "find",
    "prevalence",
]
