"""The grammar of requests: every way to bracket a row of phrases, the likeliest first, in a chart with a beam."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Sign = tuple[str, str]
"""What the grammar sees of a phrase: the part it plays and what the weights know it as."""

Score = Callable[[str, str, str], float]
"""What the weights say of a rule with the labels of its left and right part (empty where there is none)."""


class ChartItem(NamedTuple):
    """A bracketed stretch of phrases: score, label, the rule that made it, the phrase it hangs on, its parts."""

    score: float
    label: str
    rule: str
    at: int
    parts: tuple[ChartItem, ...] = ()
    repairs: int = 0


Chart = dict[tuple[int, int], list[ChartItem]]

_PREFIXES = frozenset({"not", "contain", "start", "end", "only", "have", "word", "either", "both", "bound"})
_POSTFIXES = frozenset({"count", "ended"})
_JOINTS = frozenset({"and", "or", "but", "then", "before", "after", "list"})
_OF_LISTS = frozenset({"and", "or", "but", "list"})
_REPAIR = 4.0


def bracketings(signs: Sequence[Sign], score: Score, *, beam: int, repair: bool = False) -> list[ChartItem]:
    """The ways to read all the phrases as one request, likeliest first; none where the grammar has none.

    With `repair`, phrases may be left out and parts may stand side by side with nothing between them, at a price.
    """
    size = len(signs)
    chart: Chart = {}
    for width in range(1, size + 1):
        for start in range(size - width + 1):
            stop = start + width
            found = list(_built(signs, chart, (start, stop), score))
            if repair and width > 1:
                found += _repaired(signs, chart, (start, stop))
            if found:
                chart[start, stop] = sorted(found, key=lambda item: -item.score)[:beam]
    return [item for item in chart.get((0, size), ()) if repair or item.label != "list"]


def _built(signs: Sequence[Sign], chart: Chart, span: tuple[int, int], score: Score) -> Iterator[ChartItem]:
    start, stop = span
    first, last = signs[start], signs[stop - 1]
    if stop - start == 1:
        if first[0] == "atom":
            yield ChartItem(0.0, "a", "atom", start)
        return
    if first[0] in _PREFIXES:
        for part in chart.get((start + 1, stop), ()):
            yield from _prefixed(first, start, part, score)
    if last[0] in _POSTFIXES:
        for part in chart.get((start, stop - 1), ()):
            if part.label != "list":
                yield _made(last[0], last[1], stop - 1, (part,), score)
    for at in range(start + 1, stop - 1):
        if signs[at][0] in _JOINTS:
            rights = chart.get((at + 1, stop), ())
            for left in chart.get((start, at), ()) if rights else ():
                for right in rights:
                    yield from _joined(signs[at], at, left, right, score)


def _made(rule: str, label: str, at: int, parts: tuple[ChartItem, ...], score: Score) -> ChartItem:
    left = parts[0]
    if len(parts) == 1:
        return ChartItem(score(f"{rule}:{label}", left.label, "") + left.score, label, rule, at, parts, left.repairs)
    right = parts[1]
    gained = score(f"{rule}:{label}", left.label, right.label)
    return ChartItem(gained + left.score + right.score, label, rule, at, parts, left.repairs + right.repairs)


def _prefixed(sign: Sign, at: int, part: ChartItem, score: Score) -> Iterator[ChartItem]:
    kind, key = sign
    needed = {"either": "or", "both": "and"}.get(kind, part.rule)
    if part.label == "list" or part.rule != needed or (kind == "bound" and part.rule not in ("atom", "word")):
        return
    yield _made(kind, key, at, (part,), score)
    if kind == "only":
        yield _made("among", "among", at, (part,), score)


def _joined(sign: Sign, at: int, left: ChartItem, right: ChartItem, score: Score) -> Iterator[ChartItem]:
    kind, key = sign
    listed = left.label == "list"
    if right.label == "list" or (listed and kind not in _OF_LISTS):
        return
    label = kind if kind == "list" else key + ("3" if listed else "")
    yield _made(kind, label, at, (left, right), score)
    if key == "list not":
        yield _made("but", "but," + ("3" if listed else ""), at, (left, right), score)


def _repaired(signs: Sequence[Sign], chart: Chart, span: tuple[int, int]) -> Iterator[ChartItem]:
    start, stop = span
    if signs[start][0] != "atom":
        yield from (_worse(part) for part in chart.get((start + 1, stop), ()))
    if signs[stop - 1][0] != "atom":
        yield from (_worse(part) for part in chart.get((start, stop - 1), ()))
    for at in range(start + 1, stop):
        for left in chart.get((start, at), ())[:2]:
            for right in chart.get((at, stop), ())[:2]:
                beside = ChartItem(left.score + right.score, "beside", "beside", start, (left, right))
                yield _worse(beside, left.repairs + right.repairs)


def _worse(item: ChartItem, repairs: int | None = None) -> ChartItem:
    had = item.repairs if repairs is None else repairs
    return item._replace(score=item.score - _REPAIR, repairs=had + 1)
