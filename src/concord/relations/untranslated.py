"""Untranslated: no word stays in the script of the source (a check of ours, no paper).

Suspicion counts the words of a translation that the system left as they were. Languages that share a script cannot be
tested so, since names and cognates are written alike in both. Addresses, tags and placeholders may stay.
"""

from typing import Annotated

from concord.errors import UserError
from concord.language.literals.find import literals
from concord.language.scripts import scripts_of
from concord.language.untranslated_words import left_over
from concord.model import Case, Plan, Text, Traits, Translate
from concord.options import Within
from concord.relations._plans import one_way
from concord.relations._spans import places

TRAITS = Traits(finds="words left in the script of the source", reads=("source", "source_output"))
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
    """Judge the translation of the source; the follow-up is ignored."""
    kept = [(literal.start, literal.end) for literal in literals(source_output)]
    words = [
        word
        for word in left_over(source, source_output)
        if not any(start <= word.start and word.end <= end for start, end in kept)
    ]
    spans = [[word.start, word.end] for word in words]
    texts = source, follow_up, source_output, follow_up_output
    return Case(
        *texts,
        compared=(source, source_output),
        suspicion=len(words),
        threshold=threshold,
        evidence={
            "untranslated": [word.words for word in words],
            "marked": {"source_output": spans},
            "places": places("source_output", spans, "untranslated"),
        },
    )
