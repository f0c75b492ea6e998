"""A translation model converted for CTranslate2, run on this machine: OPUS-MT (Marian), M2M-100 or NLLB-200.

`--system ctranslate2:FOLDER`. The folder is what CTranslate2's converter wrote, with the tokenizer beside the weights:
the files of the Hugging Face tokenizer, or `source.spm` and `target.spm`. For OPUS-MT, these are copied by

    ct2-transformers-converter --model MODEL --output_dir FOLDER \\
        --copy_files source.spm target.spm tokenizer_config.json

A package of Argos Translate, unpacked, is a folder of that kind too (`sentencepiece.model`, `metadata.json` and the
weights in `model`); a text is translated whole, where Argos itself would cut it into sentences. A tokenizer that
lies elsewhere, in a folder or on the hub, is named with `tokenizer`. Languages, `source`, `target`, `beams`,
`max_tokens` and what is refused or noted are as with the translator `huggingface`. `compute_type` is the
library's: `default` keeps the precision that the model was converted with, as far as the machine allows it;
another precision is another system, whose answers differ here and there.
"""

import importlib
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from concord.errors import UserError
from concord.language.models import Device, needed
from concord.translators._batches import BATCH_TOKENS, BEAMS, MAX_TOKENS, BatchTokens, Beams, MaxTokens, Search, Threads
from concord.translators._families import NamedLanguages, SourceLanguages, TargetLanguages, TokenizerFamily, recognised
from concord.translators._folders import TOKENIZERS, folder_of, tokenizer_in
from concord.translators._layouts import pieces_in, weights_in
from concord.translators._models import GivenUp, LocalModel

Precision = Literal[
    "default",
    "auto",
    "int8",
    "int8_float32",
    "int8_float16",
    "int8_bfloat16",
    "int16",
    "float16",
    "bfloat16",
    "float32",
]
# More positions than any model of these families has.
TOO_MANY = 2049
_POSITIONS = re.compile(r"positions >= ([0-9]+)")


class Translator(LocalModel):
    """A converted model in a folder, with its tokenizer there or elsewhere."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "Folder of the converted model."] = "",
        tokenizer: Annotated[str, "Folder of the tokenizer, or its name on the hub, if it is not in the folder."] = "",
        source: SourceLanguages = (),
        target: TargetLanguages = (),
        beams: Beams = BEAMS,
        max_tokens: MaxTokens = MAX_TOKENS,
        batch_tokens: BatchTokens = BATCH_TOKENS,
        device: Device = "auto",
        compute_type: Annotated[
            Precision, "Precision; default is the one that the model was converted with."
        ] = "default",
        threads: Threads = 0,
    ) -> None:
        needed("ctranslate2", "ctranslate2", "sentencepiece")
        search, languages = Search(beams, max_tokens, batch_tokens, threads), NamedLanguages(source, target)
        super().__init__("ctranslate2", argument, search, languages, compute_type=(compute_type, "default"))
        self._tokenizer_at = tokenizer
        self._setup = {"device": device, "compute_type": compute_type, "intra_threads": threads}

    def _folder(self) -> Path:
        folder = Path(self._argument).expanduser()
        if not folder.is_dir():
            raise UserError(f"ctranslate2: there is no folder {self._argument}")
        if not (weights_in(folder) / "model.bin").is_file():
            raise UserError(
                f"ctranslate2: {self._argument} is not a converted model: it has no model.bin. To convert one: "
                f"ct2-transformers-converter --model MODEL --output_dir {self._argument}"
            )
        return folder

    def _tokenizer_folder(self) -> Path:
        return folder_of("ctranslate2", self._tokenizer_at) if self._tokenizer_at else self._folder()

    def _files(self) -> list[Path]:
        weights = weights_in(self._folder())
        folders = dict.fromkeys([weights, self._tokenizer_folder()])
        tokenizer = [path for folder in folders for path in folder.iterdir() if path.suffix in TOKENIZERS]
        return [weights / "model.bin", *tokenizer]

    def _tokenizer(self) -> TokenizerFamily:
        folder, name = self._tokenizer_folder(), self._tokenizer_at or self._argument
        # SentencePiece models come first: the file that says the kind of a Hugging Face tokenizer is often not copied.
        if pieces := pieces_in(folder, weights_in(self._folder()), name, self._languages):
            return pieces
        if (folder / "tokenizer_config.json").is_file() or (folder / "tokenizer.json").is_file():
            needed("ctranslate2", "transformers")
            return recognised(tokenizer_in(folder), name, self._languages)
        raise UserError(
            f"ctranslate2: {folder} holds no tokenizer (tokenizer_config.json, source.spm and target.spm, or "
            "sentencepiece.model). Copy it there, or add: tokenizer=FOLDER"
        )

    def _loaded(self) -> Any:
        library = importlib.import_module("ctranslate2")
        try:
            network = library.Translator(str(weights_in(self._folder())), **self._setup)
        except (RuntimeError, ValueError) as error:
            raise UserError(f"ctranslate2: {self._argument} cannot be loaded: {error}") from error
        self._tokens().longest = min(self._tokens().longest, _positions(network))
        return network

    def _answered(self, batch: list[list[Any]], opening: str | None, most: int, given_up: GivenUp) -> list[Any]:
        rows = self._network.translate_batch(
            [self._tokens().spelled(row) for row in batch],
            None if opening is None else [[opening]] * len(batch),
            beam_size=self._search.beams,
            max_batch_size=self._search.batch_tokens,
            batch_type="tokens",
            # The library would cut a long text without a word; here it was refused before.
            max_input_length=0,
            max_decoding_length=most,
            return_end_token=True,
        )
        return [self._ended(row.hypotheses[0], opening) for row in rows]

    def _ended(self, pieces: list[str], opening: str | None) -> tuple[list[Any], bool]:
        ended = pieces[-1:] == ["</s>"]
        answer = pieces[int(opening is not None) : len(pieces) - int(ended)]
        return self._tokens().unspelled(answer), ended


def _positions(network: Any) -> int:
    """How many tokens the model can read: the library says it only in the error about one too many."""
    try:
        network.translate_batch([["</s>"] * TOO_MANY], max_input_length=0, max_decoding_length=1, beam_size=1)
    except RuntimeError as error:
        if match := _POSITIONS.search(str(error)):
            return int(match[1])
        raise
    return TOO_MANY - 1
