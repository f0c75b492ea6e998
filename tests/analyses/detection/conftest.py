"""Runs by hand with a suspicion for each sentence, and what people say of them."""

from __future__ import annotations

import pytest

from concord import api
from concord.labels.labels import Label, Labels
from concord.model import Case, Outcome, Segment, Text
from concord.relations._protocol import load_relation
from concord.store import Workspace
from concord.store.label_rows import outputs_of


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


@pytest.fixture
def run(path):
    """`run([0.1, 0.9])` makes a run with a case of that suspicion for each sentence."""

    def made(
        suspicions, *, relation="rtt", settings=None, system="mt", threshold=0.5, texts=None, langs=("en", "en"), by=""
    ):
        facts = {
            "signature": f"{relation}|mt:{system}{by and f'|explain:{by}'}",
            "relation": relation,
            "system": system,
            "corpus": "c#1",
        }
        facts |= {"settings": settings or {"threshold": 0.5}, "source": "en", "target": "es", "seed": 1}
        facts["facts"] = load_relation(relation).facts(facts["settings"])
        with Workspace(path) as store:
            record = store.begin(facts)
            for at, suspicion in enumerate(suspicions):
                source, output = Text(f"sentence {at}", "en"), Text(f"frase {at}", "es")
                words = texts[at] if texts else (f"one two three {at}", f"one two three {at}")
                compared = tuple(Text(each, lang) for each, lang in zip(words, langs, strict=True))
                limit = threshold[at] if isinstance(threshold, list) else threshold
                case = Case(source, output, output, source, compared, suspicion, limit)
                store.add(record, [Outcome(Segment(f"s{at}", source, at), 0, [case])])
            store.finish(record)
        return record.id

    return made


@pytest.fixture
def label(path):
    """`label(1, {0: True})` says of the case of the first sentence of run 1 that it is a bug."""

    def said(run, bugs, annotator="ana"):
        with Workspace(path) as store:
            rows = {row["position"]: row for row in store.rows([run])}
            Labels(store).save(
                [
                    Label(rows[at]["case"], annotator, "error" if bug else "correct", outputs_of(rows[at]))
                    for at, bug in bugs.items()
                ]
            )

    return said


@pytest.fixture
def one(path):
    """`one()` is the only detector of the workspace."""

    def found():
        (only,) = api.detectors(path).detectors
        return only

    return found
