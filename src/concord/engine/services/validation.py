"""Validation of plug-ins' answers: an answer that cannot be used becomes the error of its text."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from concord.errors import BadAnswer, Refused, ServiceError
from concord.language.analysis import Word
from concord.language.substitutes import Slot, Substitute
from concord.language.trees import DEEPEST, Chance, Tree
from concord.language.trees.dependencies import Relation
from concord.model import Text
from concord.plural import plural

T = TypeVar("T")
Fault = Callable[[T, Any], str | None]
ROUNDING = 1e-3


def sound(who: str, items: Sequence[T], answers: Any, fault: Fault[T]) -> list[Any]:
    """One answer for every item, or an error in its place; BadAnswer where answers and items cannot be matched."""
    if isinstance(answers, (str, bytes, dict)) or not hasattr(answers, "__iter__"):
        raise BadAnswer(f"{who} answered with a {type(answers).__name__} instead of a list")
    answers = list(answers)
    if len(answers) != len(items):
        raise BadAnswer(f"{who} gave {plural(len(answers), 'answer')} to {plural(len(items), 'text')}")
    return [_sound_answer(who, item, answer, fault) for item, answer in zip(items, answers, strict=True)]


def _sound_answer(who: str, item: T, answer: Any, fault: Fault[T]) -> Any:
    if isinstance(answer, ServiceError):
        return answer
    if isinstance(answer, Exception):
        return Refused(f"{who} says {type(answer).__name__}: {answer}")
    try:
        wrong = fault(item, answer)
    except Exception as error:  # objects that answers are made of may fail in any way when they are looked at
        wrong = f"gave an answer that cannot be read ({type(error).__name__}: {error})"
    return BadAnswer(f"{who} {wrong}") if wrong else answer


def tree_fault(words: str, tree: Any) -> str | None:
    """What is wrong with a tree of a text: its nodes, their spans, or their order."""
    if not isinstance(tree, Tree):
        return f"answered with a {type(tree).__name__} instead of a tree"
    level = [tree]
    for _ in range(DEEPEST):
        for node in level:
            if wrong := _node_fault(words, node):
                return wrong
        level = [child for node in level for child in node.children]
        if not level:
            return _order_fault(tree.leaves()) or _chances_fault(words, tree.chances)
    return f"gave a tree of more than {DEEPEST} levels"


def _node_fault(words: str, node: Tree) -> str | None:
    if not isinstance(node.label, str) or not node.label:
        return f"gave a tree with a node without a label, but with {node.label!r}"
    if node.text != words:
        return f"gave a tree over another text, '{str(node.text)[:40]}'"
    if not _inside(node.start, node.end, words):
        return f"gave a tree with '{node.label}' at {node.start}:{node.end}, outside of the text"
    if not isinstance(node.children, tuple):
        return f"gave a tree with '{node.label}', whose children are not a tuple of trees"
    for child in node.children:
        if not isinstance(child, Tree):
            return f"gave a tree with '{node.label}', whose children are not a tuple of trees"
        if not node.start <= child.start or not child.end <= node.end:
            return f"gave a tree with '{child.label}' at {child.start}:{child.end}, outside of '{node.label}' around it"
    return None


def _order_fault(leaves: Sequence[Tree]) -> str | None:
    """A message if words overlap or are out of order, else None; the parts of a contraction may share a span."""
    for leaf, following in pairwise(leaves):
        if following.start < leaf.end and (leaf.start, leaf.end) != (following.start, following.end):
            return f"gave a tree whose words '{leaf.words}' and '{following.words}' overlap or are out of order"
    return None


def _chances_fault(words: str, chances: Any) -> str | None:
    if not isinstance(chances, tuple) or not all(isinstance(chance, Chance) for chance in chances):
        return "gave a tree whose chances are not a tuple of Chance"
    wrong = [
        chance for chance in chances if not (_inside(chance.start, chance.end, words) and 0 <= chance.probability <= 1)
    ]
    return f"gave a tree with an impossible chance: {wrong[0]}" if wrong else None


def words_fault(text: str, words: Any) -> str | None:
    """What is wrong with the analysed words of a text."""
    if not isinstance(words, list) or not all(isinstance(word, Word) and word.parts for word in words):
        return f"answered with a {type(words).__name__} that is not a list of words"
    if any(word.text != text or not _inside(word.start, word.end, text) for word in words):
        return "gave a word outside of the text"
    return None


def relations_fault(words: str, relations: Any) -> str | None:
    """What is wrong with the dependency relations of a text."""
    if not isinstance(relations, list) or not all(isinstance(relation, Relation) for relation in relations):
        return f"answered with a {type(relations).__name__} that is not a list of relations"
    dependents = [relation.dependent for relation in relations]
    heads = [relation.head for relation in relations if relation.head is not None]
    for leaf in (*dependents, *heads):
        if not isinstance(leaf, Tree) or leaf.children:
            return "gave a relation with something that is not a word"
        if wrong := _node_fault(words, leaf):
            return wrong
    if not all(isinstance(relation.label, str) and relation.label for relation in relations):
        return "gave a relation without a label"
    spans = {(leaf.start, leaf.end) for leaf in dependents}
    if any((head.start, head.end) not in spans for head in heads):
        return "gave a relation to a word that has none of its own"
    return _order_fault(dependents)


def substitutes_fault(slot: Slot, substitutes: Any) -> str | None:
    """What is wrong with the substitutes for a slot."""
    if not isinstance(substitutes, list) or not all(isinstance(substitute, Substitute) for substitute in substitutes):
        return f"answered with a {type(substitutes).__name__} that is not a list of substitutes"
    if len(substitutes) > slot.count:
        return f"gave {plural(len(substitutes), 'substitute')} where {plural(slot.count, 'was', 'were')} wanted"
    return next((wrong for substitute in substitutes if (wrong := _substitute_fault(slot, substitute))), None)


def _substitute_fault(slot: Slot, substitute: Substitute) -> str | None:
    text, word, start, end = substitute.text, substitute.word, substitute.start, substitute.end
    if not isinstance(text, Text) or not isinstance(text.words, str) or not isinstance(word, str):
        return "gave a substitute whose text or word is not text"
    if text.lang != slot.lang or text.words == slot.tree.text or word not in text.words:
        return f"gave a substitute that is not the text with '{word}' in it: '{text.words[:40]}'"
    if not _inside(start, end, slot.tree.text) or start < slot.start or end > slot.end:
        return f"gave a substitute at {start}:{end}, outside of {slot.start}:{slot.end}"
    if substitute.kind not in slot.kinds:
        return f"gave a substitute of the kind {substitute.kind!r}, where {', '.join(slot.kinds)} were wanted"
    in_range = 0 <= substitute.score <= 1
    return None if in_range else f"gave a substitute with the score {substitute.score}, which is not in 0 to 1"


def vector_fault(row: Any, size: int) -> str | None:
    """What is wrong with a vector, which must have as many numbers as those before it, and the length 1."""
    numbers = [float(number) for number in row]
    if not numbers or not all(map(math.isfinite, numbers)):
        return "gave a vector with something that is not a number in it" if numbers else "gave an empty vector"
    if len(numbers) != size:
        return f"gave a vector of {plural(len(numbers), 'number')} after one of {size}"
    length = math.hypot(*numbers)
    return None if abs(length - 1) < ROUNDING else f"gave a vector of length {length:.4g} instead of 1"


def _inside(start: Any, end: Any, words: str) -> bool:
    # By type: True is an int as well, and every node of every tree is asked.
    return type(start) is int and type(end) is int and 0 <= start < end <= len(words)
