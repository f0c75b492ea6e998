"""Scores of trees as EVALB gives them: labelled brackets, punctuation left out, PRT as good as ADVP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Phrase = tuple[str, int, int]
PUNCTUATION = frozenset({",", ".", ":", "``", "''"})


@dataclass
class Score:
    """Counts over sentences; `told` are brackets of the parser, `right` those that the treebank has too."""

    gold: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    tags: int = 0
    tags_right: int = 0
    sentences: int = 0
    sentences_right: int = 0

    def add(
        self, gold: Iterable[Phrase], told: Iterable[Phrase], gold_tags: Sequence[str], tags: Sequence[str]
    ) -> None:
        """Count one sentence, whose words are the same on both sides."""
        wanted, found = _brackets(gold, gold_tags), _brackets(told, gold_tags)
        for counter, brackets in ((self.gold, wanted), (self.told, found), (self.right, wanted & found)):
            for (label, _, _), count in brackets.items():
                counter[label] += count
        self.tags += len(tags)
        self.tags_right += sum(a == b for a, b in zip(gold_tags, tags, strict=True))
        self.sentences += 1
        self.sentences_right += wanted == found

    def f1(self, label: str | None = None) -> float:
        """The F1 of one label's brackets, or of all, in per cent."""
        gold, told, right = (
            sum(counter.values()) if label is None else counter[label] for counter in (self.gold, self.told, self.right)
        )
        return 200 * right / max(1, gold + told)

    def __str__(self) -> str:
        return (
            f"F1 {self.f1():.2f}  NP F1 {self.f1('NP'):.2f}  tags {100 * self.tags_right / max(1, self.tags):.2f}  "
            f"whole trees {100 * self.sentences_right / max(1, self.sentences):.1f}  ({self.sentences} sentences)"
        )


def _brackets(phrases: Iterable[Phrase], tags: Sequence[str]) -> Counter[Phrase]:
    number, posts = 0, [0]
    for tag in tags:
        number += tag not in PUNCTUATION
        posts.append(number)
    found: Counter[Phrase] = Counter()
    for label, start, end in phrases:
        if posts[start] < posts[end]:
            found["ADVP" if label == "PRT" else label, posts[start], posts[end]] += 1
    return found
