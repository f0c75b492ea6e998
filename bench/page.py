"""How long a page or `show` waits for a workspace of a million cases: every question asked, and making the index."""

from __future__ import annotations

import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from concord import api
from concord.api import Filter
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.store import RunRecord, Workspace
from concord.store.index.location import index_path
from concord.store.index.pages import Cursor
from concord.store.label_rows import outputs_of
from concord.web.app import create
from concord.web.settings import Site

CASES = 1_000_000
LABELS = 2_000
FEW = 1_000
SECOND = 1.0
"""Seconds that a command may take, its start included."""
SHOWN = [
    ["show"], ["show", "--json"], ["show", "--errors"], ["show", "--by", "problem"], ["show", "--by", "case"],
    ["show", "--text", "river"],
]  # fmt: skip
AIM = 100
"""Milliseconds of a question, so that a whole page takes at most 200."""
DOMAINS = ("news", "law", "medicine", "talks", "subtitles", "software", "patents", "chat")
RUNS = [
    (relation, system, target, share, several)
    for target in ("es", "de")
    for system in ("apertium", "huggingface:opus")
    for relation, share, several in (("rtt", 1, 1), ("pivot", 2, 3), ("sit", 3, 5), ("patinv", 4, 8), ("rti", 10, 4))
]
"""Relation, system, target, how large the run is beside the others, and how many cases its sentences have."""
WORD = "river"

URLS = [
    "/",
    "/findings",
    "/findings?flagged=all",
    "/findings?flagged=all&relation=rti&system=apertium&to=de",
    "/findings?flagged=all&domain=law",
    f"/findings?flagged=all&text={WORD}",
    "/findings?flagged=all&least=0.2&most=0.3",
    "/findings?label=error",
    "/findings?flagged=all&label=none",
    "/findings?flagged=all&sort=position",
    "/findings?sort=newest+label",
    "/findings?by=case",
    "/findings?by=problem",
    "/label",
    "/evaluate",
    "/compare",
    "/compare/systems",
    "/run",
    "/try",
    "/export",
]
"""Addresses of the pages that answer these questions, to be timed through the server."""


class Words:
    """Sentences as they come: few words are frequent and most are rare."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz"
        made = ["".join(self._rng.choices(letters, k=self._rng.randrange(2, 11))) for _ in range(30_000)]
        self._words = ["the", "there", "then", "they", *made[:400], WORD, *made[400:]]
        self._weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(self._words))))
        self.sentences = [self.sentence() for _ in range(40_000)]

    def sentence(self) -> str:
        words = self._rng.choices(self._words, cum_weights=self._weights, k=self._rng.randrange(8, 24))
        return " ".join(words).capitalize() + "."

    def any(self) -> str:
        return self._rng.choice(self.sentences)


def make(path: Path, cases: int = CASES, labels: int = LABELS) -> None:
    """A workspace of so many cases."""
    words, rng = Words(1), random.Random(2)
    unit = sum(share for *_, share, _ in RUNS)
    with Workspace(path) as store:
        for relation, system, target, share, several in RUNS:
            run = store.begin(
                {
                    "signature": f"{relation}|en-{target}|mt:{system}|corpus:bench#1|seed:1",
                    "relation": relation,
                    "settings": {"threshold": 0.5},
                    "system": system,
                    "source": "en",
                    "target": target,
                    "corpus": f"bench#{relation}",
                    "seed": 1,
                }
            )
            _fill(store, run, max(1, cases * share // unit // several), several, (words, rng))
            store.finish(run)
        _label(store, labels, rng)
    for file in path.parent.glob(f"{index_path(path).name}*"):
        file.unlink()  # how long it takes to make is measured


def _fill(store: Workspace, run: RunRecord, sentences: int, several: int, chance: tuple[Words, random.Random]) -> None:
    batch = []
    for position in range(sentences):
        batch.append(_outcome(run, position, several, *chance))
        if len(batch) == 2_000:
            store.add(run, batch)
            batch = []
    store.add(run, batch)


def _outcome(run: RunRecord, position: int, several: int, words: Words, rng: random.Random) -> Outcome:
    source, made = Text(f"{words.any()} {position}", "en"), Text(words.any(), run.target)
    cases = []
    for _ in range(several):
        other, answer = Text(words.any(), "en"), Text(words.any(), run.target)
        suspicion = round(rng.betavariate(1.2, 4), 4)
        cases.append(Case(source, other, made, answer, (made, answer), suspicion, 0.5, scores={"chrf": suspicion}))
    return Outcome(Segment(f"s{position}", source, position, DOMAINS[position % len(DOMAINS)]), cases=cases)


def _label(store: Workspace, count: int, rng: random.Random) -> None:
    """Labels of the worst cases of each run, and half as many of any others; some by two people."""
    each = max(1, count // len(RUNS))
    made = []
    for run in store.runs():
        for row in api.worst(store.path, [run.id], each):
            verdict = rng.choice(["error", "error", "correct", "bad test"])
            outputs = outputs_of(row) if rng.random() < 0.9 else "{}"
            made.append(Label(row["case"], rng.choice(["ada", "bob"]), verdict, outputs))
    Labels(store).save(made)


def questions(path: Path) -> dict[str, Callable[[], Any]]:
    """Every question that pages ask, by its name."""
    with Workspace(path, create=False) as store:
        large = max(store.runs(), key=lambda run: run.relation == "rti")
        deep = str(Cursor("rank", False, False, store.tally(large.id)["cases"] * 0.9, 0, 0))
    (worst,) = api.worst(path, [large.id], 1)
    filters = {
        "findings": Filter(),
        "findings, all cases": Filter(flagged=None),
        "findings of one run": Filter(runs=(large.id,)),
        "findings of a relation, a system and a direction": Filter(
            relations=("sit",), systems=("apertium",), sources=("en",), targets=("de",)
        ),
        "findings of a domain": Filter(domains=("law",), flagged=None),
        "findings with a suspicion": Filter(least=0.2, most=0.3, flagged=None),
        "findings with a word": Filter(text=WORD, flagged=None),
        "findings with a frequent word begun": Filter(text="the", flagged=None),
        "findings with two words": Filter(text=f"there {WORD}", flagged=None),
        "findings with an error": Filter(label="error"),
        "findings without a label": Filter(label="none", flagged=None),
        "findings with stale labels": Filter(label="stale", flagged=None),
        "findings by position": Filter(sort="position", flagged=None),
        "findings by suspicion": Filter(sort="suspicion", flagged=None),
        "findings, newest label first": Filter(sort="newest label", flagged=None),
        "findings, last first": Filter(reverse=True, flagged=None),
        "findings, every filter": Filter(
            domains=("law",), text=WORD, least=0.1, label="none", relations=("rti",), flagged=None
        ),
    }
    found: dict[str, Callable[[], Any]] = {
        name: (lambda wanted=wanted: api.cases(path, wanted)) for name, wanted in filters.items()
    }
    every = Filter(flagged=None)
    return found | {
        "findings, far down": lambda: api.cases(path, every, after=deep),
        "findings": lambda: api.findings(path),
        "findings of a word": lambda: api.findings(path, Filter(text=WORD)),
        "problems": lambda: api.problems(path),
        "finding": lambda: api.case(path, worst["case"]),
        "facets": lambda: api.facets(path),
        "facets, all cases with a word": lambda: api.facets(path, Filter(text=WORD, flagged=None)),
        "overview": lambda: api.overview(path),
        "counts": lambda: api.counts(path),
    }


def timed(question: Callable[[], Any], times: int) -> Iterator[float]:
    for _ in range(times):
        start = time.process_time()
        question()
        yield 1000 * (time.process_time() - start)


def rows(cases: int = CASES, times: int = 7) -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.sqlite"
        make(path, cases)
        few = Path(folder) / "few.sqlite"
        make(few, FEW, labels=20)
        return [*indexed(path, cases), *asked(path, times), *served(path, times), *shown(path, few)]


def indexed(path: Path, cases: int) -> Iterator[tuple[str, str, str]]:
    start = time.process_time()
    api.update_index(path)
    seconds = time.process_time() - start
    sizes = [each.stat().st_size / 1e6 for each in (index_path(path), path)]
    yield f"indexing {cases:,} cases", f"{seconds:.0f} s of processor time", f"{1e6 * seconds / cases:.0f} µs a case"
    yield "size of the index", f"{sizes[0]:.0f} MB", f"workspace: {sizes[1]:.0f} MB"


def asked(path: Path, times: int) -> Iterator[tuple[str, str, str]]:
    for name, question in questions(path).items():
        took = list(timed(question, times))
        yield name, f"{statistics.median(took):.0f} ms, at most {max(took):.0f}", f"≤ {AIM} ms"


def served(path: Path, times: int) -> Iterator[tuple[str, str, str]]:
    """Whole pages, with what the client of the measurement takes itself."""
    client = TestClient(create(Site(path)), base_url="http://127.0.0.1")
    (worst,) = api.worst(path, ["last"], 1)
    for url in [*URLS, f"/case/{worst['case']}"]:
        assert client.get(url).status_code == 200, url
        took = list(timed(lambda url=url: client.get(url), times))
        yield f"page {url[:60]}", f"{statistics.median(took):.0f} ms, at most {max(took):.0f}", f"≤ {2 * AIM} ms"


def shown(path: Path, few: Path, times: int = 5) -> Iterator[tuple[str, str, str]]:
    """The command `show` as a process, its start included, beside the same on a workspace of few cases."""
    for words in SHOWN:
        many, little = (_commanded([*words, "-w", str(each)], times) for each in (path, few))
        spent = f"{many[0]:.2f} s, {many[1]:.2f} s of processor time"
        against = f"≤ {SECOND:g} s; {FEW:,} cases: {little[0]:.2f} s, ratio {many[0] / little[0]:.2f}"
        yield f"concord {' '.join(words)}", spent, against


def _commanded(words: list[str], times: int) -> tuple[float, float]:
    """The median time of day and of the processor that a command takes, once the index is up to date."""
    took = []
    for _ in range(times + 1):
        start, before = time.monotonic(), os.times()
        subprocess.run([sys.executable, "-m", "concord.cli", *words], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        spent = sum(getattr(after, each) - getattr(before, each) for each in ("children_user", "children_system"))
        took.append((time.monotonic() - start, spent))
    clock, processor = zip(*took[1:], strict=True)
    return statistics.median(clock), statistics.median(processor)


if __name__ == "__main__":
    for row in rows():
        print("| " + " | ".join(row) + " |")
