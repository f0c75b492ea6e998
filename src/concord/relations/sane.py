"""Sane: an answer is a translation at all, before anybody asks whether it is a good one (a check of ours, no paper).

An answer fails if it is empty, broken in its encoding or by a program, no translation (an apology, the prompt, a fence
of Markdown), a copy of its text, wrapped in something, a loop, the same as the answers to other texts, in a wrong
language, or out of proportion in length.
It fails for one reason, the first of these, and its suspicion is 1. Cases of other relations that need a failing answer
are not judged, so that one error is counted once. Any two languages will do, and no parser is needed.

The usual length, wrappers and repeated answers are those of the first pass over the corpus, which the run records: a
verdict depends on its text, its answer and that record alone.
"""

from concord.language.sanity import Failure, Sanity, failure
from concord.model import Case, Text, Traits, Translate
from concord.relations._spans import places

LIMIT = 0.5
TRAITS = Traits(
    finds="answers that are no translation at all",
    reads=("source", "source_output"),
    answered=("failure",),
    thresholds=(),
)


async def check(x: Text, translate: Translate, sanity: Sanity, *, to: str) -> list[Case]:
    output = await translate(x, to)
    return [case(x, output, sanity(x, output))]


def compare(source: Text, follow_up: Text, source_output: Text, follow_up_output: Text) -> Case:
    """Judge the translation of the source by itself; the follow-up is ignored."""
    return case(source, source_output, failure(source, source_output))


def case(text: Text, output: Text, found: Failure | None, role: str = "source_output") -> Case:
    """The case of an answer that fails, or does not; `role` is that of the answer, whose words are marked."""
    judged = Case(text, text, output, output, compared=(text, output), threshold=LIMIT)
    judged.factors["failure"] = found.kind if found else "none"
    if found:
        judged.suspicion = 1.0
        judged.evidence = {"reason": found.reason, "marked": {role: found.spans}}
        judged.evidence["places"] = places(role, found.spans, found.kind)
    return judged
