"""A system that says every word in its own way, and counts what it is sent; and a corpus for it."""

from __future__ import annotations

import pytest

from concord.model import Limits, System

TEXTS = [
    "The farmers sold 30 horses in Dublin.",
    "The teachers went to Berlin with 12 children.",
    "Three doctors arrived in Lisbon on Tuesday.",
    "The old captain bought 4 ships in Oslo.",
    "The nurses found 17 letters in Vienna.",
    "A famous painter lived in Madrid for 9 years.",
]


class Suffixes(System):
    """Every word with an ending; a text that has it loses it."""

    id = "suffixes"
    limits = Limits(texts=4, in_flight=1, per_month=100_000)

    def __init__(self):
        self.sent = []

    async def translate(self, texts, source, target):
        self.sent += [(text, source, target) for text in texts]
        return [self._one(text, target) for text in texts]

    def _one(self, text, target):
        words = text.removesuffix(".").split()
        if target == "en":
            return " ".join(word.removesuffix("ez") for word in words) + "."
        return " ".join(word if word.isdigit() else f"{word}ez" for word in words) + "."


@pytest.fixture
def suffixes():
    return Suffixes()


@pytest.fixture
def corpus(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text("\n".join(TEXTS))
    return file
