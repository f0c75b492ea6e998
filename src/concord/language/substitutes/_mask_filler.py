"""Fills masks in sentences with a masked language model of Hugging Face, one mask for each piece of a word."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

from concord.errors import Refused, UserError
from concord.language.codes import is_spaced
from concord.language.embed import readable
from concord.language.models import Device, device_of, first_line, quiet
from concord.model import Text

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
BRANCHES = 10
"""How many first pieces are tried where there are several masks; each is continued by the likeliest ones."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A text with words that are masked: their spans, and the number of masks in place of each.

    Words that are `barred` do not begin with the piece that they begin with now.
    """

    text: Text
    spans: tuple[tuple[int, int], ...]
    masks: tuple[int, ...]
    barred: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Filling:
    """New words for a gap, in its order, with the probability of all of their pieces together."""

    words: tuple[str, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class _Row:
    """The pieces of a text, of which the first masks are filled."""

    gap: int
    pieces: list[int]
    filled: tuple[int, ...] = ()
    probability: float = 1.0


class MaskFiller:
    """A masked language model and its vocabulary, read from a folder or the hub when they are first needed."""

    def __init__(self, argument: str, batch: int, device: Device) -> None:
        self.id = f"masked:{argument}"
        self._argument, self._batch, self._device = argument, batch, device

    def files(self) -> list[Path]:
        """The weights and the vocabulary."""
        folder = self._folder
        weights = next((files for pattern in WEIGHTS if (files := sorted(folder.glob(pattern)))), [])
        return weights + sorted(path for path in folder.iterdir() if path.suffix in (".json", ".txt", ".model"))

    def pieces(self, word: str) -> list[int]:
        """The pieces into which the vocabulary cuts a word."""
        ids = self._tokenizer(f" {readable(Text(word, ''))}", add_special_tokens=False)["input_ids"]
        return ids or [self._tokenizer.unk_token_id]

    def fill(self, gaps: Sequence[Gap], top: int) -> list[list[Filling] | Refused]:
        """For each gap up to `top` fillings, the likeliest first, or an error if its text is too long for the model.

        Masks are filled from left to right, so that each piece suits those before it.
        """
        fillings: list[list[Filling] | Refused] = [[] for _ in gaps]
        waiting = []
        for number, gap in enumerate(gaps):
            row = _Row(number, self._tokenizer(self._masked(gap))["input_ids"])
            if len(row.pieces) > self._longest:
                fillings[number] = Refused(f"the text has more tokens than the {self._longest} that {self.id} can read")
            else:
                waiting.append(row)
        while waiting:
            grown = [
                row
                for start in range(0, len(waiting), self._batch)
                for row in self._grown(waiting[start : start + self._batch], gaps, top)
            ]
            waiting = [row for row in grown if len(row.filled) < sum(gaps[row.gap].masks)]
            for row in grown:
                found = fillings[row.gap]
                if len(row.filled) == sum(gaps[row.gap].masks) and isinstance(found, list):
                    found.append(Filling(self._words(gaps[row.gap], row.filled), row.probability))
        return [
            sorted(found, key=lambda filling: -filling.probability)[:top] if isinstance(found, list) else found
            for found in fillings
        ]

    def _grown(self, rows: Sequence[_Row], gaps: Sequence[Gap], top: int) -> list[_Row]:
        """The rows with their first mask filled by the likeliest pieces that may stand there."""
        torch, mask = importlib.import_module("torch"), self._tokenizer.mask_token_id
        batch = self._tokenizer.pad({"input_ids": [row.pieces for row in rows]}, return_tensors="pt")
        places = [row.pieces.index(mask) for row in rows]
        with torch.inference_mode():
            scores = self._network(**{name: part.to(self._network.device) for name, part in batch.items()}).logits
        chances = scores[torch.arange(len(rows)), torch.tensor(places)].float().softmax(dim=-1).cpu()
        grown = []
        for row, place, chance in zip(rows, places, chances, strict=True):
            allowed = chance * self._allowed(gaps[row.gap], len(row.filled))
            best = allowed.topk(min(_branches(gaps[row.gap], row, top), len(allowed)))
            for piece, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True):
                if probability > 0:
                    pieces = [*row.pieces[:place], piece, *row.pieces[place + 1 :]]
                    grown.append(_Row(row.gap, pieces, (*row.filled, piece), row.probability * probability))
        return grown

    def _allowed(self, gap: Gap, filled: int) -> Any:
        """Which pieces may stand at the next mask of a gap, as ones and zeros."""
        beginning, continuing = self._kinds[is_spaced(gap.text.lang)]
        for (start, end), masks, barred in zip(gap.spans, gap.masks, gap.barred, strict=True):
            if filled < masks:
                if filled or not barred:
                    return continuing if filled else beginning
                allowed = beginning.clone()
                allowed[self.pieces(gap.text.words[start:end])[0]] = 0
                return allowed
            filled -= masks
        raise ValueError("every mask of the gap is filled")

    @cached_property
    def _kinds(self) -> dict[bool, tuple[Any, Any]]:
        """Which pieces begin a word and which continue one, as ones and zeros, in scripts with blanks and without."""
        torch, special = importlib.import_module("torch"), set(self._tokenizer.all_special_ids)
        pieces = self._tokenizer.convert_ids_to_tokens(list(range(len(self._tokenizer))))
        words = torch.tensor([number not in special and bool(piece) for number, piece in enumerate(pieces)])
        hashed = torch.tensor([str(piece).startswith("##") for piece in pieces])
        # A piece that begins a word carries a mark for the blank, or one that continues a word is written ##so.
        blank = torch.tensor([str(piece).startswith(("\u0120", "\u2581")) for piece in pieces])
        plain, spaced, unspaced = words & ~hashed, (words, words), (words, words)
        if blank.any():
            spaced, unspaced = (words & blank, words & ~blank), (words, words & ~blank)
        elif hashed.any():
            spaced, unspaced = (plain, words & hashed), (plain, plain)
        # A network may have more numbers than the vocabulary has pieces.
        rest = torch.zeros(self._network.config.vocab_size - len(pieces))
        return {
            has_blanks: (torch.cat([beginning, rest]), torch.cat([continuing, rest]))
            for has_blanks, (beginning, continuing) in ((True, spaced), (False, unspaced))
        }

    def _masked(self, gap: Gap) -> str:
        """The text with its gaps. If it holds the mask itself, that would be another gap."""
        mask, text, at, parts = self._tokenizer.mask_token, gap.text.words, 0, []
        for (start, end), masks in zip(gap.spans, gap.masks, strict=True):
            parts += [text[at:start].replace(mask, " "), mask * masks]
            at = end
        return readable(Text("".join([*parts, text[at:].replace(mask, " ")]), ""))

    def _words(self, gap: Gap, filled: Sequence[int]) -> tuple[str, ...]:
        words = []
        for masks in gap.masks:
            pieces = self._tokenizer.convert_ids_to_tokens(list(filled[:masks]))
            word = self._tokenizer.convert_tokens_to_string(pieces).strip()
            words.append(word if is_spaced(gap.text.lang) else "".join(word.split()))
            filled = filled[masks:]
        return tuple(words)

    @property
    def _tokenizer(self) -> Any:
        return self._loaded[0]

    @property
    def _network(self) -> Any:
        return self._loaded[1]

    @cached_property
    def _longest(self) -> int:
        return int(getattr(self._network.config, "max_position_embeddings", 0) or 10**9)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        transformers = importlib.import_module("transformers")
        folder = self._folder
        options = {"local_files_only": True, "trust_remote_code": False}
        safe = any(folder.glob("*.safetensors"))
        try:
            with quiet():
                tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
                model = transformers.AutoModelForMaskedLM.from_pretrained(
                    folder, use_safetensors=safe, weights_only=True, **options
                )
        except Exception as error:  # damaged files fail in as many ways as there are formats
            raise UserError(f"masked: the model in {folder} cannot be loaded: {first_line(error)}") from error
        if tokenizer.mask_token is None:
            raise UserError(f"masked: the model in {folder} has no mask token, so it is not a masked language model")
        return tokenizer, model.to(device_of(self._device)).eval()

    @cached_property
    def _folder(self) -> Path:
        path = Path(self._argument).expanduser()
        if path.is_dir():
            return path
        hub = importlib.import_module("huggingface_hub")
        try:
            return Path(hub.snapshot_download(self._argument))
        except Exception as error:  # a missing name, a missing network and a missing folder look the same
            raise UserError(
                f"masked: '{self._argument}' is no folder, and no model of that name could be fetched from the hub "
                f"({type(error).__name__}). With a network: hf download {self._argument}"
            ) from error


def _branches(gap: Gap, row: _Row, top: int) -> int:
    """How many pieces are tried at the next mask, so that there are about `top` fillings at the end."""
    masks, filled = sum(gap.masks), len(row.filled)
    if masks == 1:
        return top
    if not filled:
        return min(top, BRANCHES)
    return ceil(top / BRANCHES) if filled == masks - 1 else 1
