"""The gate that every substitute passes: not a variant, common, tagged and parsed as before, near in meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from concord.errors import ServiceError
from concord.model import Text
from concord.text.languages import base
from concord.text.lexicon import lexicon, variants
from concord.text.stopwords import stop_words
from concord.text.substitutes import Embed, Parse, Slot, Substitute
from concord.text.trees import ROOTS, Tree

SPARE = 3
"""How many candidates are tried for each one that is wanted."""


@dataclass(slots=True)
class Gate:
    """What a substitute must be; `rejected` counts those that were not, by reason.

    `parse` and `embed` are asked only where they are given: without a parser no tree is compared, without
    an encoder no meaning. `rarest` is the highest rank by frequency, for languages that the lexicon knows.
    """

    parse: Parse | None = None
    embed: Embed | None = None
    rarest: int = 25_000
    meaning: float = 0.5
    rejected: Counter[str] = field(default_factory=Counter)

    def admitted(self, found: Sequence[tuple[Slot, Sequence[Substitute]]]) -> list[list[Substitute]]:
        """For each slot those that pass, at most as many as it wants, the best first."""
        kept = [self._plausible(slot, sorted(each, key=_best_first)) for slot, each in found]
        slots = [slot for slot, _ in found]
        if self.parse:
            kept = self._parsed(self.parse, slots, kept)
        if self.embed:
            kept = self._meant(self.embed, slots, kept)
        return [each[: slot.count] for slot, each in zip(slots, kept, strict=True)]

    def _plausible(self, slot: Slot, found: Sequence[Substitute]) -> list[Substitute]:
        kept: list[Substitute] = []
        for each in found:
            if len(kept) == slot.count * SPARE:
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
        if each.kind == "number":
            return ""
        if variants(slot.tree.text[each.start : each.end], each.word):
            return "variant"
        if each.word.lower() in stop_words(slot.lang):
            return "function word"
        if base(slot.lang) != "en":
            return ""
        rank = lexicon().rank(each.word)
        return "frequency" if rank is None or rank > self.rarest else ""

    def _parsed(self, parse: Parse, slots: list[Slot], found: list[list[Substitute]]) -> list[list[Substitute]]:
        asked = [(at, one, *_sentence(slot, one)) for at, slot in enumerate(slots) for one in found[at]]
        made: list[list[Substitute]] = [[] for _ in slots]
        for (at, one, before, _), after in zip(asked, parse([text for *_, text in asked]), strict=True):
            if reason := _broken(before, one, after):
                self.rejected[reason] += 1
            else:
                made[at].append(one)
        return made

    def _meant(self, embed: Embed, slots: list[Slot], found: list[list[Substitute]]) -> list[list[Substitute]]:
        texts = [Text(slot.tree.text, slot.lang) for slot in slots] + [each.text for each in chain(*found)]
        rows = np.asarray(embed(texts), dtype=np.float64)
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        originals, others = rows[: len(slots)], iter(rows[len(slots) :])
        made = []
        for original, each in zip(originals, found, strict=True):
            near = [one for one in each if float(original @ next(others)) >= self.meaning]
            self.rejected["meaning"] += len(each) - len(near)
            made.append(near)
        return made


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
    old, new = before.leaves(), after.leaves()
    at = next((at for at, leaf in enumerate(old) if leaf.start == each.start), len(new))
    if len(old) != len(new) or old[at].label != new[at].label:
        return "tag"
    return "" if before.shape() == after.shape() else "tree"
