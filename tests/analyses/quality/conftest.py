"""A workspace by hand: what each system's translation was, and which relations held."""

from __future__ import annotations

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.relations._protocol import load_relation
from concord.store import Workspace


def case(words, output, suspicion, granularity=None, target="es"):
    source, there = Text(words, "en"), Text(output, target)
    factors = {"granularity": granularity} if granularity else {}
    return Case(source, source, there, there, (there, there), suspicion, 0.4, factors=factors)


@pytest.fixture
def filled(tmp_path):
    """Add a run to the workspace: `rows` are (position, cases or an error), once for each repetition; gives its path.

    Segments are taken from `corpus`: text, domain and reference.
    """
    path = tmp_path / "concord.sqlite"

    def add(system, relation, rows, corpus, *, target="es", name="c#1", given="", finished=True, **settings):
        facts = {"signature": "s", "relation": relation, "settings": settings, "system": system}
        facts |= {"source": "en", "target": target, "corpus": name, "seed": 1, "given": given}
        facts["facts"] = load_relation(relation).facts(settings)
        outcomes, seen = [], {}
        for position, found in rows:
            text, domain, reference = corpus[position]
            segment = Segment(f"s{position}", Text(text, "en"), position, domain, reference)
            repetition = seen[position] = seen.get(position, -1) + 1
            what = {"error": found} if isinstance(found, str) else {"cases": list(found)}
            outcomes.append(Outcome(segment, repetition, **what))
        with Workspace(path) as store:
            run = store.begin(facts)
            store.add(run, outcomes)
            if finished:
                store.finish(run)
        return path

    return add


CORPUS = [
    ("one dog", "news", "un perro"),
    ("two cats", "news", "dos gatos"),
    ("three birds", "law", "tres aves"),
    ("four fish", "law", "cuatro peces"),
]
OUTPUTS = {
    "good": ["un perro", "dos gatos", "tres aves", "cuatro peces"],
    "fair": ["un perro", "dos gatos", "tres pájaros", "pez"],
    "poor": ["un gato", "gato", "aves", "pez"],
}
HELD = {
    "good": ["swp", "swp", "swp", "sw"],
    "fair": ["swp", "sw", "s", "w"],
    "poor": ["s", "", "w", ""],
}
PARTS = {"s": "sentence", "p": "phrase", "w": "word"}


@pytest.fixture
def three(filled):
    """Three systems with mgmt on four sentences of two domains; suspicion is 1 where a relation does not hold."""
    for system, outputs in OUTPUTS.items():
        rows = [
            (
                position,
                [
                    case(CORPUS[position][0], output, float(letter not in HELD[system][position]), part)
                    for letter, part in PARTS.items()
                ],
            )
            for position, output in enumerate(outputs)
        ]
        path = filled(system, "mgmt", rows, CORPUS)
    return path


@pytest.fixture(name="case")
def case_fixture():
    return case


@pytest.fixture
def corpus():
    return CORPUS
