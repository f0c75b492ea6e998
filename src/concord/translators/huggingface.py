"""A translation model of the Hugging Face kind, run on this machine: OPUS-MT (Marian), M2M-100 or NLLB-200.

`--system huggingface:FOLDER` or, for a model of the hub, `--system huggingface:Helsinki-NLP/opus-mt-en-es`, which is
downloaded once. Languages are BCP-47 codes; NLLB's and M2M-100's own codes are found from them. If neither tokenizer
nor name of a Marian model says its languages, `source` and `target` do; for other models they select some of its
languages. Answers are searched for with `beams`, never sampled. A text that is longer than the model can read is
refused, not cut; an answer that reaches `max_tokens`, or four times the length of the text, ends there and carries the
note `cut_at_tokens`. The same text gets the same answer whatever stands beside it, but for ties so close that the
rounding of padded batches decides; `float16` and `bfloat16` round far more coarsely. With `dtype=auto` a graphics card
computes in float16 and a processor in float32. Code that comes with a model is never run.
"""

import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from concord.errors import UserError
from concord.language.models import Device, device_of, first_line, needed, quiet
from concord.translators._batches import BATCH_TOKENS, BEAMS, MAX_TOKENS, BatchTokens, Beams, MaxTokens, Search, Threads
from concord.translators._families import NamedLanguages, SourceLanguages, TargetLanguages, TokenizerFamily, recognised
from concord.translators._folders import TOKENIZERS, folder_of, tokenizer_in
from concord.translators._models import GivenUp, LocalModel

KINDS = ("m2m_100", "marian")


class Translator(LocalModel):
    """An encoder-decoder model, in a folder or by its name on the hub."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "Folder of the model, or its name on the hub."] = "",
        source: SourceLanguages = (),
        target: TargetLanguages = (),
        beams: Beams = BEAMS,
        max_tokens: MaxTokens = MAX_TOKENS,
        batch_tokens: BatchTokens = BATCH_TOKENS,
        device: Device = "auto",
        dtype: Annotated[
            Literal["auto", "float32", "float16", "bfloat16"], "Precision; auto is float16 on a GPU and else float32."
        ] = "auto",
        threads: Threads = 0,
    ) -> None:
        needed("huggingface", "torch", "transformers", "sentencepiece")
        search, languages = Search(beams, max_tokens, batch_tokens, threads), NamedLanguages(source, target)
        super().__init__("huggingface", argument, search, languages)
        self._device = device
        self._dtype = dtype
        self._path: Path | None = None
        self._version = ""

    def version(self, source: str, target: str) -> str:
        # Two machines may choose differently when left to choose, and answers depend on it.
        if not self._version:
            self._version = f"{super().version(source, target)}-{self._precision()}"
        return self._version

    def _forget(self) -> None:
        super()._forget()
        self._path = None
        self._version = ""

    def _folder(self) -> Path:
        if self._path is None:
            folder = folder_of("huggingface", self._argument)
            _check_kind(folder)
            self._path = folder
        return self._path

    def _files(self) -> list[Path]:
        folder = self._folder()
        weights = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))
        if not weights:
            raise UserError(f"huggingface: {folder} holds no weights (*.safetensors or pytorch_model.bin)")
        return weights + [path for path in folder.iterdir() if path.suffix in TOKENIZERS]

    def _tokenizer(self) -> TokenizerFamily:
        return recognised(tokenizer_in(self._folder()), self._argument, self._languages)

    def _loaded(self) -> Any:
        torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
        if self._search.threads:
            torch.set_num_threads(self._search.threads)
        folder = self._folder()
        safe = any(folder.glob("*.safetensors"))
        # The parameter was renamed between the releases 4 and 5.
        precision = "dtype" if int(transformers.__version__.split(".")[0]) >= 5 else "torch_dtype"
        with quiet():
            try:
                model, report = transformers.AutoModelForSeq2SeqLM.from_pretrained(
                    folder,
                    output_loading_info=True,
                    local_files_only=True,
                    trust_remote_code=False,
                    use_safetensors=safe,
                    weights_only=True,
                    **{precision: getattr(torch, self._precision())},
                )
                model.to(device_of(self._device))
            except Exception as error:  # damaged weights fail in as many ways as there are formats
                raise UserError(f"huggingface: the model in {folder} cannot be loaded: {first_line(error)}") from error
        _check_whole(folder, report["missing_keys"])
        self._tokens().longest = min(self._tokens().longest, int(model.config.max_position_embeddings))
        _settle(model.generation_config, self._search.beams)
        return model.eval()

    def _answered(self, batch: list[list[Any]], opening: str | None, most: int, given_up: GivenUp) -> list[Any]:
        torch = importlib.import_module("torch")
        first = None if opening is None else self._tokens().unspelled([opening])[0]
        model = self._network
        ids, mask = _padded(batch, int(model.config.pad_token_id))
        with torch.inference_mode():
            rows = model.generate(
                input_ids=torch.tensor(ids, device=model.device),
                attention_mask=torch.tensor(mask, device=model.device),
                max_new_tokens=most,
                stopping_criteria=[_until(given_up)],
                **({} if first is None else {"forced_bos_token_id": first}),
            )
        # The decoder's start comes before everything, and the language before the answer.
        return [_ended(row[1:], first is not None, _ends(model), most) for row in rows.tolist()]

    def _precision(self) -> str:
        if self._dtype != "auto":
            return self._dtype
        return "float16" if device_of(self._device) == "cuda" else "float32"


def _check_kind(folder: Path) -> None:
    try:
        kind = json.loads((folder / "config.json").read_text("utf-8"))["model_type"]
    except (OSError, ValueError, LookupError, TypeError):
        raise UserError(
            f"huggingface: {folder} is not a model: it has no config.json that says its model_type"
        ) from None
    if kind not in KINDS:
        raise UserError(
            f"huggingface: the model in {folder} is of the type {kind}, which does not translate by itself. "
            f"Types that do: {', '.join(KINDS)} (OPUS-MT is marian, NLLB-200 is m2m_100)"
        )


def _check_whole(folder: Path, lacking: Iterable[str]) -> None:
    """Computed or shared weights may be missing from the files; a layer may not, or its weights would be random."""
    layers = sorted(key for key in lacking if ".layers." in key)
    if layers:
        raise UserError(f"huggingface: the weights in {folder} lack {len(layers)} of the model's, such as {layers[0]}")


def _settle(settings: Any, beams: int) -> None:
    """Change the model's own settings of the search: the user's beams, and no sampling.

    They are changed in the model, since the library prefers them to parameters of a request that equal a default.
    """
    settings.num_beams, settings.do_sample, settings.num_return_sequences = beams, False, 1
    settings.temperature = settings.top_k = settings.top_p = settings.max_length = None
    if beams == 1:
        # Both are for beams alone, and the library remarks on them in every request.
        settings.early_stopping, settings.length_penalty = False, 1.0


def _padded(batch: list[list[int]], pad: int) -> tuple[list[list[int]], list[list[int]]]:
    width = max(map(len, batch))
    ids = [row + [pad] * (width - len(row)) for row in batch]
    mask = [[1] * len(row) + [0] * (width - len(row)) for row in batch]
    return ids, mask


def _until(given_up: GivenUp) -> Any:
    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")

    class Until(transformers.StoppingCriteria):  # type: ignore[name-defined,misc]
        def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
            return torch.full((input_ids.shape[0],), given_up(), device=input_ids.device, dtype=torch.bool)

    return Until()


def _ends(model: Any) -> frozenset[int]:
    ends = model.generation_config.eos_token_id
    return frozenset([ends] if isinstance(ends, int) else ends or [model.config.eos_token_id])


def _ended(row: list[int], opened: bool, ends: frozenset[int], most: int) -> tuple[list[int], bool]:
    """The answer up to its end, and whether it ended by itself: at the bound some models are forced to end."""
    length = next((index for index, token in enumerate(row) if token in ends), len(row))
    return row[int(opened) : length], length < most - 1
