"""How fast RTI is: its pairs from sentences, trees included, and the distance of pairs that are translated."""

from __future__ import annotations

import random
import time

from concord.corpus import demo
from concord.language.trees import Tree
from concord.language.word_match import counting
from concord.model import Text
from concord.plugins import entry
from concord.relations.rti import compare, construct

CHARACTERS = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动"


def rows() -> list[tuple[str, str, str]]:
    """What, measured, aim."""
    return [*_constructed(), *_detected()]


def _constructed() -> list[tuple[str, str, str]]:
    parser = entry("parsers", "concord_en")()
    texts = [segment.text for segment in demo()]
    parser.parse(texts[:1])
    rates = []
    for times in (1, 4):
        start = time.process_time()
        trees = parser.parse(texts * times)
        found = [
            construct(text, tree, random.Random(1))
            for text, tree in zip(texts * times, trees, strict=True)
            if isinstance(tree, Tree)
        ]
        rates.append(len(texts) * times / (time.process_time() - start))
    words = sum(len(text.words.split()) for text in texts) / len(texts)
    what = f"construction with parsing, {len(texts)} sentences of {words:.0f} words, {sum(map(len, found)) // 4} pairs"
    return [
        (what, f"{rates[0]:,.0f} sentences a second of processor time", "aim ≥ 100"),
        ("the same, four times as many sentences", f"{rates[1] / rates[0]:.2f} × the rate", "linear: 1"),
    ]


def _detected() -> list[tuple[str, str, str]]:
    rates = []
    for count in (20_000, 80_000):
        pairs = _translated(count)
        count_units = counting("exact", lambda text: ())
        start = time.process_time()
        for whole, part in pairs:
            compare(whole, part, whole, part, count=count_units)
        rates.append(len(pairs) / (time.process_time() - start))
    return [
        ("detection, 20,000 pairs in Chinese, each container in four", f"{rates[0]:,.0f} pairs/s", "aim ≥ 50,000"),
        ("the same, 80,000 pairs", f"{rates[1] / rates[0]:.2f} × the rate", "linear: 1"),
    ]


def _translated(count: int) -> list[tuple[Text, Text]]:
    """Sentences of 40 characters, each with four phrases of 8; every eighth phrase has two characters of its own."""
    rng = random.Random(1)
    pairs = []
    for number in range(count // 4):
        whole = "".join(rng.choices(CHARACTERS, k=40))
        for start in range(0, 32, 8):
            part = whole[start : start + 8] + ("亲切" if (number + start) % 8 == 0 else "")
            pairs.append((Text(whole, "zh"), Text(part, "zh")))
    return pairs
