"""Several words of one sentence replaced at once: where the tree is kept by all of them, each is taken to keep it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from concord.language.substitutes import Slot, Substitute
from concord.language.trees import ROOTS, Tree
from concord.model import Text


class Try(NamedTuple):
    """A candidate for a slot, by the slot's number."""

    at: int
    slot: Slot
    one: Substitute


class SentenceVersions(NamedTuple):
    """A sentence as it was, and as it would be."""

    before: Tree
    after: Text


def groups(tries: Sequence[Try]) -> list[list[Try]]:
    """Candidates that can stand in one sentence: one for each place that was asked for together with the others."""
    open_groups: dict[Hashable, list[list[Try]]] = defaultdict(list)
    for number, each in enumerate(tries):
        known = open_groups[_request(each) if each.slot.together else number]
        room = next((group for group in known if all(_apart(each, other) for other in group)), None)
        if room is None:
            known.append([each])
        else:
            room.append(each)
    return [group for known in open_groups.values() for group in known]


def replaced(group: Sequence[Try]) -> SentenceVersions:
    """The one sentence that holds the words, with all of them replaced: what stands around it is not parsed anew."""
    tree, lang = group[0].slot.tree, group[0].one.text.lang
    sentence = _sentence(tree, group[0].one)
    whole = tree if sentence is tree else Tree(tree.label, sentence.start, sentence.end, (sentence,), tree.text)
    words, end = "", sentence.end
    for start, stop, new in sorted((_change(tree.text, each.one) for each in group), reverse=True):
        words = new + tree.text[stop:end] + words
        end = start
    return SentenceVersions(whole, Text(tree.text[sentence.start : end] + words, lang))


def _request(each: Try) -> Hashable:
    """What the places of one request for one sentence have in common; nothing else in a batch has it."""
    slot = each.slot
    sentence = _sentence(slot.tree, each.one)
    return slot.tree.text, sentence.start, slot.together, slot.count, slot.kinds, slot.lang, slot.least


def _sentence(tree: Tree, each: Substitute) -> Tree:
    if tree.label not in ROOTS or len(tree.children) < 2:
        return tree
    return next(child for child in tree.children if child.start <= each.start < child.end)


def _change(text: str, each: Substitute) -> tuple[int, int, str]:
    """What a substitute changes in a text: the word, and perhaps the article before it."""
    new, start, after = each.text.words, each.start, len(text) - each.end
    while not new.startswith(text[:start]):
        start -= 1
    return start, each.end, new[start : len(new) - after]


def _apart(one: Try, other: Try) -> bool:
    (start, end, _), (begin, stop, _) = _change(one.slot.tree.text, one.one), _change(other.slot.tree.text, other.one)
    return end <= begin or stop <= start
