"""Literals: numbers, dates, placeholders, markup, addresses and fixed terms survive (a specification, no paper).

Users of translations expect above all that a translation has every number, date, time, unit, placeholder (`{name}`,
`%s`, `%(x)d`, `%{x}`, `%x%`, `${X}`, `$X`, `{{x}}`, `[[x]]`), tag, entity, URL and e-mail address of its text, and no
others. Notations may be those of the languages: 1,000 is 1.000 and 1 000, 3/4/2026 is 2026-04-03, 5 p.m. is 17:00, 12
may be "doce", км is km. `terms` is a file of words that must not be translated, one a line. No parser is needed, and
any two languages will do.

Suspicion counts the literals that are missing, added or changed, from 0 up. Doubtful changes add half a point in all:
literals that may be there in words that Concord does not know (a number up to 20 or a round one, the number 1, an
ordinal, a fraction), and literals that may have changed (a lost % or currency, 2.10 and 2.1 of a version). A number
that keeps the separators of its source counts as unchanged. `threshold` 0.5 flags sure changes, 0 doubtful ones too.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from concord.language.literals.find import Literal
from concord.language.literals.match import LiteralChange, survival
from concord.language.literals.terms import lost_terms, read_terms
from concord.model import Case, Plan, Text, Traits, Translate
from concord.options import Within
from concord.relations._plans import one_way
from concord.relations._spans import places

DOUBT = 0.5
HOW = ("missing", "added", "changed")
TRAITS = Traits(
    finds="numbers, dates, placeholders and tags that were lost or changed",
    reads=("source", "source_output"),
    answered=("literals",),
)
Limit = Annotated[float, Within(0), "Largest count of literals lost or added that is not flagged; 0 flags doubts too."]
Terms = Annotated[str, "File of words that must not be translated, one a line."]


async def check(x: Text, translate: Translate, *, to: str, threshold: Limit = DOUBT, terms: Terms = "") -> list[Case]:
    output = await translate(x, to)
    return [compare(x, x, output, output, threshold=threshold, terms=terms)]


def plan(source: str, *, to: str, terms: Terms) -> Plan:
    read_terms(terms)
    return one_way(source, to, files=[terms])


def compare(
    source: Text,
    follow_up: Text,
    source_output: Text,
    follow_up_output: Text,
    *,
    threshold: Limit = DOUBT,
    terms: Terms = "",
) -> Case:
    """Judge the translation of the source; the follow-up is ignored."""
    changes = [*survival(source, source_output), *lost_terms(source, source_output, read_terms(terms))]
    sure = [change for change in changes if change.sure]
    texts = source, follow_up, source_output, follow_up_output
    return Case(
        *texts,
        compared=(source, source_output),
        suspicion=len(sure) + (DOUBT if len(sure) < len(changes) else 0),
        threshold=threshold,
        factors={"literals": " and ".join(sorted({_kind(change) for change in sure})) or "none"},
        evidence=_listed(changes) | {"marked": _marked(changes), **_placed(changes)},
    )


def _listed(changes: Sequence[LiteralChange]) -> dict[str, Any]:
    """The changed literals as texts, by how they changed."""
    texts = {how: [str(change) for change in changes if change.how == how and change.sure] for how in HOW}
    texts["perhaps"] = [f"{change.how}: {change}" for change in changes if not change.sure]
    return {how: literals for how, literals in texts.items() if literals}


def _marked(changes: Sequence[LiteralChange]) -> dict[str, list[list[int]]]:
    source = _outermost_spans([change.source for change in changes if change.source])
    output = _outermost_spans([change.output for change in changes if change.output])
    return {"source": source, "follow_up": source, "source_output": output, "follow_up_output": output}


def _placed(changes: Sequence[LiteralChange]) -> dict[str, Any]:
    """The evidence `places` of every changed literal; the follow-up, which is ignored, has none."""
    spans = []
    for change in changes:
        kind = change.how if change.sure else "perhaps"
        for role, literal in (("source", change.source), ("source_output", change.output)):
            if literal:
                spans += places(role, [(literal.start, literal.end)], kind, f"{change.how}: {change}")
    return {"places": spans} if spans else {}


def _outermost_spans(literals: Sequence[Literal]) -> list[list[int]]:
    """The spans of literals, without those that lie within another, as an address within a tag does."""
    spans: list[list[int]] = []
    for start, end in sorted((literal.start, literal.end) for literal in literals):
        if not spans or start >= spans[-1][1]:
            spans.append([start, end])
    return spans


def _kind(change: LiteralChange) -> str:
    literal = change.source or change.output
    return literal.kind if literal else ""
