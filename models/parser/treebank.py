"""Treebanks as the parser learns them: words, tags and labelled spans, read from a data folder."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from concord.language.trees import Tree, read_brackets

Span = tuple[str, int, int]
SPACING_MARK = "␟"

_HYPHENS = frozenset("-‐‑–")
_ROOTS = frozenset({"ROOT", "TOP", ""})


@dataclass(frozen=True)
class Sentence:
    """A tree by the numbers of its words; spans in preorder, so that of two alike the outer one is first.

    `glued` says of every word whether the next one follows without a blank.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    spans: tuple[Span, ...]
    glued: tuple[bool, ...]

    @property
    def text(self) -> str:
        """The running text."""
        return "".join(
            word + ("" if glued else " ") for word, glued in zip(self.words, self.glued, strict=True)
        ).strip()


def treebank(folder: Path, split: str) -> list[Sentence]:
    """The sentences of `gum_SPLIT.ptb.gz`, with the spacing of `gum_SPLIT.spacing.tsv.gz`."""
    lines = gzip.decompress((folder / f"gum_{split}.spacing.tsv.gz").read_bytes()).decode().splitlines()
    trees = list(_trees(gzip.decompress((folder / f"gum_{split}.ptb.gz").read_bytes()).decode()))
    return [_sentence(tree, line.split("\t", 1)[1]) for tree, line in zip(trees, lines, strict=True)]


def unlabelled(folder: Path) -> list[tuple[str, ...]]:
    """The sentences of `unlabelled_tokenised.txt.gz`: words between blanks, the sign of an amount being one."""
    lines = gzip.decompress((folder / "unlabelled_tokenised.txt.gz").read_bytes()).decode().splitlines()
    return [tuple(re.sub(r"\$(?=\d)", "$ ", line).split()) for line in lines if line.strip()]


def merged(sentence: Sentence) -> Sentence:
    """The sentence with words such as "well - known", which the treebank takes apart, in one piece again."""
    runs = [run for run in _runs(sentence) if not any(_crosses(span, run) for span in sentence.spans)]
    if not runs:
        return sentence
    moved = _moved(len(sentence.words), runs)
    kept = [span for span in sentence.spans if not any(_vanishes(span, run, sentence.spans) for run in runs)]
    heads = dict(runs)
    pieces = [(at, heads.get(at, at + 1)) for at in range(len(sentence.words)) if moved[at] != moved[at - 1] or not at]
    return Sentence(
        tuple("".join(sentence.words[start:end]) for start, end in pieces),
        tuple(_tag(sentence.tags, start, end) for start, end in pieces),
        tuple((label, moved[start], moved[end]) for label, start, end in kept),
        tuple(sentence.glued[end - 1] for _, end in pieces),
    )


def _trees(text: str) -> Iterator[Tree]:
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if not line.startswith(";")]
        if lines:
            yield read_brackets("\n".join(lines))


def _sentence(tree: Tree, spacing: str) -> Sentence:
    leaves = tree.leaves()
    at = {leaf.start: number for number, leaf in enumerate(leaves)}
    after = {leaf.end: number + 1 for number, leaf in enumerate(leaves)}
    spans = [(_bare(node.label), at[node.start], after[node.end]) for node in tree.nodes() if node.children]
    written = spacing.split(SPACING_MARK)
    if len(written) != len(leaves):
        raise ValueError(f"the spacing file has {len(written)} words where the tree has {len(leaves)}: {tree.words}")
    return Sentence(
        tuple(leaf.words for leaf in leaves),
        tuple(leaf.label for leaf in leaves),
        _cleaned(spans),
        tuple(not word.endswith(" ") for word in written),
    )


def _bare(label: str) -> str:
    """The label without its functions: NP for NP-SBJ=2."""
    return re.split(r"[-=|]", label)[0] if not label.startswith("-") else label


def _cleaned(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Without the root above the sentence, and without phrases that hold only a phrase of their own label."""
    inner = [span for span in spans if span[0] not in _ROOTS]
    kept = [span for number, span in enumerate(inner) if inner[number + 1 : number + 2] != [span]]
    whole = max((span[2] for span in spans), default=0)
    if not any((start, end) == (0, whole) for _, start, end in kept):
        kept.insert(0, ("FRAG", 0, whole))
    return tuple(kept)


def _runs(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Where words and hyphens follow each other without a blank."""
    at = 0
    while at < len(sentence.words):
        end = at + 1
        while _goes_on(sentence, end, ("HYPH", ":", "SYM") if end == at + 1 else ("HYPH",)):
            end += 2
        if end > at + 1:
            yield at, end
        at = end


def _goes_on(sentence: Sentence, hyphen: int, tags: Sequence[str]) -> bool:
    words, glued = sentence.words, sentence.glued
    return (
        hyphen + 1 < len(words)
        and words[hyphen] in _HYPHENS
        and sentence.tags[hyphen] in tags
        and glued[hyphen - 1]
        and glued[hyphen]
        and words[hyphen - 1][-1].isalnum()
        and words[hyphen + 1][0].isalnum()
    )


def _crosses(span: Span, run: tuple[int, int]) -> bool:
    _, start, end = span
    return start < run[0] < end < run[1] or run[0] < start < run[1] < end


def _vanishes(span: Span, run: tuple[int, int], spans: Sequence[Span]) -> bool:
    """A phrase inside of what is now one word; or an adjective phrase over that word inside a noun phrase."""
    label, start, end = span
    if run[0] <= start and end <= run[1] and (start, end) != run:
        return True
    if (start, end) != run or label not in ("ADJP", "NML"):
        return False
    around = [other for other in spans if other[1] <= start and end <= other[2] and (other[1], other[2]) != run]
    return bool(around) and around[-1][0] == "NP"


def _moved(words: int, runs: Sequence[tuple[int, int]]) -> list[int]:
    """The number that each fencepost gets when every run becomes one word."""
    inside = {at for start, end in runs for at in range(start + 1, end)}
    moved, number = [], -1
    for at in range(words + 1):
        number += at not in inside
        moved.append(number)
    return moved


def _tag(tags: Sequence[str], start: int, end: int) -> str:
    """The tag of a merged word: its last one's, but an adjective's before a noun or after a participle."""
    tag = tags[end - 1]
    if end == start + 1 or all(each in ("NNP", "NNPS", "HYPH") for each in tags[start:end]):
        return tag
    following = tags[end] if end < len(tags) else ""
    if tag in ("VBN", "VBG", "VBD", "JJ"):
        return "JJ"
    return "JJ" if tag in ("NN", "NNS", "NNP", "CD", "IN", "RP") and following.startswith("NN") else tag
