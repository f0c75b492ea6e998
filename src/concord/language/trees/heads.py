"""The head child of a phrase: rules for Penn labels in the manner of Collins, with content words as heads.

Collins, Head-Driven Statistical Models for Natural Language Parsing, dissertation, University of
Pennsylvania, 1999. As in Universal Dependencies, the noun heads a prepositional phrase and the clause
its conjunction, the full verb heads its auxiliaries, and the predicate its copula.
"""

from collections.abc import Sequence

from concord.language import word_set, word_tables
from concord.language.trees import Tree
from concord.language.trees.shallow import is_shallow, shallow_head

NOUNS = word_set("NN NNS NNP NNPS NOUN PROPN PRP PRON EX NML CD NUM NP WHNP WP QP $ FW")
BE = word_set("be am is are was were been being 's 're 'm ’s ’re ’m ai")
HAVE_DO = word_set("have has had having 've 'd ’ve ’d do does did done")
VERBS = word_set("VB VBD VBG VBN VBP VBZ MD TO AUX VERB")
PUNCTUATION = word_set(". , : `` '' -LRB- -RRB- HYPH NFP # PUNCT SYM")
CLAUSES = word_set("S SINV SQ SBAR SBARQ")
PREDICATES = word_set("NP ADJP JJ JJR JJS UCP WHNP WHADJP NN NNS NNP CD QP PP")
JOINED = frozenset({"CC", "CONJP"})
LEFT_OUT = PUNCTUATION | JOINED | {"PRN", "INTJ", "UH", "DT", "RB", "ADVP"}

_FROM_LEFT, _FROM_RIGHT = word_tables(__file__)["left"], word_tables(__file__)["right"]


def head_child(phrase: Tree) -> Tree:
    """The child that the others depend on."""
    if is_shallow(phrase):
        return shallow_head(phrase)
    children = phrase.children
    conjunct = _first_conjunct(phrase)
    if conjunct is not None:
        children = children[: conjunct + 1]
    label = category(phrase)
    if label in ("NP", "NML", "WHNP", "NX"):
        return _noun(children)
    if label == "VP":
        return _verb(children)
    leftmost = label not in _FROM_RIGHT
    labels = _FROM_LEFT.get(label, "VP S NP ADJP PP") if leftmost else _FROM_RIGHT[label]
    for head_label in labels.split():
        matches = [child for child in children if category(child) == head_label]
        if matches:
            return matches[0] if leftmost else matches[-1]
    return _any(children, leftmost)


def coordinated(phrase: Tree) -> bool:
    """Whether its parts are joined by a conjunction between them."""
    return _first_conjunct(phrase) is not None


def category(tree: Tree) -> str:
    """A label without function tags: `NP-SBJ` is `NP`, `-LRB-` is itself."""
    return tree.label if tree.label.startswith("-") else tree.label.split("-")[0].split("=")[0]


def auxiliary(word: str) -> bool:
    return word.lower() in BE or word.lower() in HAVE_DO


def _first_conjunct(phrase: Tree) -> int | None:
    labels = [category(child) for child in phrase.children]
    conjunction = next((number for number, label in enumerate(labels) if label in JOINED and number), None)
    if conjunction is None or conjunction == len(labels) - 1:
        return None
    before = [number for number in range(conjunction) if labels[number] not in PUNCTUATION]
    if not before:
        return None
    # In a list the commas separate the conjuncts as well, so the first one ends before the first comma.
    comma = next((number for number in range(conjunction) if labels[number] == "," and number), conjunction)
    first_part = [number for number in before if number < comma]
    return first_part[-1] if first_part else before[-1]


def _noun(children: Sequence[Tree]) -> Tree:
    # Whatever follows an inner noun phrase modifies it, but of several words the last one is the head.
    first = next((child for child in children if category(child) in ("NP", "WHNP") and not _possessive(child)), None)
    if first is not None and not any(category(child).startswith("NN") and not child.children for child in children):
        return first
    nouns = [child for child in children if category(child) in NOUNS and not _possessive(child)]
    words = [child for child in nouns if not child.children or category(child) in ("NML", "QP")]
    strong = [child for child in words if category(child) not in ("CD", "NUM", "QP", "$")]
    for candidates in (strong, words, nouns):
        if candidates:
            return candidates[-1]
    return _any(children, False)


def _possessive(child: Tree) -> bool:
    return bool(child.children) and child.children[-1].label == "POS"


def _verb(children: Sequence[Tree]) -> Tree:
    verbs = [child for child in children if category(child) in VERBS and not child.children]
    inner = next((child for child in children if category(child) == "VP"), None)
    if inner is not None and all(category(verb) in ("MD", "TO") or auxiliary(verb.words) for verb in verbs):
        return inner
    if verbs and all(verb.words.lower() in BE for verb in verbs):
        after = [child for child in children if child.start > verbs[0].start and category(child) in PREDICATES]
        if after:
            return after[0]
    full = [verb for verb in verbs if category(verb) not in ("MD", "TO") and not auxiliary(verb.words)]
    return (full or verbs[-1:] or [inner or _any(children, True)])[0]


def _any(children: Sequence[Tree], leftmost: bool) -> Tree:
    for left_out in (LEFT_OUT, PUNCTUATION | JOINED, PUNCTUATION, frozenset[str]()):
        candidates = [child for child in children if category(child) not in left_out]
        if candidates:
            return candidates[0] if leftmost else candidates[-1]
    return children[0]
