"""How fast SemMT is: sentences to expressions, their similarities, and the counts of a corpus.

    python -m bench SemMT
    python -m bench.semmt FOLDER

The first measures requests for lines that are made up here, and needs no data. The second takes the sentences and
expressions of FOLDER/semmt/nl_regex_train.tsv and the development pairs of FOLDER/semmt/labelled_google_en_zh_dev.csv.
`reproduce/semmt_ours.py` prints the speed on those pairs beside what they come to.
"""

from __future__ import annotations

import csv
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from concord.corpus import demo
from concord.model import Text
from concord.relations.semmt import compare
from concord.relations.semmt.automata import TooComplex, language, similarity
from concord.relations.semmt.automata import read as parsed
from concord.relations.semmt.claims import claim_pair, claims_anything, claims_of
from concord.relations.semmt.logic import prevalence

HEADS = ("lines", "strings", "show me lines", "rows", "all lines")
VERBS = ("with", "containing", "that start with", "ending with", "not containing", "having words that start with")
THINGS = (
    "a capital letter",
    "the string <M0>",
    "vowels",
    "a number or a letter",
    "a lower-case letter",
    'the word "dog"',
    "either a digit or the string <M1>",
    "2 words or more",
)
ENDS = (
    "",
    " , 3 or more times",
    " before the string <M1>",
    " and not a digit",
    " at least once",
    " or the string <M2>",
    " no more than 4 times",
    " and ending with a vowel",
)
BACK = (
    ("capital", "uppercase"),
    ("3 or more", "at least 3"),
    ("before", "in front of"),
    ("a number", "numbers"),
    ("no more than", "less than"),
    ("not containing", "without"),
    ("either ", ""),
    ("at least once", "once"),
)
REQUESTS, SEED = 500, 20211
Row = tuple[str, str, str]
Pair = tuple[str, str]


def rows() -> list[Row]:
    """What, measured, aim."""
    requests = _requests()
    texts = [segment.text.words for segment in demo()]
    pairs = [(request, _returned(request)) for request in requests]
    read = [_read(requests, "made-up requests for lines"), _read(texts, "ordinary sentences")]
    return [*read, _compared(pairs, "made-up pairs"), _judged(), _counted()]


def rows_of(folder: Path) -> list[Row]:
    """The same of published requests and of the development pairs."""
    lines = (folder / "semmt" / "nl_regex_train.tsv").read_text("utf-8").splitlines()[1:]
    requests, _, regexes = zip(*(line.partition("\t") for line in lines), strict=True)
    with (folder / "semmt" / "labelled_google_en_zh_dev.csv").open(encoding="utf-8", newline="") as file:
        pairs = [(row["Source_Sentence"], row["Translated_Sentence"]) for row in csv.DictReader(file)]
    return [_read(requests, "published requests"), _compared(pairs, "development pairs"), _slowest(set(regexes))]


def _requests() -> list[str]:
    """Different requests, drawn once and for all: speed on a few patterns alone would be that of the caches."""
    draw = random.Random(SEED).choice
    found: dict[str, None] = {}
    while len(found) < REQUESTS:
        found[f"{draw(HEADS)} {draw(VERBS)} {draw(THINGS)}{draw(ENDS)}"] = None
    return list(found)


def _returned(request: str) -> str:
    """What might come back from a round trip; some of it means something else."""
    for said, other in BACK:
        request = request.replace(said, other)
    return request


def _timed(work: Callable[[Any], object], things: Iterable[Any]) -> list[float]:
    taken = []
    for thing in things:
        start = time.process_time()
        work(thing)
        taken.append(time.process_time() - start)
    return taken


def _read(sentences: Sequence[str], what: str) -> Row:
    claims_of(sentences[0])
    rate = len(sentences) / sum(_timed(claims_of, sentences))
    return f"{len(sentences):,} {what} to expressions", f"{rate:,.0f} sentences/s", "aim ≥ 1,000"


def _compared(sentences: Sequence[Pair], what: str) -> Row:
    read = [claim_pair(*each, plural="strict") for each in sentences]
    taken = _timed(lambda pair: similarity(pair.left.regex, pair.right.regex), read)
    rate, slowest = len(taken) / sum(taken), max(taken) * 1000
    measured = f"{rate:,.0f} pairs/s, the slowest {slowest:.0f} ms"
    return f"{len(taken):,} {what}, expressions to r, d and h", measured, "aim ≥ 1,000"


def _slowest(regexes: set[str]) -> Row:
    """From an expression to its minimal automaton."""
    refused = 0

    def build(regex: str) -> None:
        nonlocal refused
        try:
            language(parsed(regex))
        except TooComplex:
            refused += 1

    taken = _timed(build, regexes)
    measured = f"the slowest {max(taken) * 1000:.0f} ms, {refused} too complex"
    return f"{len(taken):,} published expressions to automata", measured, "aim ≤ 50 ms"


def _judged() -> Row:
    every = [segment.text for segment in demo()]
    texts = [text for text in every if claims_anything(text.words, lang=text.lang)]
    backs = [Text(text.words.replace(" not ", " ").replace("three", "two"), text.lang) for text in texts]
    start = time.process_time()
    for text, back in zip(texts, backs, strict=True):
        compare(text, back, back, back)
    rate = len(texts) / (time.process_time() - start)
    return f"{len(texts)} ordinary round trips, judged with baselines", f"{rate:,.0f} cases/s", "–"


def _counted() -> Row:
    texts = [segment.text.words for segment in demo()] * 50
    start = time.process_time()
    prevalence(texts)
    rate = len(texts) / (time.process_time() - start)
    return f"prevalence, {len(texts):,} sentences", f"{rate:,.0f} sentences/s", "aim ≥ 20,000"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for row in rows_of(Path(sys.argv[1])):
        print("| " + " | ".join(row) + " |")
