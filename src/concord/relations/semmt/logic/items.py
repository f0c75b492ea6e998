"""Cut a sentence into a sequence of items: cues, phrases, commas, and the end of a condition at the beginning."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, pairwise

from concord.relations.semmt.logic.bounds import with_bounds
from concord.relations.semmt.logic.english import RELATIONS, ROLES
from concord.relations.semmt.logic.quantifier_spans import CONDITIONS, Finding
from concord.relations.semmt.logic.stretches import MOST_ITEMS, Item, stretch
from concord.relations.semmt.logic.words import Words

_SHORT = 3
_ENDS = frozenset(".!?;:")
_STOPS = frozenset(".!?")
_COMMAS = frozenset(",;:()–—")
_FIRST = 2
"""The fewest words of a condition: "it rains"."""
_WINDOW = 500
"""The number of characters in which both clauses are looked for, so that time is linear in the text."""


def items(text: str, findings: Sequence[Finding]) -> tuple[list[Item], bool]:
    """The items of a sentence, and whether some had to be left out."""
    row: list[Item] = []
    offset, clause_break = 0, -1
    for finding in findings:
        row += _apart(text, (offset, finding.start), clause_break)
        clause_break = -1 if clause_break <= finding.start else clause_break
        if finding.kind in CONDITIONS and _opens(row):
            clause_break = _clause_break(text, finding.end)
        row += _cue_items(text, finding)
        offset = finding.end
        if len(row) > MOST_ITEMS:
            break
    else:
        row += _apart(text, (offset, len(text)), clause_break)
    cut_short = len(row) > MOST_ITEMS
    whole = with_bounds(row[:MOST_ITEMS])
    return _numbered(_with_exceptions(_with_lists(_with_pairs(whole)))), cut_short


def _opens(row: list[Item]) -> bool:
    """Whether the next item begins a sentence; not after a comma, where the main clause may be over."""
    for item in reversed(row):
        if item.text[-1:] in _ENDS:
            return True
        if item.kind not in {"conjunction", "words"}:
            return False
    return True


def _apart(text: str, span: tuple[int, int], clause_break: int) -> list[Item]:
    """The items between two quantifiers, with a comma at the end of a condition that has none."""
    start, end = span
    if not 0 <= clause_break <= end:
        return stretch(text, start, end)
    middle = max(start, clause_break)
    return [*stretch(text, start, middle), Item("comma", ","), *stretch(text, middle, end)]


def _cue_items(text: str, finding: Finding) -> list[Item]:
    """The items of a finding: one, or a negation and an "only" for "not only" without "but also"."""
    words = text[finding.start : finding.end]
    first, _, second = words.lower().partition(" ")
    kinds = RELATIONS.get(first), RELATIONS.get(second)
    if kinds != ("negation", "only") or not ROLES["adds"].isdisjoint(Words(text[finding.end :]).words):
        return [Item(finding.kind, words, finding)]
    return [Item(kind, part, finding) for kind, part in zip(("negation", "only"), words.split(), strict=True)]


def _with_pairs(row: list[Item]) -> list[Item]:
    """The row without the "both" of "both cats and dogs"; in "both cats", it means two."""
    paired = list(row)
    for index, (item, following) in enumerate(pairwise(row)):
        joined = index + 2 < len(row) and row[index + 2].kind == "conjunction"
        if item.kind == "both" and following.phrase is not None and joined and len(following.text.split()) <= _SHORT:
            paired[index] = Item("words", item.text)
    return paired


def _with_lists(row: list[Item]) -> list[Item]:
    """The row with disjunctions for the commas of "a, b or c" and of "a, b, or c"."""
    listed = list(row)
    for index in range(len(row) - 1, -1, -1):
        if listed[index].kind != "disjunction":
            continue
        if index > 0 and listed[index - 1].kind == "comma":
            listed[index - 1] = Item("words", listed[index - 1].text)
        back = index - 1 - (index > 0 and listed[index - 1].silent)
        while back > 1 and listed[back - 1].kind == "comma" and _listed(listed[back - 2], listed[back]):
            listed[back - 1] = Item("disjunction", listed[back - 1].text)
            back -= 2
    return listed


def _listed(left: Item, right: Item) -> bool:
    """Whether two items can be of one list: phrases or numbers."""
    return left.kind == right.kind == "phrase" or bool(left.quantity and right.quantity)


def _with_exceptions(row: list[Item]) -> list[Item]:
    """The row with the name cut from the verb in "everyone except Ann Lee came"."""
    separated: list[Item] = []
    for index, item in enumerate(row):
        excepted = index > 1 and row[index - 1].kind == "exclusion" and item.kind == "phrase"
        counted = excepted and any(before.quantity for before in row[max(0, index - 3) : index - 1])
        words = item.text.split() if counted else []
        size = next((size for size, word in enumerate(words) if not _is_name(word)), 0)
        if not size:
            separated.append(item)
            continue
        separated += stretch(" ".join(words[:size]), 0, len(item.text))
        separated += [Item("comma", ""), *stretch(" ".join(words[size:]), 0, len(item.text))]
    return separated


def _is_name(word: str) -> bool:
    return word[:1].isupper() or word in ROLES["object"]


def _numbered(row: list[Item]) -> list[Item]:
    """The row with a symbol for every phrase."""
    symbols = count()
    return [item if item.phrase is None else replace(item, symbol=next(symbols)) for item in row]


def _clause_break(text: str, start: int) -> int:
    """The offset of the main clause after a condition that begins a sentence; -1 if a comma marks it.

    Where no rule applies, the clause is cut in the middle: most words of either clause are then on the right side, and
    phrases are recognised by most of their words.
    """
    window = Words(text[start : start + _WINDOW])
    words = window.words
    end = next((index for index, word in enumerate(words) if word in _STOPS or word in _COMMAS), len(words))
    comma = end < len(words) and words[end] in _COMMAS
    # The comma of "…, and" may as well end the main clause.
    if comma and {"and", "but"}.isdisjoint(words[end + 1 : end + 2]):
        return -1
    clause = words[:end]
    main = _introduced(clause) or _subject(clause) or _noun(clause)
    if main is None and len(clause) > _FIRST and not comma:
        main = len(clause) // 2
    return -1 if main is None else start + window.start(main)


def _introduced(words: list[str]) -> int | None:
    if len(words) > 1 and words[0] in ROLES["alone"]:
        return 1
    return next((index for index in range(_FIRST, len(words)) if words[index] in ROLES["then"]), None)


def _subject(words: list[str]) -> int | None:
    """A pronoun that is a subject by its form, or by the verb after it."""
    for index in range(_FIRST, len(words)):
        if words[index - 1] in ROLES["goes_on"]:
            continue
        bare, apostrophe, _ = words[index].partition("'")
        if bare in ROLES["subject"]:
            return index - (words[index - 1] in ROLES["auxiliary"])
        follows = words[index + 1] if index + 1 < len(words) else ""
        if bare in ROLES["maybe_subject"] and (apostrophe or follows in ROLES["auxiliary"]):
            return index
    return None


def _noun(words: list[str]) -> int | None:
    """Where the subject of an auxiliary begins: at its article or, after a condition with a verb, at its only word."""
    verb = words[:1] != [] and words[0] in ROLES["subject"] | ROLES["maybe_subject"]
    for verb_index in range(_FIRST, len(words)):
        if words[verb_index] not in ROLES["auxiliary"]:
            continue
        for begin in range(verb_index - 1, _FIRST - 1, -1):
            if words[begin] in ROLES["determiner"]:
                if words[begin - 1] not in ROLES["goes_on"] | ROLES["auxiliary"]:
                    return begin
                break
        else:
            if verb and verb_index > _FIRST and not {words[verb_index - 2], words[verb_index - 1]} & ROLES["goes_on"]:
                return verb_index - 1
        verb = True
    return None
