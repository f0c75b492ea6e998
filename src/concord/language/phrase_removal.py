"""Phrases that a sentence can do without: what modifies a noun, a verb or the whole, cut out with its marks."""

from __future__ import annotations

from dataclasses import dataclass, field

from concord.language.codes import base
from concord.language.english.inflection import with_article
from concord.language.phrases import is_word
from concord.language.stopwords import stop_words
from concord.language.trees import ROOTS, Tree
from concord.model import Text

_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_LINKING = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "seem", "become"})
_ADVERBIAL = frozenset({"because", "when", "while", "although", "though", "after", "before", "since", "until", "if"})
_CLOSING = frozenset(".!?;:")
_OPEN_CLASS = 3
"""Letters of the shortest removed phrase's content word; shorter ones hardly change a meaning."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A text without a phrase that stood at `start:end` of it.

    `sentence` is what is left of the sentence that held the phrase, and `shape` the one that its tree should have.
    """

    text: Text
    label: str
    words: str
    start: int
    end: int
    sentence: Text = field(repr=False)
    shape: str = field(repr=False)


def removals(tree: Tree, lang: str) -> list[Removed]:
    """Every text that is left when one phrase goes, from left to right.

    >>> from concord.language.trees import read_brackets
    >>> tree = read_brackets("(ROOT (S (NP (DT an) (JJ old) (NN man)) (VP (VBD left))))")
    >>> [each.text.words for each in removals(tree, "en")]
    ['a man left']
    """
    found = {}
    for parent in tree.nodes():
        for at, child in enumerate(parent.children):
            if _may_go(parent, at) and _says_something(child, lang):
                found[child.start, child.end] = _without(tree, child, lang)
    return [found[span] for span in sorted(found)]


def shape(tree: Tree, gone: tuple[int, int] = (0, 0)) -> str:
    """The labels alone, nested, without what lies in a span; a phrase that holds but one of its kind is that one."""
    made: dict[int, str] = {}
    for node in reversed(list(tree.nodes())):
        if not node.children:
            made[id(node)] = "" if gone[0] <= node.start and node.end <= gone[1] else node.label
            continue
        inside = [each for each in (made[id(child)] for child in node.children) if each]
        alone = len(inside) == 1 and inside[0].startswith(f"({node.label} ")
        made[id(node)] = "" if not inside else inside[0] if alone else f"({node.label} {' '.join(inside)})"
    return made[id(tree)]


def changed_sentence(tree: Tree, at: int, new: Text) -> tuple[Tree, Text]:
    """Of a text that was changed within the sentence at a place: that sentence as it was and as it is now.

    The others stay as they were and need not be parsed anew.
    """
    held = next((child for child in tree.children if child.start <= at < child.end), None)
    if tree.label not in ROOTS or len(tree.children) < 2 or held is None:
        return tree, new
    before, after = tree.text[: held.start].rstrip(), tree.text[held.end :].lstrip()
    if not (new.words.startswith(before) and new.words.endswith(after)):
        return tree, new
    words = new.words[len(before) : len(new.words) - len(after)].strip()
    return Tree(tree.label, held.start, held.end, (held,), tree.text), Text(words, new.lang)


def _may_go(parent: Tree, at: int) -> bool:
    child, siblings = parent.children[at], parent.children
    label, kind = child.label, parent.label
    if kind == "NP":
        return _modifies_noun(siblings, at)
    if kind == "VP" and any(sibling.label in _VERBS and sibling.words.lower() in _LINKING for sibling in siblings):
        return False
    if label == "SBAR" and kind in ("VP", "S"):
        return child.leaves()[0].words.lower() in _ADVERBIAL
    if kind == "VP":
        # What follows a verb at once may be what it asks for: "depends on".
        return at > 1 and (label == "ADVP" or (label == "PP" and siblings[at - 1].label in ("NP", "PP", "ADVP", "S")))
    whole = {"NP", "VP"} <= {sibling.label for sibling in siblings}
    return kind == "S" and whole and label in ("PP", "ADVP")


def _modifies_noun(siblings: tuple[Tree, ...], at: int) -> bool:
    label = siblings[at].label
    if label in ("PP", "SBAR"):
        return any(sibling.label == "NP" for sibling in siblings[:at])
    following = siblings[at + 1].label if at + 1 < len(siblings) else ""
    return (
        label in ("JJ", "ADJP")
        and following in _NOUNS | {"JJ"}
        and any(sibling.label in _NOUNS for sibling in siblings)
    )


def _says_something(phrase: Tree, lang: str) -> bool:
    return any(
        is_word(leaf.words) and len(leaf.words) >= _OPEN_CLASS and leaf.words.casefold() not in stop_words(lang)
        for leaf in phrase.leaves()
    )


def _without(tree: Tree, phrase: Tree, lang: str) -> Removed:
    text = tree.text
    begins = any(each.start == phrase.start for each in (tree.children if tree.label in ROOTS else (tree,)))
    start, end = _with_marks(phrase, begins=begins)
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if begins and text[phrase.start].isupper():
        after = after[:1].upper() + after[1:]
    blank = " " if before and after and (after[0].isalnum() or after[0] in "\"'“‘(¿¡-–—$€£") else ""
    words = before + blank + after
    if base(lang) == "en":
        words = with_article(words, len(before) + len(blank))
    held, sentence = changed_sentence(tree, phrase.start, Text(words, lang))
    return Removed(
        text=Text(words, lang),
        label=phrase.label,
        words=phrase.words,
        start=phrase.start,
        end=phrase.end,
        sentence=sentence,
        shape=shape(held, (start, end)),
    )


def _with_marks(phrase: Tree, *, begins: bool) -> tuple[int, int]:
    """The span with the commas that belong to the phrase alone, which may begin a sentence."""
    text, start, end = phrase.text, phrase.start, phrase.end
    before, after = text[:start].rstrip(), text[end:].lstrip()
    first, last = len(text) - len(after), len(before)
    opened, closed = before.endswith(","), after.startswith(",")
    if closed and (opened or begins):
        end = first + 1
    if opened and (closed or not after or after[0] in _CLOSING):
        start = last - 1
    return start, end
