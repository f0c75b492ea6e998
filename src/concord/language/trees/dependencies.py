"""Dependency relations between words: from a constituency tree by head rules, or as a dependency parser gives them.

Head rules are an approximation: the labels are those of Universal Dependencies (Nivre et al., LREC 2020)
where the shape of an English tree tells them, and `dep` where it does not. That is enough to compare how
two sentences are built (SIT: He et al., ICSE 2020; SemMT: Cao et al., 2021), not to evaluate a parser. Labels of
different sources are not to be mixed: spaCy's English models, for one, have labels of their own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from concord.language import word_set
from concord.language.trees import ROOTS, Tree
from concord.language.trees.heads import (
    BE,
    CLAUSES,
    JOINED,
    NOUNS,
    PUNCTUATION,
    VERBS,
    auxiliary,
    category,
    coordinated,
    head_child,
)
from concord.language.trees.shallow import is_shallow, shallow_links

_SUBORDINATORS = frozenset({"that", "whether"})
_NOMINAL = word_set("NP WHNP NML NX NN NNS NNP NNPS PRP QP CD EX FW")
_DESCRIBING = word_set("JJ JJR JJS ADJP WHADJP VBN VBG ADJ")
_ADVERBIAL = word_set("RB RBR RBS WRB ADVP WHADVP ADV")


@dataclass(frozen=True, slots=True)
class Relation:
    """A dependency of one word on another; the head of a sentence depends on none. Words are leaves of a tree."""

    label: str
    head: Tree | None
    dependent: Tree


def relations(tree: Tree) -> list[Relation]:
    """One relation for every word, in the order of the text.

    >>> from concord.language.trees import read_brackets
    >>> cats = read_brackets("(S (NP (JJ black) (NNS cats)) (VP (VBP sleep)))")
    >>> [(each.label, each.dependent.words) for each in relations(cats)]
    [('amod', 'black'), ('nsubj', 'cats'), ('root', 'sleep')]
    """
    heads = _heads(tree)
    by_leaf = {}
    for sentence in tree.children if tree.label in ROOTS else (tree,):
        top = heads[id(sentence)]
        by_leaf[id(top)] = Relation("root", None, top)
        for node in sentence.nodes():
            if node.children:
                links = shallow_links(node, heads) if is_shallow(node) else _links(node, heads)
                by_leaf.update((id(dependent), Relation(label, head, dependent)) for label, head, dependent in links)
    return [by_leaf[id(leaf)] for leaf in tree.leaves()]


def counts(relations: Iterable[Relation]) -> Counter[str]:
    """How often each label occurs."""
    return Counter(relation.label for relation in relations)


def _heads(tree: Tree) -> dict[int, Tree]:
    """The head word of every phrase; a word is its own."""
    heads: dict[int, Tree] = {}
    for node in reversed(list(tree.nodes())):
        heads[id(node)] = heads[id(head_child(node))] if node.children else node
    return heads


def _links(phrase: Tree, heads: dict[int, Tree]) -> Iterator[tuple[str, Tree, Tree]]:
    head, joined = head_child(phrase), coordinated(phrase)
    for number, child in enumerate(phrase.children):
        if child is head:
            continue
        if category(child) in PUNCTUATION:
            label = "punct"
        elif category(child) in JOINED:
            label = "cc"
        elif joined and child.start > head.start and _alike(child, head):
            label = "conj"
        else:
            label = _label(phrase, head, child, heads)
        holder = _conjunct(phrase.children[number + 1 :]) if label == "cc" else None
        yield label, heads[id(holder or head)], heads[id(child)]


def _conjunct(after: Iterable[Tree]) -> Tree | None:
    """The conjunct that a conjunction adds and depends on."""
    return next((sibling for sibling in after if category(sibling) not in PUNCTUATION | JOINED), None)


def _label(phrase: Tree, head: Tree, child: Tree, heads: dict[int, Tree]) -> str:
    name, kind = category(child), category(phrase)
    if name in ("INTJ", "UH"):
        return "discourse"
    if name == "PRN":
        return "parataxis"
    if kind in ("NP", "WHNP", "NML", "NX", "QP"):
        return _in_noun_phrase(head, child)
    if kind == "VP":
        return _in_verb_phrase(phrase, head, child, heads)
    if kind in ("PP", "WHPP"):
        return _in_prepositional(name)
    if kind in ("SBAR", "SBARQ"):
        return _in_subordinate(head, child)
    return _in_clause(head, child, heads) if kind in CLAUSES else _modifier(name)


def _alike(child: Tree, head: Tree) -> bool:
    a, b = category(child), category(head)
    same = a == b or (a in NOUNS and b in NOUNS) or (a in CLAUSES and b in CLAUSES) or (a in VERBS and b in VERBS)
    return same or bool(child.children and head.children and a not in ("PP", "ADVP", "SBAR"))


def _in_noun_phrase(head: Tree, child: Tree) -> str:
    name, before = category(child), child.start < head.start
    if name in ("DT", "WDT", "PDT", "DET"):
        return "det"
    if name in ("PRP$", "WP$") or (child.children and child.children[-1].label == "POS"):
        return "nmod:poss"
    if name == "POS":
        return "case"
    if name in ("CD", "QP", "NUM"):
        return "nummod"
    if name in _NOMINAL or name == "PROPN":
        return "compound" if before else "appos"
    if name == "PP":
        return "nmod"
    if name == "SBAR":
        return "acl:relcl" if any(category(part).startswith("WH") for part in child.children) else "acl"
    if name in ("S", "VP"):
        return "acl"
    return "amod" if name in _DESCRIBING else _modifier(name)


def _in_verb_phrase(phrase: Tree, head: Tree, child: Tree, heads: dict[int, Tree]) -> str:
    name = category(child)
    if name == "TO":
        return "mark"
    if name in VERBS and not child.children:
        return _auxiliary(head, child, heads)
    if name in ("PRT", "RP"):
        return "compound:prt"
    if name in _NOMINAL:
        if "TMP" in child.label:
            return "obl:tmod"
        return "iobj" if name == "NP" and _another_object(phrase, child) else "obj"
    if name in CLAUSES:
        return _complement(child)
    if name == "VP":
        return "xcomp"
    return "xcomp" if name in ("ADJP", "JJ") else _modifier(name)


def _auxiliary(head: Tree, child: Tree, heads: dict[int, Tree]) -> str:
    if category(head) not in VERBS | {"VP"} and child.words.lower() in BE:
        return "cop"
    passive = child.words.lower() in BE and heads[id(head)].label in ("VBN", "VBD")
    return "aux:pass" if passive else "aux"


def _another_object(phrase: Tree, child: Tree) -> bool:
    objects = [node for node in phrase.children if category(node) == "NP" and "TMP" not in node.label]
    return objects[-1].start > child.start


def _complement(clause: Tree) -> str:
    first = clause.children[0] if clause.children else clause
    if category(clause) != "SBAR":
        return "ccomp" if any(category(child) == "NP" for child in clause.children) else "xcomp"
    if category(first) == "IN" and first.words.lower() not in _SUBORDINATORS:
        return "advcl"
    return "advcl" if category(first) == "WHADVP" and first.words.lower() in ("when", "while", "whenever") else "ccomp"


def _in_prepositional(name: str) -> str:
    if name == "PP":
        return "nmod"
    return "case" if name in ("IN", "TO", "VBG", "VBN", "RP", "JJ") else _modifier(name)


def _in_subordinate(head: Tree, child: Tree) -> str:
    name = category(child)
    if name in ("WHNP", "WDT", "WP"):
        has_subject = any(category(part) == "NP" for part in head.children)
        return "obj" if has_subject else "nsubj"
    if name in ("IN", "DT", "TO", "VBG"):
        return "mark"
    return "obl" if name == "WHPP" else _modifier(name)


def _in_clause(head: Tree, child: Tree, heads: dict[int, Tree]) -> str:
    name = category(child)
    if name in _NOMINAL:
        if "TMP" in child.label:
            return "obl:tmod"
        return "nsubj:pass" if _passive(head, heads) else "nsubj"
    if name in VERBS and not child.children:
        return _auxiliary(head, child, heads)
    if name == "SBAR" and child.start < head.start and child.children[0].words.lower() in _SUBORDINATORS:
        return "csubj"
    if name in CLAUSES:
        return "ccomp" if category(head) in CLAUSES or child.words.endswith(("”", '"', "''")) else "advcl"
    return _modifier(name)


def _passive(clause: Tree, heads: dict[int, Tree]) -> bool:
    """Whether the last auxiliary before a participle is a form of *be*."""
    verb, node, before = heads[id(clause)], clause, ""
    while node.children:
        words = [child for child in node.children if not child.children and auxiliary(child.words)]
        before = words[-1].words.lower() if words and words[-1] is not verb else before
        node = head_child(node)
    return verb.label == "VBN" and before in BE


def _modifier(name: str) -> str:
    if name in _ADVERBIAL:
        return "advmod"
    if name in ("PP", "WHPP"):
        return "obl"
    if name in CLAUSES or name == "VP":
        return "advcl"
    if name in _NOMINAL:
        return "obl:npmod"
    if name in ("DT", "PDT", "WDT"):
        return "det"
    if name in ("IN", "TO"):
        return "mark"
    if name in ("MD", "VB", "VBD", "VBP", "VBZ"):
        return "aux"
    return "amod" if name in _DESCRIBING else "dep"
