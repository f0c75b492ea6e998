"""Literals: numbers, dates, placeholders, markup, addresses and fixed terms survive (a specification, no paper).

What users of translations expect before anything else: every number, date, time, unit, placeholder (`{name}`, `%s`,
`%(x)d`, `%{x}`, `%x%`, `${X}`, `$X`, `{{x}}`, `[[x]]`), tag, entity, URL and e-mail address of a text is in its
translation, and nothing of the kind is there that the text does not have. Notations may be those of the languages:
1,000 is 1.000 and 1 000, 3/4/2026 is 2026-04-03, 5 p.m. is 17:00, 12 may be "doce", км is km. `terms` is a file of
words that must not be translated, one a line. No parser is needed, and any two languages will do.

Suspicion is the number of literals that are surely missing, added or changed. Doubtful ones add 0.5 in all: those that
may be there in words that Concord does not know (a number up to 20 or a round one, the number 1, an ordinal, a
fraction), and changes that may be none (a lost % or currency, version 2.10 or 2.1). A number that keeps the separators
of the source is not changed. `threshold` 0.5 flags sure changes only, 0 doubtful ones too.
"""

from __future__ import annotations

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
TRAITS = Traits(reads=("source", "source_output"), answered=("literals",))
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
    """Judge one translation, that of the source; the follow-up is not looked at."""
    found = [*survival(source, source_output), *lost_terms(source, source_output, read_terms(terms))]
    sure = [each for each in found if each.sure]
    return Case(
        source=source,
        follow_up=follow_up,
        source_output=source_output,
        follow_up_output=follow_up_output,
        compared=(source, source_output),
        suspicion=len(sure) + (DOUBT if len(sure) < len(found) else 0),
        threshold=threshold,
        factors={"literals": " and ".join(sorted({_kind(each) for each in sure})) or "none"},
        evidence=_told(found) | {"marked": _marked(found), **_placed(found)},
    )


def _told(found: Sequence[LiteralChange]) -> dict[str, Any]:
    told: dict[str, Any] = {how: [str(each) for each in found if each.how == how and each.sure] for how in HOW}
    told["perhaps"] = [f"{each.how}: {each}" for each in found if not each.sure]
    return {name: each for name, each in told.items() if each}


def _marked(found: Sequence[LiteralChange]) -> dict[str, list[list[int]]]:
    ours = _apart([each.source for each in found if each.source])
    theirs = _apart([each.output for each in found if each.output])
    return {"source": ours, "follow_up": ours, "source_output": theirs, "follow_up_output": theirs}


def _placed(found: Sequence[LiteralChange]) -> dict[str, Any]:
    """Every literal with what became of it; the follow-up, which is not looked at, has none."""
    made = []
    for each in found:
        kind = each.how if each.sure else "perhaps"
        sides = {"source": each.source, "source_output": each.output}
        for role, literal in sides.items():
            made += places(role, [(literal.start, literal.end)], kind, f"{each.how}: {each}") if literal else []
    return {"places": made} if made else {}


def _apart(found: Sequence[Literal]) -> list[list[int]]:
    """The places, without those that lie within another, as an address within a tag does."""
    made: list[list[int]] = []
    for start, end in sorted((each.start, each.end) for each in found):
        if not made or start >= made[-1][1]:
            made.append([start, end])
    return made


def _kind(found: LiteralChange) -> str:
    side = found.source or found.output
    return side.kind if side else ""
