"""Fine-tune an OPUS-MT model on corrected translations, as He et al. (ICSE 2021, section IV-F) did.

    python examples/fine_tuning/fine_tune.py MODEL CORRECTIONS.jsonl OUTPUT [--held-out PAIRS.tsv] [--epochs 8]

MODEL is a folder or a name of the hub, CORRECTIONS what `concord export --what corrections` writes (`source` and
`corrected` of each line are read), and OUTPUT a new folder, for `--system huggingface:OUTPUT`. PAIRS.tsv has other
sentences with their translations, a tab between. Prints the loss on both after each epoch, how many corrections the
model gives word for word, and BLEU on the other sentences, before and after. Needs `concord-mt[huggingface]`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sacrebleu
import torch
from sacrebleu.significance import PairedTest
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from concord.language.models import quiet

IGNORED = -100
"""The label of padding, which the loss leaves out."""
Pairs = Sequence[tuple[str, str]]


def main(words: Sequence[str]) -> int:
    options = arguments(words)
    if options.output.exists():
        print(f"{options.output} is there already", file=sys.stderr)
        return 1
    corrections = read_corrections(options.corrections)
    others = read_pairs(options.held_out) if options.held_out else []
    if not corrections:
        print(f"{options.corrections} has no corrections", file=sys.stderr)
        return 1
    torch.manual_seed(options.seed)
    model = Model(options.model, options.beams, options.batch)
    before = [model.translated(pairs) for pairs in (corrections, others)]
    print(f"before: loss {model.loss(corrections):.3f} on corrections{also(model, others)}", flush=True)
    optimizer = torch.optim.AdamW(model.network.parameters(), lr=options.rate)
    for epoch in range(1, options.epochs + 1):
        model.train(corrections, optimizer, random.Random(options.seed + epoch))
        print(f"epoch {epoch}: loss {model.loss(corrections):.3f} on corrections{also(model, others)}", flush=True)
    after = [model.translated(pairs) for pairs in (corrections, others)]
    model.save(options.output)
    exact = [sum(map(str.__eq__, said[0], (corrected for _, corrected in corrections))) for said in (before, after)]
    print(f"corrections given word for word: {exact[0]} before, {exact[1]} after, of {len(corrections)}")
    if others:
        print_bleu(before[1], after[1], [reference for _, reference in others])
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("corrections", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--held-out", type=Path)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-5)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--beams", type=int, default=1)
    parser.add_argument("--seed", type=int, default=12345)
    return parser.parse_args(words)


def read_corrections(path: Path) -> list[tuple[str, str]]:
    """Each source with its correction, once."""
    rows = [json.loads(line) for line in lines_of(path)]
    return list(dict.fromkeys((row["source"], row["corrected"]) for row in rows))


def read_pairs(path: Path) -> list[tuple[str, str]]:
    return [(source, reference) for source, reference, *_ in (line.split("\t") for line in lines_of(path))]


def lines_of(path: Path) -> list[str]:
    """The lines that are not blank; texts may hold other ends of lines, such as U+2028."""
    return [line for line in path.read_text("utf-8").split("\n") if line.strip()]


class Model:
    """A model and its tokenizer; texts go through it in batches."""

    def __init__(self, name: str, beams: int, batch: int) -> None:
        with quiet():
            self.network = AutoModelForSeq2SeqLM.from_pretrained(name)
            self._tokenizer = AutoTokenizer.from_pretrained(name)
        self._beams, self._batch = beams, batch

    def train(self, pairs: Pairs, optimizer: Any, rng: random.Random) -> None:
        """One epoch, in an order of its own."""
        self.network.train()
        for batch in self._batches(rng.sample(list(pairs), len(pairs))):
            self._loss(batch).backward()
            optimizer.step()
            optimizer.zero_grad()
        self.network.eval()

    def loss(self, pairs: Pairs) -> float:
        """The mean of the batches' losses."""
        with torch.inference_mode():
            losses = [float(self._loss(batch)) for batch in self._batches(pairs)]
        return sum(losses) / len(losses)

    def translated(self, pairs: Pairs) -> list[str]:
        """The answers to the sources, in order; those of like length share a batch, which is then padded less."""
        self.network.eval()
        answers: dict[str, str] = {}
        for batch in self._batches(sorted(pairs, key=lambda pair: len(pair[0]))):
            sources = [source for source, _ in batch]
            inputs = self._tokenizer(sources, return_tensors="pt", padding=True, truncation=True)
            most = min(4 * inputs["input_ids"].shape[1] + 10, self.network.config.max_position_embeddings - 1)
            with torch.inference_mode():
                rows = self.network.generate(**inputs, num_beams=self._beams, do_sample=False, max_new_tokens=most)
            answers |= zip(sources, self._tokenizer.batch_decode(rows, skip_special_tokens=True), strict=True)
        return [answers[source] for source, _ in pairs]

    def save(self, folder: Path) -> None:
        self.network.save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)

    def _loss(self, batch: Pairs) -> Any:
        sources, targets = zip(*batch, strict=True)
        inputs = self._tokenizer(
            list(sources), text_target=list(targets), return_tensors="pt", padding=True, truncation=True
        )
        labels = inputs.pop("labels")
        labels[labels == self._tokenizer.pad_token_id] = IGNORED
        return self.network(**inputs, labels=labels).loss

    def _batches(self, pairs: Pairs) -> Iterator[Pairs]:
        for start in range(0, len(pairs), self._batch):
            yield pairs[start : start + self._batch]


def also(model: Model, others: Pairs) -> str:
    return f", {model.loss(others):.3f} on other sentences" if others else ""


def print_bleu(before: list[str], after: list[str], references: list[str]) -> None:
    """BLEU before and after with 95 % intervals, and whether they differ, by paired bootstrap."""
    test = PairedTest(
        [("before", before), ("after", after)], {"BLEU": sacrebleu.BLEU(references=[references])}, None, "bs", 1000
    )
    _, scores = test()
    print(f"BLEU on {len(references)} other sentences:")
    for name, score in zip(("before", "after"), scores["BLEU"], strict=True):
        p = "" if score.p_value is None else f", p = {score.p_value:.3f}"
        print(f"  {name}: {score.score:.2f} ({score.mean:.2f} ± {score.ci:.2f}{p})")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
