"""Runs by hand: what each sentence came to, as a word of letters."""

from __future__ import annotations

import pytest

from concord.model import Case, Outcome, Segment, Text
from concord.store import Workspace

ERRORS = {"e": "no answer", "c": "not judged: the answer to “x” is not sane (copy). The answer is a copy of the text."}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.sqlite"


@pytest.fixture
def run(path):
    """`run("x.e-")` makes a run: x flagged, . not, e an error, - no case; a word for each repetition.

    Of c the answer is a copy, so that the case is not judged.

    `answers` has, by position, another answer than the usual one. Of parts, each sentence is a dictionary.
    """

    def made(*repetitions, system="mt", relation="rtt", finished=True, answers=None, texts=None, **facts):
        settings = facts.pop("settings", {"threshold": 0.5})
        version, corpus, seed = facts.pop("version", "1"), facts.pop("corpus", "c#1"), facts.pop("seed", 1)
        told = "|".join(f"{name}:{value}" for name, value in settings.items())
        signature = f"{relation}|{told}|en-es|mt:{system}@{version}|corpus:{corpus}|seed:{seed}|v:0.1.0"
        usual = {"signature": signature, "relation": relation, "settings": settings, "system": system}
        usual |= {"source": "en", "target": "es", "corpus": corpus, "seed": seed}
        with Workspace(path) as store:
            record = store.begin(usual | facts)
            for repetition, word in enumerate(repetitions):
                for position, verdict in enumerate(word):
                    text = (texts or {}).get(position, f"sentence {position}")
                    parts = verdict if isinstance(verdict, dict) else {"": verdict}
                    answer = (answers or {}).get(position, f"frase {position}")
                    cases = [case(text, answer, each, part) for part, each in parts.items() if each in "x."]
                    segment = Segment(f"s{position}", Text(text, "en"), position)
                    error = ERRORS.get(verdict) if isinstance(verdict, str) else None
                    store.add(record, [Outcome(segment, repetition, cases, error)])
            if finished:
                store.finish(record)
            return record.id

    return made


def case(text, answer, verdict, part=""):
    source, output, back = Text(text, "en"), Text(answer, "es"), Text(f"{text} back", "en")
    factors = {"granularity": part} if part else {}
    # Later sentences are worse, so that an order can be told.
    suspicion = (0.8 if verdict == "x" else 0.1) + len(text) / 1000
    return Case(source, output, output, back, (source, back), suspicion, 0.5, factors=factors)
