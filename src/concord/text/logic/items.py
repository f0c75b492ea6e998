"""A sentence as a row of items: cues, phrases and commas, ready to be read as a formula."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, pairwise

from concord.text.logic.finding import Finding, Findings
from concord.text.logic.phrases import Phrase, phrase, pieces
from concord.text.logic.tables import Language
from concord.text.logic.words import Words

MOST_ITEMS = 100
"""How much of a sentence is read: formulas must stay small enough for automata."""
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Item:
    """A finding, a comma, a phrase with its place among the symbols, or words that stay as they are."""

    kind: str
    text: str
    finding: Finding | None = None
    phrase: Phrase | None = None
    symbol: int = -1

    @property
    def silent(self) -> bool:
        return self.kind == "words"


def items(findings: Findings, language: Language, *, keep_collection: bool) -> tuple[list[Item], bool]:
    """The items of a sentence, and whether some had to be left out."""
    row: list[Item] = []
    place = 0
    for finding in findings:
        row += _between(findings.text, place, finding.start, language)
        row += _said(findings.text, finding, language)
        place = finding.end
        if len(row) > MOST_ITEMS:
            break
    else:
        row += _between(findings.text, place, len(findings.text), language)
    cut_short = len(row) > MOST_ITEMS
    row = _with_lists(_with_pairs(row[:MOST_ITEMS]))
    row = row if keep_collection else _with_collections(row, language)
    return _numbered(row), cut_short


def _said(text: str, finding: Finding, language: Language) -> list[Item]:
    """The cue; "not only", where nothing is added to it, denies that there is nothing else."""
    words = text[finding.start : finding.end]
    first, _, second = words.lower().partition(" ")
    kinds = language.relations.get(first), language.relations.get(second)
    if kinds != ("negation", "only") or not language.roles["adds"].isdisjoint(Words(text[finding.end :]).words):
        return [Item(finding.kind, words, finding)]
    return [Item(kind, part, finding) for kind, part in zip(("negation", "only"), words.split(), strict=True)]


def _between(text: str, start: int, end: int, language: Language) -> list[Item]:
    row = []
    for first, last in islice(pieces(text, start, end), 2 * MOST_ITEMS):
        piece = text[first:last]
        bare = piece.strip()
        if bare and bare[0] in ",;:()–—-" and len(bare) == 1:
            row.append(Item("comma", bare))
        elif bare:
            found = phrase(piece, language)
            row.append(Item("words", bare) if found is None else Item("phrase", bare, phrase=found))
    return row


def _with_pairs(row: list[Item]) -> list[Item]:
    """ "Both cats and dogs" says no more than "cats and dogs"; "both cats" says two."""
    paired = list(row)
    for at, (item, following) in enumerate(pairwise(row)):
        joined = at + 2 < len(row) and row[at + 2].kind == "conjunction"
        if item.kind == "both" and following.phrase is not None and joined and len(following.text.split()) <= _SHORT:
            paired[at] = Item("words", item.text)
    return paired


def _with_lists(row: list[Item]) -> list[Item]:
    """The commas of "a, b or c" and of "a, b, or c" are disjunctions too."""
    made = list(row)
    for at in range(len(row) - 1, -1, -1):
        if made[at].kind != "disjunction":
            continue
        if at > 0 and made[at - 1].kind == "comma":
            made[at - 1] = Item("words", made[at - 1].text)
        back = at - 1 - (at > 0 and made[at - 1].silent)
        while (
            back > 1
            and made[back].kind == "phrase"
            and made[back - 1].kind == "comma"
            and made[back - 2].kind == "phrase"
        ):
            made[back - 1] = Item("disjunction", made[back - 1].text)
            back -= 2
    return made


def _with_collections(row: list[Item], language: Language) -> list[Item]:
    """What contains something is one phrase, whatever is said in it (section 3.3.2: the collection is left out)."""
    at = next((at for at, item in enumerate(row) if item.kind == "inclusion"), -1)
    end = at - 1 if at > 0 and row[at - 1].kind == "negation" else at
    start = max((back for back in range(end) if row[back].kind == "comma"), default=-1) + 1
    head = row[start:end] if end > 0 else []
    if len(head) < 2 or not all(_quiet(item, first=item is row[0]) for item in head):
        return row
    whole = phrase(" ".join(item.text for item in head), language)
    return row if whole is None else [*row[:start], Item("phrase", whole.text, phrase=whole), *row[end:]]


def _quiet(item: Item, *, first: bool) -> bool:
    """Whether an item may be part of a collection: a conjunction only where it opens the sentence."""
    if item.finding is None or item.finding.family == "quantity":
        return True
    return item.kind == "only" or (first and item.kind == "conjunction")


def _numbered(row: list[Item]) -> list[Item]:
    """Every phrase gets its place among the symbols."""
    made, count = [], 0
    for item in row:
        if item.phrase is None:
            made.append(item)
        else:
            made.append(Item(item.kind, item.text, phrase=item.phrase, symbol=count))
            count += 1
    return made
