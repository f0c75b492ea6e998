"""A workspace with runs to repair, by a system that tells one sentence in another way than its mutants."""

from __future__ import annotations

import pytest

from concord.api import run
from concord.model import Noted, System

TEXTS = [
    "Two nurses were dismissed in Madrid.",
    "Three doctors arrived in Lisbon on Tuesday.",
    "The teachers went to Berlin with 12 children.",
    "Four soldiers waited in Vienna until Friday.",
    "The farmers sold 30 horses in Dublin.",
]


class Suffixes(System):
    """Every word with an ending; but the first text alone is told in another order, and one that the model doubts."""

    id = "suffixes"

    async def translate(self, texts, source, target):
        return [self._one(text) for text in texts]

    def _one(self, text):
        words = " ".join(f"{word}ez" for word in text.removesuffix(".").split())
        if text == TEXTS[0]:
            return Noted(f"Así que {words} ya no.", {"log_probability": -9.5})
        return Noted(f"{words}.", {"log_probability": -2.5})


class Silent(Suffixes):
    """The same without a word on how probable its answers are."""

    id = "silent"

    def _one(self, text):
        return str(super()._one(text))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repairs")
    (folder / "corpus.txt").write_text("\n".join(TEXTS))
    file = folder / "w.sqlite"
    # Five sentences teach little, so that even words from nowhere are not suspected by much.
    mutants = "transrepair,threshold=0.3"
    for system, relation in ((Suffixes(), f"{mutants},count=3"), (Silent(), mutants), (Suffixes(), "rtt")):
        run(folder / "corpus.txt", relations=[relation], systems=[system], to=["es"], workspace=file)
    return file
