"""Several words of one sentence replaced at once: if the tree stays the same, each word is taken to preserve it."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from concord.language.substitutes import Slot, Substitute
from concord.language.trees import ROOTS, Tree
from concord.model import Text


class Try(NamedTuple):
    """A candidate for a slot, with the number of the slot in its batch."""

    slot_number: int
    slot: Slot
    substitute: Substitute


def groups(tries: Sequence[Try]) -> list[list[Try]]:
    """Groups of candidates that can be tried in one sentence: one for each span of a request."""
    by_request: dict[Hashable, list[list[Try]]] = defaultdict(list)
    for number, attempt in enumerate(tries):
        candidates = by_request[_request(attempt) if attempt.slot.together else number]
        fitting = next((group for group in candidates if all(_apart(attempt, member) for member in group)), None)
        if fitting is None:
            candidates.append([attempt])
        else:
            fitting.append(attempt)
    return [group for candidates in by_request.values() for group in candidates]


def replaced(group: Sequence[Try]) -> tuple[Tree, Text]:
    """The tree of the one sentence that holds the words, and its text with all of them replaced.

    The rest of the text is not parsed again.
    """
    tree, lang = group[0].slot.tree, group[0].substitute.text.lang
    sentence = _sentence(tree, group[0].substitute)
    whole = tree if sentence is tree else Tree(tree.label, sentence.start, sentence.end, (sentence,), tree.text)
    words, end = "", sentence.end
    for start, stop, new in sorted((change(tree.text, attempt.substitute) for attempt in group), reverse=True):
        words = new + tree.text[stop:end] + words
        end = start
    return whole, Text(tree.text[sentence.start : end] + words, lang)


def _request(attempt: Try) -> Hashable:
    """The batching key of slots: equal for the slots of one request for one sentence, and for no others."""
    slot = attempt.slot
    sentence = _sentence(slot.tree, attempt.substitute)
    return slot.tree.text, sentence.start, slot.together, slot.count, slot.kinds, slot.lang, slot.least


def _sentence(tree: Tree, substitute: Substitute) -> Tree:
    if tree.label not in ROOTS or len(tree.children) < 2:
        return tree
    return next(child for child in tree.children if child.start <= substitute.start < child.end)


def change(text: str, substitute: Substitute) -> tuple[int, int, str]:
    """The span of a text that a substitute changes, and the new words: the word, and perhaps the article before it."""
    new, start, after = substitute.text.words, substitute.start, len(text) - substitute.end
    while not new.startswith(text[:start]):
        start -= 1
    return start, substitute.end, new[start : len(new) - after]


def _apart(first: Try, second: Try) -> bool:
    (start, end, _), (begin, stop, _) = (change(each.slot.tree.text, each.substitute) for each in (first, second))
    return end <= begin or stop <= start
