"""The gate that every substitute passes: not a variant, common, tagged and parsed as before, near in meaning."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from concord.errors import ServiceError
from concord.language.codes import base
from concord.language.english.lexicon import lexicon, variants
from concord.language.stopwords import stop_words
from concord.language.substitutes import Embed, Parse, Slot, Substitute
from concord.language.substitutes._dates import beside_a_day, shorter_month
from concord.language.substitutes._joint_parse import Try, groups, replaced
from concord.language.substitutes._slot import NAMES
from concord.language.trees import Tree
from concord.model import Text
from concord.options import Count, Within

VERSION = "4"
"""Another one whenever the gate lets others pass; it is part of the versions of the sources that use it."""
TRUST = 2
"""How many more candidates of a place may be parsed in vain than with success. Where the first ones change the tree,
the parser was not sure of it before, and most of the others change it too; those that do not say little."""

Rarest = Annotated[Count, "Highest rank by frequency that a substitute may have."]
Meaning = Annotated[float, Within(-1, 1), "Least cosine between the sentences' vectors, where there is an encoder."]
OF_ONE_KIND = frozenset({"synonym", "co-hyponym"})
"""What the lexicon's names are to each other: both are rivers, or women's names."""


@dataclass(slots=True)
class SubstituteGate:
    """What a substitute must be; `rejected` counts those that were not, by reason.

    `parse` and `embed` are asked only where they are given: without a parser no tree is compared, without
    an encoder no meaning. `rarest` is the highest rank by frequency, for languages that the lexicon knows. What costs
    least to find out is asked first.
    """

    parse: Parse | None = None
    embed: Embed | None = None
    rarest: int = 25_000
    meaning: float = 0.5
    rejected: Counter[str] = field(default_factory=Counter)

    def admitted(self, found: Sequence[tuple[Slot, Sequence[Substitute]]]) -> list[list[Substitute]]:
        """For each slot those that pass, at most as many as it wants, the best first."""
        waiting = [deque(self._plausible(slot, sorted(each, key=_best_first))) for slot, each in found]
        passed: list[list[Substitute]] = [[] for _ in found]
        rows: dict[Text, Any] = {}
        trust = [TRUST] * len(found)
        # Parsing is dear: no more are tried than are wanted, nor than those before them give hope for.
        while tries := [
            Try(at, slot, waiting[at].popleft())
            for at, (slot, _) in enumerate(found)
            for _ in range(min(slot.count - len(passed[at]), trust[at], len(waiting[at])))
        ]:
            built = self._parsed(self.parse, tries) if self.parse else [True] * len(tries)
            fine = self._meant(self.embed, tries, built, rows) if self.embed else built
            for each, as_before, well in zip(tries, built, fine, strict=True):
                passed[each.at] += [each.one] * well
                trust[each.at] += 1 if as_before else -1
        return passed

    def _plausible(self, slot: Slot, found: Sequence[Substitute]) -> list[Substitute]:
        kept: list[Substitute] = []
        for each in found:
            if len(kept) == 2 * slot.count + TRUST:
                break
            reason = self._fault(slot, each) or _doubles(each, kept)
            if reason:
                self.rejected[reason] += 1
            else:
                kept.append(each)
        return kept

    def _fault(self, slot: Slot, each: Substitute) -> str:
        if each.kind not in slot.kinds:
            return "kind"
        if each.score < slot.least and each.kind != "masked":
            return "similarity"
        if each.kind == "number":
            return ""
        old = slot.tree.text[each.start : each.end]
        if variants(old, each.word):
            return "variant"
        if shorter_month(old, each.word) and beside_a_day(slot.tree.leaves(), each.start):
            return "date"
        if each.word.lower() in stop_words(slot.lang):
            return "function word"
        if base(slot.lang) != "en":
            return ""
        rank = lexicon().rank(each.word)
        return "frequency" if rank is None or rank > self.rarest else ""

    def _parsed(self, parse: Parse, tries: Sequence[Try]) -> list[bool]:
        """Which keep tag and tree: those of one sentence are parsed together, and apart only where that fails."""
        kept = {each: True for each in tries if _alike(each)}
        together = groups([each for each in tries if each not in kept])
        for group, reason in zip(together, _reasons(parse, together), strict=True):
            if not reason or len(group) == 1:
                kept.update(dict.fromkeys(group, not reason))
                self.rejected.update([reason] if reason else [])
        apart = [[each] for each in tries if each not in kept]
        for (each,), reason in zip(apart, _reasons(parse, apart), strict=True):
            kept[each] = not reason
            self.rejected.update([reason] if reason else [])
        return [kept[each] for each in tries]

    def _meant(self, embed: Embed, tries: Sequence[Try], fine: Sequence[bool], rows: dict[Text, Any]) -> list[bool]:
        """Which of those that are fine so far are near in meaning; `rows` keeps the vectors of texts.

        Encoders compute by libraries of their own: on another processor, one within 1e-6 of the limit may be another.
        """
        pairs = [(Text(slot.tree.text, slot.lang), one.text) for _, slot, one in tries]
        asked = [text for pair, well in zip(pairs, fine, strict=True) if well for text in pair]
        new = [text for text in dict.fromkeys(asked) if text not in rows]
        if new:
            made = np.asarray(embed(new), dtype=np.float64)
            made = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
            rows.update(zip(new, made, strict=True))
        near = [
            well and float((rows[old] * rows[other]).sum()) >= self.meaning
            for well, (old, other) in zip(fine, pairs, strict=True)
        ]
        self.rejected["meaning"] += sum(fine) - sum(near)
        return near


def _doubles(each: Substitute, kept: Sequence[Substitute]) -> str:
    """Whether the word is already there in another spelling."""
    here = [other for other in kept if other.start == each.start]
    if each.kind == "number":
        return "variant" if any(other.word == each.word for other in here) else ""
    return "variant" if any(variants(other.word, each.word) for other in here) else ""


def _best_first(each: Substitute) -> tuple[float, str]:
    return -each.score, each.text.words


def _alike(each: Try) -> bool:
    """Whether it is built into the sentence as the old word was, and a parser that says no is wavering.

    So is a number of the same shape, and a name that names the same kind of thing.
    """
    if each.one.kind == "number":
        return True
    return each.one.kind in OF_ONE_KIND and _tag(each.slot.tree, each.one.start) in NAMES


def _tag(tree: Tree, start: int) -> str:
    while tree.children:
        tree = next(child for child in tree.children if child.start <= start < child.end)
    return tree.label


def _reasons(parse: Parse, tried: Sequence[Sequence[Try]]) -> Iterator[str]:
    """Why each of some sentences, with one word replaced or several, is not built as the old one; empty if it is."""
    sentences = [replaced(group) for group in tried]
    trees = parse([each.after for each in sentences]) if sentences else []
    for group, sentence, tree in zip(tried, sentences, trees, strict=True):
        yield _broken(sentence.before, [each.one.start for each in group], tree)


def _broken(before: Tree, starts: Sequence[int], after: Tree | ServiceError) -> str:
    if isinstance(after, ServiceError):
        return "not parsed"
    old, new = list(before.nodes()), list(after.nodes())
    if _labels(old) == _labels(new):
        return ""
    words, others = _words(old), _words(new)
    if len(words) != len(others):
        return "tag"
    tags = [(leaf.label, other.label) for leaf, other in zip(words, others, strict=True) if leaf.start in starts]
    return "tree" if all(one == other for one, other in tags) else "tag"


def _words(nodes: Sequence[Tree]) -> list[Tree]:
    return [node for node in nodes if not node.children]


def _labels(nodes: Sequence[Tree]) -> list[tuple[str, int]]:
    """What a tree's shape consists of: the nodes from the top down, each with how many it has below."""
    return [(node.label, len(node.children)) for node in nodes]
