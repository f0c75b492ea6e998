"""Training: cross-entropy over all spans and tags, with AdamW and a linearly falling rate."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from models.parser.batches import Item, reshaped, shuffled, tensors, without
from models.parser.network import Network

HEADS = ("shapes", "left", "right", "span_norm", "label", "tag")
SMALL, CAPITAL = 0, 2


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn; `minutes` ends it early, with the rate falling accordingly.

    `hidden` is the share of word pieces that are hidden in the treebank's sentences, so that a network does not
    learn them by heart.
    """

    epochs: int
    rate: float
    head_rate: float
    minutes: float = 1e9
    batch: int = 32
    warm: int = 200
    hidden: float = 0.0


def train(
    network: Network,
    items: Sequence[Item],
    schedule: Schedule,
    after_epoch: Callable[[int, float], None],
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Train the network in place; `after_epoch` is told the epoch and its mean loss."""
    rng = random.Random(1)
    optimizer = _optimizer(network, schedule)
    total = schedule.epochs * -(-len(items) // schedule.batch)
    began, step = clock(), 0
    for epoch in range(schedule.epochs):
        network.train()
        losses = []
        for batch in shuffled(items, schedule.batch, rng):
            done = max(step / total, (clock() - began) / 60 / schedule.minutes)
            if done >= 1:
                break
            scale = min(1.0, (step + 1) / schedule.warm) * max(0.01, 1 - done)
            varied = [_varied(each, rng, schedule.hidden) for each in batch]
            losses.append(_step(network, varied, optimizer, scale))
            step += 1
        after_epoch(epoch, sum(losses) / max(1, len(losses)))
        if (clock() - began) / 60 >= schedule.minutes:
            break


def _optimizer(network: Network, schedule: Schedule) -> torch.optim.AdamW:
    learned = [(name, each) for name, each in network.named_parameters() if each.requires_grad]
    heads = [each for name, each in learned if name.split(".")[0] in HEADS]
    body = [each for name, each in learned if name.split(".")[0] not in HEADS]
    groups = [
        {"params": body, "lr": schedule.rate, "base": schedule.rate},
        {"params": heads, "lr": schedule.head_rate, "base": schedule.head_rate},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=True)


def _step(network: Network, batch: list[Item], optimizer: torch.optim.AdamW, scale: float) -> float:
    for group in optimizer.param_groups:
        group["lr"] = group["base"] * scale
    tags, spans = network(tensors([each.coded for each in batch]))
    loss = _loss(tags, spans, batch)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([each for group in optimizer.param_groups for each in group["params"]], 1.0)
    optimizer.step()
    return float(loss.detach())


def _varied(each: Item, rng: random.Random, hidden: float) -> Item:
    coded = each.coded
    if hidden and not each.soft:
        coded = without(coded, {at for at in range(1, len(coded.pieces) - 1) if rng.random() < hidden})
    chance = rng.random()
    if chance < 0.05:
        coded = reshaped(coded, SMALL if chance < 0.03 else CAPITAL)
    return Item(coded, each.labels, each.tags)


def _loss(tags: Tensor, spans: Tensor, batch: list[Item]) -> Tensor:
    chosen = torch.cat([row[: len(each.tags)] for row, each in zip(tags, batch, strict=True)])
    return (
        _entropy(spans, [each.labels for each in batch]) + 0.5 * _entropy(chosen, [each.tags for each in batch])
    ) / (10 * len(batch))


def _entropy(logits: Tensor, wanted: Sequence[object]) -> Tensor:
    """The cross-entropy to numbers of classes or, where the teacher's logits are given, to its probabilities."""
    target = torch.cat([torch.from_numpy(each) for each in wanted])  # type: ignore[arg-type]
    if target.ndim == 1:
        return F.cross_entropy(logits, target.long(), reduction="sum")
    return F.cross_entropy(logits, target.float().softmax(-1), reduction="sum")
