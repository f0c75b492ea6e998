"""The grammar of requests: a chart parser with a beam brackets a sequence of phrases, the likeliest way first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Sign = tuple[str, str]
"""What the grammar sees of a phrase: its kind, and the name that the weights have for it."""

Score = Callable[[str, str, str], float]
"""The weight of a rule with the labels of its left and right part (empty where there is none)."""


class ChartItem(NamedTuple):
    """A bracketed span of phrases: its score, its label, its rule, the index of its head phrase, and its parts."""

    score: float
    label: str
    rule: str
    head: int
    parts: tuple[ChartItem, ...] = ()
    repairs: int = 0


Chart = dict[tuple[int, int], list[ChartItem]]

_PREFIXES = frozenset({"not", "contain", "start", "end", "only", "have", "word", "either", "both", "bound"})
_POSTFIXES = frozenset({"count", "ended"})
_JOINTS = frozenset({"and", "or", "but", "then", "before", "after", "list"})
_OF_LISTS = frozenset({"and", "or", "but", "list"})
_REPAIR = 4.0


def bracketings(signs: Sequence[Sign], score: Score, *, beam: int, repair: bool = False) -> list[ChartItem]:
    """The ways to read all the phrases as one request, likeliest first.

    With `repair`, phrases may be left out and parts may follow each other directly, at a price.
    """
    size = len(signs)
    chart: Chart = {}
    for width in range(1, size + 1):
        for start in range(size - width + 1):
            stop = start + width
            brackets = list(_bracketed_span(signs, chart, (start, stop), score))
            if repair and width > 1:
                brackets += _repaired(signs, chart, (start, stop))
            if brackets:
                chart[start, stop] = sorted(brackets, key=lambda item: -item.score)[:beam]
    return [item for item in chart.get((0, size), ()) if repair or item.label != "list"]


def _bracketed_span(signs: Sequence[Sign], chart: Chart, span: tuple[int, int], score: Score) -> Iterator[ChartItem]:
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
                yield _scored(last[0], last[1], stop - 1, (part,), score)
    for middle in range(start + 1, stop - 1):
        if signs[middle][0] in _JOINTS:
            rights = chart.get((middle + 1, stop), ())
            for left in chart.get((start, middle), ()) if rights else ():
                for right in rights:
                    yield from _joined(signs[middle], middle, left, right, score)


def _scored(rule: str, label: str, head: int, parts: tuple[ChartItem, ...], score: Score) -> ChartItem:
    left = parts[0]
    if len(parts) == 1:
        return ChartItem(score(f"{rule}:{label}", left.label, "") + left.score, label, rule, head, parts, left.repairs)
    right = parts[1]
    rule_score = score(f"{rule}:{label}", left.label, right.label)
    return ChartItem(rule_score + left.score + right.score, label, rule, head, parts, left.repairs + right.repairs)


def _prefixed(sign: Sign, head: int, part: ChartItem, score: Score) -> Iterator[ChartItem]:
    kind, key = sign
    needed = {"either": "or", "both": "and"}.get(kind, part.rule)
    if part.label == "list" or part.rule != needed or (kind == "bound" and part.rule not in ("atom", "word")):
        return
    yield _scored(kind, key, head, (part,), score)
    if kind == "only":
        yield _scored("among", "among", head, (part,), score)


def _joined(sign: Sign, head: int, left: ChartItem, right: ChartItem, score: Score) -> Iterator[ChartItem]:
    kind, key = sign
    listed = left.label == "list"
    if right.label == "list" or (listed and kind not in _OF_LISTS):
        return
    label = kind if kind == "list" else key + ("3" if listed else "")
    yield _scored(kind, label, head, (left, right), score)
    if key == "list not":
        yield _scored("but", "but," + ("3" if listed else ""), head, (left, right), score)


def _repaired(signs: Sequence[Sign], chart: Chart, span: tuple[int, int]) -> Iterator[ChartItem]:
    start, stop = span
    if signs[start][0] != "atom":
        yield from (_worse(part) for part in chart.get((start + 1, stop), ()))
    if signs[stop - 1][0] != "atom":
        yield from (_worse(part) for part in chart.get((start, stop - 1), ()))
    for middle in range(start + 1, stop):
        for left in chart.get((start, middle), ())[:2]:
            for right in chart.get((middle, stop), ())[:2]:
                score, repairs = left.score + right.score, left.repairs + right.repairs
                yield _worse(ChartItem(score, "beside", "beside", start, (left, right), repairs))


def _worse(item: ChartItem) -> ChartItem:
    return item._replace(score=item.score - _REPAIR, repairs=item.repairs + 1)
