"""How fast words are aligned, and translations compared once they are."""

from __future__ import annotations

import random
import time

from concord.comparator import align, compare
from concord.language.align import fit
from concord.model import Text

WORDS = 5000
LENGTH = 20


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    return [*_aligned(), *_compared()]


def _aligned() -> list[tuple[str, str, str]]:
    taken = []
    for count in (1_000, 10_000):
        pairs = [(source.words.split(), target.words.split()) for source, target in _sentences(count)]
        start = time.perf_counter(), time.process_time()
        fit(pairs)
        taken.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    (_, few), (wall, many) = taken
    return [
        (f"alignment of 10,000 pairs of {LENGTH} words", f"{wall:.1f} s, {many:.1f} s of processor time", "aim ≤ 60 s"),
        ("the same, against a tenth of the pairs", f"{many / few:.1f} × the processor time", "aim ≤ 12"),
    ]


def _compared() -> list[tuple[str, str, str]]:
    pairs = _sentences(2_000)
    cases = [_case(pair, random.Random(number)) for number, pair in enumerate(pairs)]
    aligned = align([pair for one, two, out, out_two in cases for pair in ((one, out), (two, out_two))])
    start = time.process_time()
    for case in cases:
        compare(*case, aligned)
    rate = len(cases) / (time.process_time() - start)
    return [("comparison of 2,000 pairs with three words changed", f"{rate:,.0f} pairs/s per core", "aim ≥ 300")]


def _sentences(count: int) -> list[tuple[Text, Text]]:
    """Sentences of words as common as in a language, translated word by word with neighbours exchanged."""
    rng = random.Random(1)
    weights = [1 / (rank + 5) for rank in range(WORDS)]
    made = []
    for _ in range(count):
        words = rng.choices(range(WORDS), weights, k=LENGTH)
        turned = words[:]
        for at in range(0, LENGTH - 1, 3):
            turned[at], turned[at + 1] = turned[at + 1], turned[at]
        made.append((_text("a", words, "en"), _text("o", turned, "es")))
    return made


def _case(pair: tuple[Text, Text], rng: random.Random) -> tuple[Text, Text, Text, Text]:
    """The pair and a second one: a word is another in both texts, two more in the translation alone."""
    source, target = (text.words.split() for text in pair)
    at, new = rng.randrange(LENGTH), rng.randrange(WORDS)
    old = source[at][1:]
    source[at] = f"a{_letters(new)}"
    target = [f"o{_letters(new)}" if word[1:] == old else word for word in target]
    for place in rng.sample(range(LENGTH), 2):
        target[place] = f"o{_letters(rng.randrange(WORDS))}"
    return pair[0], Text(" ".join(source), "en"), pair[1], Text(" ".join(target), "es")


def _text(prefix: str, words: list[int], lang: str) -> Text:
    return Text(" ".join(prefix + _letters(word) for word in words), lang)


def _letters(number: int) -> str:
    return "".join("bcdfghjklm"[int(digit)] for digit in f"{number:04}")
