"""WordNet's database files, read into senses, synsets and fixed expressions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# The kinds of sense in sense keys; satellites of adjectives count as adjectives.
KINDS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
PERSONS = 18
# Hypernyms; for adjectives the head of the cluster, the attribute ("size") and the noun that they pertain to;
# for adverbs the adjective that they derive from.
PARENTS = {"n": ("@", "@i"), "v": ("@",), "a": ("&", "=", "\\"), "r": ("\\",)}

Lemma = tuple[str, str]
"""A word as it is spelt, and its part of speech: n, v, a or r."""


@dataclass(slots=True)
class Synset:
    """Words of one meaning; `parents` are one link up from it."""

    key: str
    topic: int
    words: list[str]
    parents: list[str] = field(default_factory=list)
    opposites: list[tuple[str, str, int]] = field(default_factory=list)
    usages: list[str] = field(default_factory=list)
    frames: int = 0


@dataclass(slots=True)
class WordNet:
    synsets: dict[str, Synset] = field(default_factory=dict)
    senses: dict[Lemma, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    exceptions: dict[Lemma, set[str]] = field(default_factory=lambda: defaultdict(set))


def read(folder: Path) -> WordNet:
    """All of WordNet that the lexicon draws on; senses come with the commonest first, each with its count."""
    made = WordNet()
    for pos, name in FILES.items():
        for line in _lines(folder / f"data.{name}"):
            synset = _synset(line, pos)
            made.synsets[synset.key] = synset
    counts = _counts(folder / "cntlist.rev")
    for pos, name in FILES.items():
        for line in _lines(folder / f"index.{name}"):
            for lemma, key, count in _index(line, pos, counts, made):
                made.senses[lemma].append((key, count))
        for line in _lines(folder / f"{name}.exc"):
            form, *lemmas = line.split()
            for lemma in lemmas:
                made.exceptions[lemma, pos].add(form)
    return made


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith(" "))


def _synset(line: str, pos: str) -> Synset:
    fields = line.split("|")[0].split()
    size = int(fields[3], 16)
    words = [word.split("(")[0] for word in fields[4 : 4 + 2 * size : 2]]
    made = Synset(pos + fields[0], int(fields[1]), words)
    at = 4 + 2 * size
    pointers = int(fields[at])
    for symbol, target, kind, ends in _fours(fields[at + 1 : at + 1 + 4 * pointers]):
        key = ("a" if kind == "s" else kind) + target
        if symbol in PARENTS[pos]:
            made.parents.append(key)
        elif symbol == ";u":
            made.usages.append(key)
        elif symbol == "!":
            made.opposites.append((words[int(ends[:2], 16) - 1], key, int(ends[2:], 16)))
    if pos == "v":
        rest = fields[at + 1 + 4 * pointers :]
        for _, frame, _ in zip(rest[1::3], rest[2::3], rest[3::3], strict=True):
            made.frames |= 1 << int(frame)
    return made


def _fours(fields: list[str]) -> Iterator[tuple[str, str, str, str]]:
    yield from zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=True)


def _counts(path: Path) -> dict[tuple[str, str, int], int]:
    made = {}
    for line in _lines(path):
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        made[word, KINDS[rest[0]], int(number)] = int(count)
    return made


def _index(
    line: str, pos: str, counts: dict[tuple[str, str, int], int], net: WordNet
) -> Iterator[tuple[Lemma, str, int]]:
    """The senses of a word, told apart by its spelling: `turkey` and `Turkey` are two."""
    fields = line.split()
    word, size = fields[0], int(fields[2])
    for number, offset in enumerate(fields[-size:], 1):
        key = pos + offset
        spelt = next((each for each in net.synsets[key].words if each.lower() == word), word)
        yield (spelt, pos), key, counts.get((word, pos, number), 0)
