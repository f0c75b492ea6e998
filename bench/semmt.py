"""How fast SemMT is: sentences to expressions, their similarities, and the counts of a corpus."""

from __future__ import annotations

import itertools
import time

from concord.automata import similarity
from concord.corpus import demo
from concord.model import Text
from concord.relations.semmt import compare
from concord.text.claims import both, one
from concord.text.logic import prevalence

VERBS = ("with", "containing", "starting with", "ending with", "not containing", "having words that start with")
THINGS = ("a capital letter", "the string <M0>", "vowels", "a number or a letter", "a lower-case letter")
ENDS = (
    "",
    " , 3 or more times",
    " before the string <M1>",
    " and not a digit",
    " at least once",
    " or the string <M2>",
)
BACK = (("capital", "uppercase"), ("3 or more", "at least 3"), ("before", "in front of"), ("a number", "numbers"))


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    return [*_read(), _compared(), *_judged(), _counted()]


def _requests() -> list[str]:
    return [f"lines {verb} {thing}{end}" for verb, thing, end in itertools.product(VERBS, THINGS, ENDS)]


def _returned(request: str) -> str:
    for said, other in BACK:
        request = request.replace(said, other)
    return request


def _read() -> list[tuple[str, str, str]]:
    requests, texts = _requests(), [segment.text.words for segment in demo()]
    one(requests[0])
    found = []
    for what, sentences in (("requests for lines", requests), ("ordinary sentences", texts)):
        start = time.process_time()
        for sentence in sentences:
            one(sentence)
        rate = len(sentences) / (time.process_time() - start)
        found.append((f"{len(sentences)} {what} to expressions", f"{rate:,.0f} sentences/s", "aim ≥ 1,000"))
    return found


def _compared() -> tuple[str, str, str]:
    requests = _requests()
    read = [both(request, _returned(request), plural="strict") for request in requests]
    pairs = [(each.left.regex, each.right.regex) for each in read]
    taken = []
    for pair in pairs:
        start = time.process_time()
        similarity(*pair)
        taken.append(time.process_time() - start)
    what = f"{len(pairs)} pairs of expressions to r, d and h"
    return (
        what,
        f"{len(pairs) / sum(taken):,.0f} pairs/s, the slowest {max(taken) * 1000:.0f} ms",
        "aim ≥ 1,000, ≤ 50 ms",
    )


def _judged() -> list[tuple[str, str, str]]:
    texts = [segment.text for segment in demo()]
    backs = [Text(text.words.replace(" not ", " ").replace("three", "two"), text.lang) for text in texts]
    start = time.process_time()
    for text, back in zip(texts, backs, strict=True):
        compare(text, back, back, back)
    rate = len(texts) / (time.process_time() - start)
    return [(f"{len(texts)} ordinary round trips, judged with baselines", f"{rate:,.0f} cases/s", "–")]


def _counted() -> tuple[str, str, str]:
    texts = [segment.text.words for segment in demo()] * 50
    start = time.process_time()
    prevalence(texts)
    rate = len(texts) / (time.process_time() - start)
    return f"prevalence, {len(texts):,} sentences", f"{rate:,.0f} sentences/s", "aim ≥ 20,000"
