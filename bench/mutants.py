"""How fast mutants are made: words of the kinds that TransRepair replaces, and every new sentence parsed to be sure."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Any

from concord.corpus import demo
from concord.engine.run import run
from concord.engine.services import Terms, service
from concord.language.english.lexicon import lexicon
from concord.language.mutants import Mutant, mutants
from concord.language.substitutes import GOOD
from concord.language.trees import Tree
from concord.model import Segment
from concord.plugins import entry
from concord.relations.transrepair import KINDS

MOST_WORDS = 5
AIM = "aim ≥ 200"


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    segments = list(demo())
    trees = dict(zip((each.id for each in segments), _trees(segments), strict=True))
    lexicon().forms("bridge", "NN")
    # Most words of a longer text have been met before, but none of the first one.
    return [
        _row("accepted mutants/s, one for each word", segments, trees, 1),
        _row("the same, words met before", segments, trees, 1),
        _row("five for each word, words met before", segments, trees, 5),
    ]


def _trees(segments: list[Segment]) -> list[Any]:
    return list(entry("parsers", "concord_en")().parse([each.text for each in segments]))


def _row(what: str, segments: list[Segment], trees: dict[str, Tree], count: int) -> tuple[str, str, str]:
    start = time.process_time()
    made = asyncio.run(_made(segments, trees, count))
    seconds = time.process_time() - start
    told = f"{len(made) / seconds:,.0f} a second of processor time"
    return f"{what}: {len(made):,} of {len(segments)} sentences", told, AIM


async def _made(segments: list[Segment], trees: dict[str, Tree], count: int) -> list[Mutant]:
    asked = service("substitutes", {"parse": "concord_en"}, Terms(source="en"))
    made: list[Mutant] = []

    async def check(segment: Segment, repetition: int) -> tuple[list[Any], None]:
        tree, rng = trees[segment.id], Random(repetition)
        made.extend(
            await mutants(tree, asked.verb, kinds=KINDS, most_words=MOST_WORDS, count=count, rng=rng, least=GOOD)
        )
        return [], None

    async for outcome in run(check, segments, [asked.batched]):
        if outcome.error:
            raise RuntimeError(outcome.error)
    await asked.close()
    return made
