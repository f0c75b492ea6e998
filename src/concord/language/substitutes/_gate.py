"""The gate for substitutes: common, near in meaning, no variant of the word, and tagged and parsed as it is."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from concord.errors import ServiceError
from concord.language.codes import base
from concord.language.english.lexicon import lexicon, variants
from concord.language.stopwords import stop_words
from concord.language.substitutes import PHRASE, Embed, Parse, Slot, Substitute
from concord.language.substitutes._dates import beside_a_day, shorter_month
from concord.language.substitutes._joint_parse import Try, groups, replaced
from concord.language.substitutes._slot import NAMES
from concord.language.trees import Tree
from concord.model import Text
from concord.options import Count, Within

VERSION = "4"
"""It changes whenever other substitutes pass; it is part of the versions of the sources that use the gate."""
TRUST = 2
"""Where the first candidates change the tree, the parser was not sure of it before, and most of the others change it
too; those that do not say little."""

Rarest = Annotated[Count, "Highest rank by frequency that a substitute may have."]
Meaning = Annotated[float, Within(-1, 1), "Least cosine between the sentences' vectors, where there is an encoder."]
OF_ONE_KIND = frozenset({"synonym", "co-hyponym"})
"""The kinds of substitutes for a name that denote the same kind of thing: both are rivers, or women's names."""


@dataclass(slots=True)
class SubstituteGate:
    """The conditions on a substitute; `rejected` counts the candidates that do not meet them, by reason.

    Without `parse` no trees are compared, without `embed` no meanings. `rarest` is the highest rank by frequency, for
    languages that the lexicon knows, `trust` how many more candidates for a slot may fail the parse than pass it. The
    cheapest condition is checked first.
    """

    parse: Parse | None = None
    embed: Embed | None = None
    rarest: int = 25_000
    meaning: float = 0.5
    rejected: Counter[str] = field(default_factory=Counter)
    trust: int = TRUST

    def admitted(self, candidates: Sequence[tuple[Slot, Sequence[Substitute]]]) -> list[list[Substitute]]:
        """For each slot the substitutes that pass, at most as many as it asks for, the best first."""
        waiting = [deque(self._plausible(slot, substitutes)) for slot, substitutes in candidates]
        passed: list[list[Substitute]] = [[] for _ in candidates]
        rows: dict[Text, Any] = {}
        trust = [self.trust] * len(candidates)
        # Parsing is expensive: no more are tried than are asked for, and than the previous ones make promising.
        while tries := [
            Try(number, slot, waiting[number].popleft())
            for number, (slot, _) in enumerate(candidates)
            for _ in range(min(slot.count - len(passed[number]), trust[number], len(waiting[number])))
        ]:
            same_tree = self._keep_tree(self.parse, tries) if self.parse else [True] * len(tries)
            passing = self._near_in_meaning(self.embed, tries, same_tree, rows) if self.embed else same_tree
            for attempt, keeps_tree, passes in zip(tries, same_tree, passing, strict=True):
                passed[attempt.slot_number] += [attempt.substitute] * passes
                trust[attempt.slot_number] += 1 if keeps_tree else -1
        return passed

    def _plausible(self, slot: Slot, candidates: Sequence[Substitute]) -> list[Substitute]:
        plausible: list[Substitute] = []
        for candidate in sorted(candidates, key=lambda substitute: (-substitute.score, substitute.text.words)):
            if len(plausible) == 2 * slot.count + self.trust:
                break
            reason = self._fault(slot, candidate) or _duplicate(candidate, plausible)
            if reason:
                self.rejected[reason] += 1
            else:
                plausible.append(candidate)
        return plausible

    def _fault(self, slot: Slot, candidate: Substitute) -> str:
        if candidate.kind not in slot.kinds:
            return "kind"
        if candidate.score < slot.least and candidate.kind != "masked":
            return "similarity"
        if candidate.kind in ("number", PHRASE):
            return ""
        old = slot.tree.text[candidate.start : candidate.end]
        if variants(old, candidate.word):
            return "variant"
        if shorter_month(old, candidate.word) and beside_a_day(slot.tree.leaves(), candidate.start):
            return "date"
        if candidate.word.lower() in stop_words(slot.lang):
            return "function word"
        if base(slot.lang) != "en":
            return ""
        rank = lexicon().rank(candidate.word)
        return "frequency" if rank is None or rank > self.rarest else ""

    def _keep_tree(self, parse: Parse, tries: Sequence[Try]) -> list[bool]:
        """Which keep tag and tree; those of one sentence are parsed together, and apart only where that fails."""
        same_tree = {attempt: True for attempt in tries if _surely_same_tree(attempt)}
        together = groups([attempt for attempt in tries if attempt not in same_tree])
        for group, reason in zip(together, _reasons(parse, together), strict=True):
            if not reason or len(group) == 1:
                same_tree.update(dict.fromkeys(group, not reason))
                self.rejected.update([reason] if reason else [])
        apart = [[attempt] for attempt in tries if attempt not in same_tree]
        for (attempt,), reason in zip(apart, _reasons(parse, apart), strict=True):
            same_tree[attempt] = not reason
            self.rejected.update([reason] if reason else [])
        return [same_tree[attempt] for attempt in tries]

    def _near_in_meaning(
        self, embed: Embed, tries: Sequence[Try], passing: Sequence[bool], rows: dict[Text, Any]
    ) -> list[bool]:
        """Which of those that pass so far are near in meaning; `rows` keeps the vectors of texts.

        Encoders compute by libraries of their own: a similarity within 1e-6 of the limit may be judged differently on
        another processor.
        """
        pairs = [(Text(slot.tree.text, slot.lang), substitute.text) for _, slot, substitute in tries]
        texts = [text for pair, passes in zip(pairs, passing, strict=True) if passes for text in pair]
        new = [text for text in dict.fromkeys(texts) if text not in rows]
        if new:
            vectors = np.asarray(embed(new), dtype=np.float64)
            vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
            rows.update(zip(new, vectors, strict=True))
        near = [
            passes and float((rows[old] * rows[new_text]).sum()) >= self.meaning
            for passes, (old, new_text) in zip(passing, pairs, strict=True)
        ]
        self.rejected["meaning"] += sum(passing) - sum(near)
        return near


def _duplicate(candidate: Substitute, plausible: Sequence[Substitute]) -> str:
    """The reason to reject a word that was already found, perhaps in another spelling; otherwise empty."""
    same_word = [substitute for substitute in plausible if substitute.start == candidate.start]
    if candidate.kind == "number":
        return "variant" if any(substitute.word == candidate.word for substitute in same_word) else ""
    return "variant" if any(variants(substitute.word, candidate.word) for substitute in same_word) else ""


def _surely_same_tree(attempt: Try) -> bool:
    """Whether the tree surely stays the same, even if the parser is not certain of it.

    This holds for a number of the same shape, and for a name of the same kind of thing.
    """
    if attempt.substitute.kind == "number":
        return True
    return attempt.substitute.kind in OF_ONE_KIND and _tag(attempt.slot.tree, attempt.substitute.start) in NAMES


def _tag(tree: Tree, start: int) -> str:
    while tree.children:
        tree = next(child for child in tree.children if child.start <= start < child.end)
    return tree.label


def _reasons(parse: Parse, attempts: Sequence[Sequence[Try]]) -> Iterator[str]:
    """Why each sentence, with one or several words replaced, has another tree than the old one; empty if it has not."""
    sentences = [replaced(group) for group in attempts]
    trees = parse([after for _, after in sentences]) if sentences else []
    for group, (before, _), tree in zip(attempts, sentences, trees, strict=True):
        yield _difference(before, [version.substitute.start for version in group], tree)


def _difference(before: Tree, starts: Sequence[int], after: Tree | ServiceError) -> str:
    if isinstance(after, ServiceError):
        return "not parsed"
    if _labels(before) == _labels(after):
        return ""
    old_words, new_words = before.leaves(), after.leaves()
    if len(old_words) != len(new_words):
        return "tag"
    pairs = [(word, new_word) for word, new_word in zip(old_words, new_words, strict=True) if word.start in starts]
    return "tree" if all(word.label == new_word.label for word, new_word in pairs) else "tag"


def _labels(tree: Tree) -> list[tuple[str, int]]:
    """The shape of a tree: the labels of its nodes in preorder, each with the number of its children."""
    return [(node.label, len(node.children)) for node in tree.nodes()]
