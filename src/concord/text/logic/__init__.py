"""Quantifiers and logic in ordinary sentences: find them, abstract a sentence to an expression, compare two, count.

>>> made = abstract("At least three banks have offered to pay.")
>>> made.sentence, made.regex
('At least three X.', 'X{3,}')
"""

from __future__ import annotations

from concord.text.logic.abstraction import Abstraction, abstract
from concord.text.logic.aligning import Aligned, align
from concord.text.logic.finding import Finding, Findings, find
from concord.text.logic.prevalence import Prevalence, prevalence

__all__ = ["Abstraction", "Aligned", "Finding", "Findings", "Prevalence", "abstract", "align", "find", "prevalence"]
