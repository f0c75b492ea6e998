"""Removal of words and phrases, with the commas around them: any, or modifiers of a noun, a verb or the sentence."""

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
ANY = frozenset({"JJ", "NN", "RB", "VB", "NP", "VP", "PP", "ADVP"})
"""The words, by the first letters of their tags, and phrases that are removed where any may be."""
_OPEN_CLASS = 3
"""Letters of the shortest removed phrase's content word; shorter ones hardly change a meaning."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A text without the phrase that was at `start:end` of the original.

    `sentence` is the rest of the sentence with the phrase, and `shape` the expected shape of its tree.
    """

    text: Text
    label: str
    words: str
    start: int
    end: int
    sentence: Text = field(repr=False)
    shape: str = field(repr=False)


def removals(tree: Tree, lang: str, *, any_phrase: bool = False) -> list[Removed]:
    """Every text with one phrase removed, by the position of the phrase.

    These are the phrases that the sentence can do without, or with `any_phrase` all words and phrases of the labels
    `ANY` that leave a word behind.

    >>> from concord.language.trees import read_brackets
    >>> tree = read_brackets("(ROOT (S (NP (DT an) (JJ old) (NN man)) (VP (VBD left))))")
    >>> [each.text.words for each in removals(tree, "en")]
    ['a man left']
    """
    by_span = {}
    for parent in tree.nodes():
        for index, child in enumerate(parent.children):
            removable = _is_any(child) if any_phrase else _is_removable(parent, index)
            if removable and _has_content_word(child, lang):
                by_span[child.start, child.end] = _without(tree, child, lang)
    return [by_span[span] for span in sorted(by_span)]


def shape(tree: Tree, removed: tuple[int, int] = (0, 0)) -> str:
    """The nested labels of a tree, without a span; a phrase with a single child of the same label is that child."""
    shapes: dict[int, str] = {}
    for node in reversed(list(tree.nodes())):
        if not node.children:
            shapes[id(node)] = "" if removed[0] <= node.start and node.end <= removed[1] else node.label
            continue
        inside = [part for part in (shapes[id(child)] for child in node.children) if part]
        alone = len(inside) == 1 and inside[0].startswith(f"({node.label} ")
        shapes[id(node)] = "" if not inside else inside[0] if alone else f"({node.label} {' '.join(inside)})"
    return shapes[id(tree)]


def changed_sentence(tree: Tree, offset: int, new: Text) -> tuple[Tree, Text]:
    """The sentence at an offset as it was and, in a text that was changed within it, as it is now.

    The other sentences are unchanged and need not be parsed again.
    """
    sentence = next((child for child in tree.children if child.start <= offset < child.end), None)
    if tree.label not in ROOTS or len(tree.children) < 2 or sentence is None:
        return tree, new
    before, after = tree.text[: sentence.start].rstrip(), tree.text[sentence.end :].lstrip()
    if not (new.words.startswith(before) and new.words.endswith(after)):
        return tree, new
    words = new.words[len(before) : len(new.words) - len(after)].strip()
    return Tree(tree.label, sentence.start, sentence.end, (sentence,), tree.text), Text(words, new.lang)


def _is_any(phrase: Tree) -> bool:
    """Whether a word or phrase has one of the labels, is no part of a longer word, and is not all of the text."""
    text, start, end = phrase.text, phrase.start, phrase.end
    if (phrase.label if phrase.children else phrase.label[:2]) not in ANY:
        return False
    joined = text[start - 1 : start].isalnum() or bool({text[start - 1 : start], text[end : end + 1]} & set("-'’/"))
    return not joined and any(character.isalnum() for character in text[:start] + text[end:])


def _is_removable(parent: Tree, index: int) -> bool:
    child, siblings = parent.children[index], parent.children
    label, kind = child.label, parent.label
    if kind == "NP":
        return _modifies_noun(siblings, index)
    if kind == "VP" and any(sibling.label in _VERBS and sibling.words.lower() in _LINKING for sibling in siblings):
        return False
    if label == "SBAR" and kind in ("VP", "S"):
        return child.leaves()[0].words.lower() in _ADVERBIAL
    if kind == "VP":
        # The phrase right after a verb may be its complement: "depends on".
        before = siblings[index - 1].label
        return index > 1 and (label == "ADVP" or (label == "PP" and before in ("NP", "PP", "ADVP", "S")))
    whole = {"NP", "VP"} <= {sibling.label for sibling in siblings}
    return kind == "S" and whole and label in ("PP", "ADVP")


def _modifies_noun(siblings: tuple[Tree, ...], index: int) -> bool:
    label = siblings[index].label
    if label in ("PP", "SBAR"):
        return any(sibling.label == "NP" for sibling in siblings[:index])
    following = siblings[index + 1].label if index + 1 < len(siblings) else ""
    return (
        label in ("JJ", "ADJP")
        and following in _NOUNS | {"JJ"}
        and any(sibling.label in _NOUNS for sibling in siblings)
    )


def _has_content_word(phrase: Tree, lang: str) -> bool:
    return any(
        is_word(leaf.words) and len(leaf.words) >= _OPEN_CLASS and leaf.words.casefold() not in stop_words(lang)
        for leaf in phrase.leaves()
    )


def _without(tree: Tree, phrase: Tree, lang: str) -> Removed:
    text = tree.text
    begins = any(node.start == phrase.start for node in (tree.children if tree.label in ROOTS else (tree,)))
    start, end = _with_marks(phrase, begins=begins)
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if begins and text[phrase.start].isupper():
        after = after[:1].upper() + after[1:]
    blank = " " if before and after and (after[0].isalnum() or after[0] in "\"'“‘(¿¡-–—$€£") else ""
    words = before + blank + after
    if base(lang) == "en":
        words = with_article(words, len(before) + len(blank))
    sentence_tree, sentence = changed_sentence(tree, phrase.start, Text(words, lang))
    return Removed(
        text=Text(words, lang),
        label=phrase.label,
        words=phrase.words,
        start=phrase.start,
        end=phrase.end,
        sentence=sentence,
        shape=shape(sentence_tree, (start, end)),
    )


def _with_marks(phrase: Tree, *, begins: bool) -> tuple[int, int]:
    """The span of the phrase and of the commas that go with it; `begins` if the phrase begins its sentence."""
    text, start, end = phrase.text, phrase.start, phrase.end
    before, after = text[:start].rstrip(), text[end:].lstrip()
    first, last = len(text) - len(after), len(before)
    opened, closed = before.endswith(","), after.startswith(",")
    if closed and (opened or begins):
        end = first + 1
    if opened and (closed or not after or after[0] in _CLOSING):
        start = last - 1
    return start, end
