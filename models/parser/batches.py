"""Sentences as the tensors that the network is trained and asked with."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from concord.language.parse._model import JOINT
from concord.language.parse._pieces import UNKNOWN, CodedSentence, Pieces
from models.parser.treebank import Sentence


@dataclass(frozen=True)
class Inventory:
    """The labels and tags that the network tells apart; the first label is "no phrase"."""

    labels: list[str]
    tags: list[str]

    @classmethod
    def of(cls, sentences: Iterable[Sentence], least: int = 3) -> Inventory:
        """Every single label and every tag, and the joint labels seen at least so often."""
        labels: Counter[str] = Counter()
        tags: Counter[str] = Counter()
        for sentence in sentences:
            labels.update(joined(sentence).values())
            tags.update(sentence.tags)
            labels.update({label: 0 for label, _, _ in sentence.spans})
        kept = [label for label, count in labels.most_common() if count >= least or JOINT not in label]
        return cls(["", *kept], [tag for tag, _ in tags.most_common()])


@dataclass(frozen=True)
class Item:
    """One sentence to learn. `labels` holds one number, or the teacher's logits, for every span."""

    coded: CodedSentence
    labels: np.ndarray
    tags: np.ndarray

    @property
    def soft(self) -> bool:
        return self.labels.ndim > 1


def joined(sentence: Sentence) -> dict[tuple[int, int], str]:
    """The label of every span, the labels of phrases over the same words joined."""
    found: dict[tuple[int, int], str] = {}
    for label, start, end in sentence.spans:
        found[start, end] = f"{found[start, end]}{JOINT}{label}" if (start, end) in found else label
    return found


def item(sentence: Sentence, pieces: Pieces, inventory: Inventory) -> Item:
    """A sentence of the treebank with its numbers."""
    posts = len(sentence.words) + 1
    table = np.zeros((posts, posts), np.int16)
    for (start, end), label in joined(sentence).items():
        table[start, end] = _known(label, inventory.labels)
    tags = [inventory.tags.index(tag) if tag in inventory.tags else 0 for tag in sentence.tags]
    return Item(pieces.code(sentence.words), table[np.triu_indices(posts, 1)], np.array(tags, np.int16))


def _known(label: str, labels: list[str]) -> int:
    """The label's number; a joint label too rare to have one loses its innermost parts."""
    while label not in labels:
        label = label.rpartition(JOINT)[0]
        if not label:
            return 0
    return labels.index(label)


def shuffled(items: Sequence[Item], size: int, rng: random.Random) -> Iterator[list[Item]]:
    """Batches in random order, each of sentences that are about as long, hard and soft ones apart."""
    made = []
    for soft in (False, True):
        chosen = [each for each in items if each.soft == soft]
        rng.shuffle(chosen)
        pool = size * 30
        for at in range(0, len(chosen), pool):
            near = sorted(chosen[at : at + pool], key=lambda each: len(each.coded.pieces))
            made += [near[start : start + size] for start in range(0, len(near), size)]
    rng.shuffle(made)
    yield from made


def tensors(coded: Sequence[CodedSentence]) -> dict[str, Tensor]:
    """Padded pieces and words, and the fenceposts of every span of every sentence, in reading order."""
    count, length = len(coded), max(len(each.pieces) for each in coded)
    words = max(len(each.first) for each in coded)
    made = {name: torch.zeros(count, length, dtype=torch.long) for name in ("pieces", "shapes")}
    made |= {name: torch.zeros(count, words, dtype=torch.long) for name in ("first", "last")}
    made["mask"] = torch.zeros(count, length, dtype=torch.bool)
    left, right = [], []
    for row, each in enumerate(coded):
        for name in ("pieces", "shapes", "first", "last"):
            values = getattr(each, name)
            made[name][row, : len(values)] = torch.tensor(values)
        made["mask"][row, : len(each.pieces)] = True
        start, end = np.triu_indices(len(each.first) - 1, 1)
        left.append(start + row * (words - 1))
        right.append(end + row * (words - 1))
    made["left"] = torch.from_numpy(np.concatenate(left))
    made["right"] = torch.from_numpy(np.concatenate(right))
    return made


def reshaped(coded: CodedSentence, shape: int) -> CodedSentence:
    """The sentence as if all its words were written alike, so that headlines and careless writing are seen too."""
    letters = (0, 1, 2, 3, 6)
    return coded._replace(shapes=[shape if each in letters else each for each in coded.shapes])


def without(coded: CodedSentence, hidden: set[int]) -> CodedSentence:
    """The sentence with some of its pieces unknown."""
    return coded._replace(pieces=[UNKNOWN if at in hidden else piece for at, piece in enumerate(coded.pieces)])
