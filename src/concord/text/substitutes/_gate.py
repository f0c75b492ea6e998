"""The gate that every substitute passes: not a variant, common, tagged and parsed as before, near in meaning."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from concord.errors import ServiceError
from concord.model import Text
from concord.text.languages import base
from concord.text.lexicon import lexicon, variants
from concord.text.stopwords import stop_words
from concord.text.substitutes import Embed, Parse, Slot, Substitute
from concord.text.substitutes._dates import beside_a_day, shorter_month
from concord.text.trees import ROOTS, Tree

TRUST = 2
"""How many more candidates of a place may be parsed in vain than with success. Where the first ones change the tree,
the parser was not sure of it before, and most of the others change it too; those that do not say little."""

_Tried = tuple[Slot, Substitute]


@dataclass(slots=True)
class Gate:
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
        while asked := [
            (at, waiting[at].popleft())
            for at, (slot, _) in enumerate(found)
            for _ in range(min(slot.count - len(passed[at]), trust[at], len(waiting[at])))
        ]:
            tried = [(found[at][0], one) for at, one in asked]
            built = self._parsed(self.parse, tried) if self.parse else [True] * len(tried)
            fine = self._meant(self.embed, tried, built, rows) if self.embed else built
            for (at, one), as_before, well in zip(asked, built, fine, strict=True):
                passed[at] += [one] * well
                trust[at] += 1 if as_before else -1
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

    def _parsed(self, parse: Parse, tried: Sequence[_Tried]) -> list[bool]:
        sentences = [_sentence(slot, one) for slot, one in tried]
        trees = parse([text for _, text in sentences])
        reasons = [
            _broken(before, one, after) for (before, _), (_, one), after in zip(sentences, tried, trees, strict=True)
        ]
        self.rejected.update(reason for reason in reasons if reason)
        return [not reason for reason in reasons]

    def _meant(self, embed: Embed, tried: Sequence[_Tried], fine: Sequence[bool], rows: dict[Text, Any]) -> list[bool]:
        """Which of those that are fine so far are near in meaning; `rows` keeps the vectors of texts."""
        pairs = [(Text(slot.tree.text, slot.lang), one.text) for slot, one in tried]
        asked = [text for pair, well in zip(pairs, fine, strict=True) if well for text in pair]
        new = [text for text in dict.fromkeys(asked) if text not in rows]
        if new:
            made = np.asarray(embed(new), dtype=np.float64)
            made = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
            rows.update(zip(new, made, strict=True))
        near = [
            well and float(rows[old] @ rows[other]) >= self.meaning
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


def _sentence(slot: Slot, each: Substitute) -> tuple[Tree, Text]:
    """The sentence that holds the word, as it was and as it would be: what stands around it need not be parsed anew."""
    tree, new = slot.tree, each.text
    if tree.label not in ROOTS or len(tree.children) < 2:
        return tree, new
    sentence = next(child for child in tree.children if child.start <= each.start < child.end)
    grown = len(new.words) - len(tree.text)
    whole = Tree(tree.label, sentence.start, sentence.end, (sentence,), tree.text)
    return whole, Text(new.words[sentence.start : sentence.end + grown], new.lang)


def _broken(before: Tree, each: Substitute, after: Tree | ServiceError) -> str:
    """Why the new sentence is not built as the old one; empty if it is."""
    if isinstance(after, ServiceError):
        return "not parsed"
    old, new = list(before.nodes()), list(after.nodes())
    words, others = _words(old), _words(new)
    at = next((at for at, leaf in enumerate(words) if leaf.start == each.start), len(others))
    if len(words) != len(others) or words[at].label != others[at].label:
        return "tag"
    return "" if _labels(old) == _labels(new) else "tree"


def _words(nodes: Sequence[Tree]) -> list[Tree]:
    return [node for node in nodes if not node.children]


def _labels(nodes: Sequence[Tree]) -> list[tuple[str, int]]:
    """What a tree's shape consists of: the nodes from the top down, each with how many it has below."""
    return [(node.label, len(node.children)) for node in nodes]
