"""Untranslated: no word stays in the script of the source (a check of ours, no paper).

Suspicion counts the words of a translation that the system left as they were. Languages with the same script, in which
names and cognates are spelt alike, cannot be tested in this way.
"""

from __future__ import annotations

from typing import Annotated

from concord.errors import UserError
from concord.language.codes import scripts_of
from concord.language.untranslated_words import left_over
from concord.model import Case, Plan, Text, Traits, Translate
from concord.options import Within
from concord.relations._plans import one_way
from concord.relations._spans import places

TRAITS = Traits(reads=("source", "source_output"))
Limit = Annotated[float, Within(0), "Largest number of words that is not flagged."]


async def check(x: Text, translate: Translate, *, to: str, threshold: Limit = 0) -> list[Case]:
    output = await translate(x, to)
    return [compare(x, x, output, output, threshold=threshold)]


def plan(source: str, *, to: str) -> Plan:
    if set(scripts_of(source)) & set(scripts_of(to)):
        raise UserError(f"untranslated: '{source}' and '{to}' share a script. Choose a language of another script")
    return one_way(source, to)


def compare(
    source: Text, follow_up: Text, source_output: Text, follow_up_output: Text, *, threshold: Limit = 0
) -> Case:
    """Judge one translation, that of the source; the follow-up is not looked at."""
    words = left_over(source, source_output)
    spans = [[word.start, word.end] for word in words]
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source, source_output),
        suspicion=len(words),
        threshold=threshold,
        factors={"finding": "untranslated"},
        evidence={
            "untranslated": [word.words for word in words],
            "marked": {"source_output": spans},
            "places": places("source_output", spans, "untranslated"),
        },
    )
