"""A small world: English sentences of one pattern, with Spanish translations that are right word by word."""

from __future__ import annotations

import random

import pytest

from concord.comparator import align
from concord.model import Text

NOUNS = {
    "house": "casa", "dog": "perro", "tree": "árbol", "book": "libro", "river": "río", "friend": "amigo",
    "bank": "banco", "letter": "carta", "child": "niño", "garden": "jardín",
}  # fmt: skip
COLOURS = {"red": "rojo", "green": "verde", "white": "blanco", "black": "negro"}
VERBS = {"sees": "ve", "wants": "quiere", "sells": "vende", "finds": "encuentra"}
NUMBERS = ("2", "7", "15", "40")


def en(words):
    return Text(words, "en")


def es(words):
    return Text(words, "es")


def made(count, seed=1):
    rng = random.Random(seed)
    for _ in range(count):
        one, other = rng.sample(sorted(NOUNS), 2)
        verb, colour, number = rng.choice(sorted(VERBS)), rng.choice(sorted(COLOURS)), rng.choice(NUMBERS)
        no = rng.random() < 0.3
        source = f"the {one} {'never ' if no else ''}{verb} {number} {colour} {other}"
        target = f"el {NOUNS[one]} {'nunca ' if no else ''}{VERBS[verb]} {number} {NOUNS[other]} {COLOURS[colour]}"
        yield en(source), es(target)


@pytest.fixture(scope="session")
def world():
    return list(made(150))


@pytest.fixture(scope="session")
def aligned(world):
    return align(world)
