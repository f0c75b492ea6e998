"""Heads and relations in shallow trees, whose sentences are rows of chunks and whose words have universal tags."""

from collections.abc import Iterator, Mapping, Sequence

from concord.language import word_set, word_tables
from concord.language.analysis import PARTS_OF_SPEECH
from concord.language.trees import Tree

_NOMINAL = word_set("NOUN PROPN PRON NUM SYM X")
# The part of speech that most likely heads a chunk, and a sentence, comes first.
_IN_CHUNK = ["VERB", "NOUN", "PROPN", "PRON", "ADJ", "AUX", "NUM", "ADV", "X", "ADP", "DET"]
_IN_SENTENCE = ["VERB", "AUX", "NOUN", "PROPN", "PRON", "ADJ", "X", "NUM", "ADV", "INTJ"]
_LABELS: dict[str, str] = word_tables(__file__)["labels"]

Link = tuple[str, Tree, Tree]


def is_shallow(phrase: Tree) -> bool:
    """Whether all its words have universal tags and are its children or grandchildren."""
    below = [leaf for child in phrase.children for leaf in child.children or (child,)]
    return all(not leaf.children and leaf.label in PARTS_OF_SPEECH for leaf in below)


def shallow_head(phrase: Tree) -> Tree:
    """The child that holds the head of a chunk, or of a sentence of chunks."""
    chunked = any(child.children for child in phrase.children)
    order = _IN_SENTENCE if chunked or phrase.label == "S" else _IN_CHUNK
    return _first(phrase.children, order)


def shallow_links(phrase: Tree, heads: Mapping[int, Tree]) -> Iterator[Link]:
    """Label, head and dependent for every child but the head."""
    top = shallow_head(phrase)
    for clause in _clauses(phrase.children):
        own = top if any(child is top for child in clause) else _first(clause, _IN_SENTENCE)
        if own is not top:
            yield _joined(clause, phrase.children), heads[id(top)], heads[id(own)]
        head_number = next(number for number, child in enumerate(clause) if child is own)
        for number, child in enumerate(clause):
            if child is not own:
                holder = _next(clause, number) if phrase.label == "S" else None
                label = _label(clause, number, head_number) if holder is None else _LABELS[_tag(child)]
                yield label, heads[id(holder or own)], heads[id(child)]


def _clauses(children: Sequence[Tree]) -> list[list[Tree]]:
    """Runs that begin with a conjunction or a punctuation mark; a run without a verb of its own joins the last."""
    runs: list[list[Tree]] = [[]]
    for child in children:
        if runs[-1] and _tag(child) in ("CCONJ", "SCONJ", "PUNCT"):
            runs.append([])
        runs[-1].append(child)
    whole = [runs[0]]
    for run in runs[1:]:
        if _verbal(run) and _verbal(whole[-1]):
            whole.append(run)
        else:
            whole[-1] += run
    return whole


def _verbal(run: Sequence[Tree]) -> bool:
    return any(_tag(child) in ("VERB", "AUX") for child in run)


def _joined(clause: Sequence[Tree], children: Sequence[Tree]) -> str:
    before = [child for child in children if child.end <= clause[0].start]
    first = _tag(clause[0])
    if first == "SCONJ":
        return "ccomp" if before and _tag(before[-1]) in ("VERB", "AUX") else "advcl"
    return "conj" if first == "CCONJ" else "parataxis"


def _first(children: Sequence[Tree], order: Sequence[str]) -> Tree:
    tags = [_tag(child) for child in children]
    return next((children[tags.index(tag)] for tag in order if tag in tags), children[0])


def _tag(child: Tree) -> str:
    return shallow_head(child).label if child.children else child.label


def _next(children: Sequence[Tree], number: int) -> Tree | None:
    """The head of an adposition, article or conjunction: the next chunk or word with content of its own."""
    if _tag(children[number]) not in ("ADP", "DET", "CCONJ") or (not number and _tag(children[0]) == "CCONJ"):
        return None
    for child in children[number + 1 :]:
        if _tag(child) in _NOMINAL or _tag(child) in ("VERB", "ADJ"):
            return child
        if _tag(child) == "PUNCT":
            return None
    return None


def _label(children: Sequence[Tree], number: int, head_number: int) -> str:
    child, head = children[number], children[head_number]
    tag, verbal = _tag(child), _tag(head) in ("VERB", "AUX")
    before = children[number - 1] if number else None
    if tag in _LABELS:
        return _LABELS[tag]
    if before is not None and _tag(before) == "CCONJ" and number > 1:
        return "conj"
    if before is not None and _tag(before) == "ADP":
        return "obl" if verbal else "nmod"
    if tag in ("VERB", "AUX"):
        return "advcl" if before is not None and _tag(before) == "SCONJ" else "dep"
    if tag == "ADJ":
        return "xcomp" if verbal else "amod"
    if tag in ("NUM", "SYM") and not verbal:
        return "nummod"
    if verbal and tag in _NOMINAL:
        return "nsubj" if number < head_number else "obj"
    return "compound" if tag in _NOMINAL else "dep"
