"""Any masked language model of Hugging Face: it reads the sentence with a gap and proposes words that may fill it.

`masked:FOLDER` or, for a model of the hub, `masked:google-bert/bert-base-cased`, which is downloaded once. `top` is how
many words the model proposes for each gap; their probabilities are the scores, and words below `least` are not used.
Words that the model's vocabulary cuts into pieces are never proposed. The same gate as for the lexicon follows. Code
that comes with a model is never run.
"""

import importlib
import importlib.util
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from concord.errors import Refused, ServiceError, UserError
from concord.language.embed import readable
from concord.language.models import BatchSize, Device, device_of, digest, first_line, needed, quiet
from concord.language.substitutes import Embed, Parse, Slot, Substitute
from concord.language.substitutes._gate import VERSION as GATE
from concord.language.substitutes._gate import Meaning, Rarest, SubstituteGate
from concord.language.substitutes._slot import Place, places
from concord.model import Text
from concord.options import Count, Share

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


class Substitutes:
    """Substitutes from a masked language model, in a folder or by its name on the hub."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "Folder of the model, or its name on the hub."] = "",
        top: Annotated[Count, "How many words the model is asked for in each gap."] = 30,
        least: Annotated[Share, "Least probability of a substitute."] = 0.0,
        rarest: Rarest = 25_000,
        meaning: Meaning = 0.5,
        batch: BatchSize = 32,
        device: Device = "auto",
        parse: Parse | None = None,
        embed: Embed | None = None,
    ) -> None:
        needed("huggingface", "torch", "transformers")
        if not argument:
            raise UserError("there is no model. Write it like masked:FOLDER or masked:google-bert/bert-base-cased")
        self.id = f"masked:{argument}"
        self._argument = argument
        self._top, self._least, self._batch, self._device = top, least, batch, device
        self._gate = SubstituteGate(parse, embed, rarest, meaning)
        self._loaded: tuple[Any, Any] | None = None

    @property
    def rejected(self) -> Counter[str]:
        """How many candidates were rejected, by reason."""
        return self._gate.rejected

    def version(self) -> str:
        """The version of the gate, and a digest of the weights and the vocabulary."""
        return f"{GATE}-{digest(_files(self._folder()))}"

    def languages(self) -> None:
        return None

    def substitutes(self, requests: Sequence[Slot]) -> list[list[Substitute] | ServiceError]:
        gaps: list[tuple[int, Place]] = []
        errors: dict[int, ServiceError] = {}
        for number, slot in enumerate(requests):
            try:
                open_places = places(slot)
            except Refused as error:
                errors[number] = error
                continue
            self.rejected["no content word"] += not open_places
            gaps += [(number, place) for place in open_places]
        filled: list[list[Substitute]] = [[] for _ in requests]
        for start in range(0, len(gaps), self._batch):
            part = gaps[start : start + self._batch]
            for (number, place), words in zip(part, self._proposals([place for _, place in part]), strict=True):
                if isinstance(words, Refused):
                    errors[number] = words
                else:
                    filled[number] += self._substitutes(requests[number], place, words)
        admitted = self._gate.admitted(list(zip(requests, filled, strict=True)))
        return [errors.get(number, substitutes) for number, substitutes in enumerate(admitted)]

    def _substitutes(self, slot: Slot, place: Place, words: list[tuple[str, float]]) -> Iterator[Substitute]:
        for proposed, probability in words:
            # The model has seen the case of its neighbours, but not that of the word.
            sentence, word = place.replaced(proposed)
            if probability < self._least:
                self.rejected["probability"] += 1
            elif not proposed.isalpha() and place.tag not in ("CD", "NUM"):
                self.rejected["not a word"] += 1
            else:
                span = place.leaf.start, place.leaf.end
                yield Substitute(Text(sentence, slot.lang), *span, word, round(probability, 6), "masked")

    def _proposals(self, gaps: list[Place]) -> list[list[tuple[str, float]] | Refused]:
        """For each gap the likeliest whole words, with probabilities."""
        torch = importlib.import_module("torch")
        tokenizer, model = self._network()
        texts = [readable(Text(_with_gap(place, tokenizer.mask_token), "")) for place in gaps]
        rows = tokenizer(texts, padding=True, return_tensors="pt")
        longest = int(getattr(model.config, "max_position_embeddings", 0) or 10**9)
        if rows["input_ids"].shape[1] > longest:
            return self._halved(gaps, longest)
        with torch.inference_mode():
            scores = model(**{name: row.to(model.device) for name, row in rows.items()}).logits
        where = (rows["input_ids"] == tokenizer.mask_token_id).int().argmax(dim=1)
        chances = scores[torch.arange(len(gaps)), where.to(scores.device)].float().softmax(dim=-1)
        best = chances.topk(min(self._top, chances.shape[-1]))
        return [
            list(_words(tokenizer, ids, values))
            for ids, values in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]

    def _halved(self, gaps: list[Place], longest: int) -> list[list[tuple[str, float]] | Refused]:
        """Proposals for a batch with a text that is too long: that text is refused, the others are asked for again."""
        if len(gaps) == 1:
            return [Refused(f"the text has more tokens than the {longest} that {self.id} can read")]
        middle = len(gaps) // 2
        return self._proposals(gaps[:middle]) + self._proposals(gaps[middle:])

    def _network(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._loaded = self._read()
        return self._loaded

    def _read(self) -> tuple[Any, Any]:
        transformers = importlib.import_module("transformers")
        folder = self._folder()
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


def _files(folder: Path) -> list[Path]:
    weights = next((files for pattern in WEIGHTS if (files := sorted(folder.glob(pattern)))), [])
    return weights + sorted(path for path in folder.iterdir() if path.suffix in (".json", ".txt", ".model"))


def _with_gap(place: Place, mask: str) -> str:
    text, leaf = place.leaf.text, place.leaf
    # A text that holds the mask itself would have two gaps.
    return text[: leaf.start].replace(mask, " ") + mask + text[leaf.end :].replace(mask, " ")


def _words(tokenizer: Any, ids: list[int], values: list[float]) -> Iterator[tuple[str, float]]:
    special = set(tokenizer.all_special_ids)
    for number, value in zip(ids, values, strict=True):
        token = tokenizer.convert_ids_to_tokens(number)
        word = tokenizer.convert_tokens_to_string([token]).strip()
        # A piece that continues a word is written ##so; one that begins a word may carry a mark for the blank.
        if number not in special and word and not token.startswith("##"):
            yield word, value
