"""The network in torch: a small transformer over word pieces, with heads for tags and labelled spans.

The encoder starts as all-MiniLM-L6-v2 (Wang et al. 2020, "MiniLM: Deep Self-Attention Distillation").
Spans are scored from their two fenceposts, as in Kitaev and Klein 2018, "Constituency Parsing with a
Self-Attentive Encoder", but by plain classification: the chart is for decoding only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from concord.language.parse._pieces import SHAPES, SPECIAL

WIDTH, HEADS, POSITIONS = 384, 12, 256


@dataclass(frozen=True)
class Size:
    """How large a network is; `rank` is the width of the embeddings before they are projected."""

    pieces: int
    labels: int
    tags: int
    layers: int = 6
    inner: int = 1536
    rank: int = WIDTH
    span: int = 192
    dropout: float = 0.1
    head_dropout: float = 0.3


def _dropout(chance: float) -> nn.Module:
    # Dropout of nothing would still draw its random numbers.
    return nn.Dropout(chance) if chance else nn.Identity()


class Layer(nn.Module):
    """One transformer layer, normalised after each half."""

    def __init__(self, inner: int, dropout: float) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, inner), nn.Linear(inner, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = _dropout(dropout)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        batch, length, _ = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        weights = (query @ key.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS) + hidden
        mixed = weights.softmax(-1) @ value
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x), approximate="tanh"))))


class Network(nn.Module):
    """Word pieces in, logits of tags and of labelled spans out; label 0 is "no phrase"."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.pieces = nn.Embedding(size.pieces, size.rank)
        self.pieces.weight.requires_grad_(False)
        self.project = nn.Identity() if size.rank == WIDTH else nn.Linear(size.rank, WIDTH, bias=False)
        self.places, self.shapes = nn.Embedding(POSITIONS, WIDTH), nn.Embedding(SHAPES, WIDTH)
        nn.init.zeros_(self.shapes.weight)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(size.inner, size.dropout) for _ in range(size.layers))
        self.left, self.right = nn.Linear(2 * WIDTH, size.span), nn.Linear(2 * WIDTH, size.span)
        self.span_norm, self.label = nn.LayerNorm(size.span), nn.Linear(size.span, size.labels)
        self.tag = nn.Linear(WIDTH, size.tags)
        self.drop, self.head_drop = _dropout(size.dropout), _dropout(size.head_dropout)

    def encode(self, batch: Mapping[str, Tensor]) -> Tensor:
        """One vector per word, the two ends of the sentence included: the mean of its first and last piece."""
        length = batch["pieces"].shape[1]
        x = self.project(self.pieces(batch["pieces"])) + self.places.weight[:length] + self.shapes(batch["shapes"])
        x = self.drop(self.norm(x))
        hidden = (~batch["mask"][:, None, None, :]) * -1e4
        for layer in self.layers:
            x = layer(x, hidden)
        first, last = (batch[end][:, :, None].expand(-1, -1, WIDTH) for end in ("first", "last"))
        return (x.gather(1, first) + x.gather(1, last)) * 0.5

    def forward(self, batch: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits of the tags (sentence, word, tag) and of the wanted spans (span, label)."""
        words = self.encode(batch)
        tags = self.tag(self.head_drop(words[:, 1:-1]))
        posts = self.head_drop(torch.cat([words[:, :-1], words[:, 1:]], -1)).flatten(0, 1)
        # Chosen before they are added: dropout and sums over all pairs of posts would take most of the time.
        spans = self.left(posts)[batch["left"]] + self.right(posts)[batch["right"]]
        return tags, self.label(F.relu(self.span_norm(spans)))


def start_from_minilm(network: Network, folder: Path, vocabulary: list[str]) -> None:
    """Copy MiniLM's layers, and the embeddings of the pieces that the vocabulary keeps."""
    from safetensors.torch import load_file

    weights = load_file(folder / "model.safetensors")
    number = {piece: at for at, piece in enumerate((folder / "vocab.txt").read_text("utf-8").splitlines())}
    with torch.no_grad():
        rows = weights["embeddings.word_embeddings.weight"]
        network.pieces.weight.copy_(rows[[number[piece] for piece in vocabulary]])
        places = weights["embeddings.position_embeddings.weight"][:POSITIONS]
        network.places.weight.copy_(places + weights["embeddings.token_type_embeddings.weight"][0])
        _copy(network.norm, weights, "embeddings.LayerNorm")
        for at, layer in enumerate(network.layers):
            _start_layer(layer, weights, f"encoder.layer.{at}.")


def _start_layer(layer: Any, weights: Mapping[str, Tensor], name: str) -> None:
    for kind in ("weight", "bias"):
        parts = [weights[f"{name}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
        getattr(layer.qkv, kind).copy_(torch.cat(parts))
    _copy(layer.out, weights, f"{name}attention.output.dense")
    _copy(layer.norm1, weights, f"{name}attention.output.LayerNorm")
    _copy(layer.up, weights, f"{name}intermediate.dense")
    _copy(layer.down, weights, f"{name}output.dense")
    _copy(layer.norm2, weights, f"{name}output.LayerNorm")


def _copy(module: Any, weights: Mapping[str, Tensor], name: str) -> None:
    module.weight.copy_(weights[f"{name}.weight"])
    module.bias.copy_(weights[f"{name}.bias"])


def vocabulary(folder: Path) -> list[str]:
    """MiniLM's pieces that English text can need: those in ASCII, and marks and symbols of one character."""
    pieces = (folder / "vocab.txt").read_text("utf-8").splitlines()
    useful = [piece for piece in pieces if not piece.startswith("[") or len(piece) == 1]
    return [*SPECIAL, *(piece for piece in useful if piece.isascii() or (len(piece) == 1 and not piece.isalpha()))]


def student_of(teacher: Network, frequency: Tensor, activity: list[Tensor], small: Size) -> Network:
    """A smaller network that begins as the teacher's lower layers.

    The inner units that were most active are kept, and the embeddings are cut to a lower rank where the
    frequent pieces lose least.
    """
    student = Network(small)
    with torch.no_grad():
        _low_rank(teacher, student, frequency)
        for name in ("shapes", "norm", "left", "right", "span_norm", "label", "tag"):
            getattr(student, name).load_state_dict(getattr(teacher, name).state_dict())
        for own, old, active in zip(student.layers, teacher.layers, activity, strict=False):
            for name in ("qkv", "out", "norm1", "norm2"):
                getattr(own, name).load_state_dict(getattr(old, name).state_dict())
            best = (active * old.down.weight.norm(dim=0)).topk(small.inner).indices.sort().values
            own.up.weight.copy_(old.up.weight[best])
            own.up.bias.copy_(old.up.bias[best])
            own.down.weight.copy_(old.down.weight[:, best])
            own.down.bias.copy_(old.down.bias)
    return student


def _low_rank(teacher: Network, student: Network, frequency: Tensor) -> None:
    rows = teacher.pieces.weight
    mean = (rows * frequency[:, None]).sum(0) / frequency.sum()
    _, _, axes = torch.linalg.svd((rows - mean) * frequency.sqrt()[:, None], full_matrices=False)
    axes = axes[: student.size.rank]
    student.pieces.weight.copy_((rows - mean) @ axes.T)
    student.project.weight.copy_(axes.T)
    student.places.weight.copy_(teacher.places.weight + mean)


def save(network: Network, facts: Mapping[str, Any], file: Path) -> None:
    """Keep a network with its labels, tags and vocabulary; the file appears whole or not at all."""
    made = file.with_suffix(".part")
    torch.save({"state": network.state_dict(), "size": asdict(network.size), **facts}, made)
    made.replace(file)


def load(file: Path, **changed: Any) -> tuple[Network, dict[str, Any]]:
    """A kept network, and the facts kept with it."""
    kept = torch.load(file, weights_only=True)
    network = Network(replace(Size(**kept.pop("size")), **changed))
    network.load_state_dict(kept.pop("state"))
    return network, kept
