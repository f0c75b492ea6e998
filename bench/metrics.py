"""How fast the metrics are, each beside the obvious way to compute the same value, in one run."""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Callable
from fractions import Fraction

from nltk.translate.bleu_score import sentence_bleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from concord.metrics import bleu, chrf, cosine, levenshtein
from concord.model import Text

Metric = Callable[[Text, Text], float]
Pair = tuple[Text, Text]


def rows() -> list[tuple[str, str, str]]:
    """What, measured, compared with."""
    rng = random.Random(1)
    short, long = [_pair(rng, 22) for _ in range(2000)], [_pair(rng, 15_500)]
    return [
        _row("chrf", chrf.similarity, _sacrebleu(CHRF()), "sacreBLEU's sentence_score", short),
        _row("bleu", bleu.similarity, _sacrebleu(BLEU(effective_order=True)), "sacreBLEU's sentence_score", short),
        _row("bleu, variant paper", _paper, _nltk, "NLTK's sentence_bleu", short),
        _row("levenshtein", levenshtein.similarity, _table, "the textbook's table in Python", short[:150]),
        _row("cosine", cosine.similarity, _vectors, "one component per word", short),
        _row("chrf, 100 kB texts", chrf.similarity, _sacrebleu(CHRF()), "sacreBLEU's sentence_score", long),
    ]


def _row(what: str, ours: Metric, theirs: Metric, name: str, pairs: list[Pair]) -> tuple[str, str, str]:
    """Both sides take turns on small batches, so that a busy moment of the machine slows both."""
    ours(*pairs[0])
    mine = other = 0.0
    for start in range(0, len(pairs), 50):
        batch = pairs[start : start + 50]
        mine += _seconds(ours, batch)
        other += _seconds(theirs, batch)
    return what, f"{len(pairs) / mine:,.0f} pairs/s", f"{other / mine:.1f} × {name}"


def _seconds(metric: Metric, pairs: list[Pair]) -> float:
    start = time.perf_counter()
    for a, b in pairs:
        metric(a, b)
    return time.perf_counter() - start


def _pair(rng: random.Random, length: int) -> Pair:
    """A made-up sentence and the same with every fifth word or so replaced or dropped."""
    words = [_word(rng) for _ in range(length)]
    changed = [_word(rng) if rng.random() < 0.15 else word for word in words if rng.random() > 0.05]
    return Text(" ".join(words).capitalize() + ".", "en"), Text(" ".join(changed).capitalize() + ".", "en")


def _word(rng: random.Random) -> str:
    """Short words often, long ones seldom, a comma now and then."""
    syllables = min(5, int(rng.expovariate(0.6)) + 1)
    word = "".join(rng.choice("btdkglmnrsvw") + rng.choice("aeiou") for _ in range(syllables))
    return word + rng.choice(["", "n", "s", "t", "st"]) + ("," if rng.random() < 0.05 else "")


def _sacrebleu(metric: BLEU | CHRF) -> Metric:
    return lambda a, b: metric.sentence_score(b.words, [a.words]).score / 100


def _paper(a: Text, b: Text) -> float:
    return bleu.similarity(a, b, variant="paper")


def _nltk(a: Text, b: Text) -> float:
    value = sentence_bleu([a.words.split()], b.words.split(), smoothing_function=_one_more)
    return float(value)


def _one_more(precisions: list[Fraction], **_: object) -> list[Fraction]:
    return [Fraction(precision.numerator + 1, precision.denominator + 1) for precision in precisions]


def _table(a: Text, b: Text) -> float:
    above = list(range(len(b.words) + 1))
    for i, x in enumerate(a.words, 1):
        row = [i]
        for j, y in enumerate(b.words, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        above = row
    return 1 - above[-1] / max(len(a.words), len(b.words))


def _vectors(a: Text, b: Text) -> float:
    one, other = re.findall(r"\w+", a.words), re.findall(r"\w+", b.words)
    components = [(one.count(word), other.count(word)) for word in {*one, *other}]
    x, y = zip(*components, strict=True)
    return sum(i * j for i, j in components) / (math.hypot(*x) * math.hypot(*y))


if __name__ == "__main__":
    print("| what | measured | compared with |\n|---|---|---|")
    for row in rows():
        print("| " + " | ".join(row) + " |")
