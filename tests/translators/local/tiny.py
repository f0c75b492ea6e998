"""Models of a few kilobytes with random weights, in the very files that real ones are published in."""

from __future__ import annotations

import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

SENTENCES = [
    "The house is big.",
    "I do not have 3 cats.",
    "Good morning!",
    "The cat sat on the mat and did not move for 3 hours.",
    "A small dog runs.",
    "We like long walks in the rain, do you?",
    "She said that the old bridge was closed last year.",
]
POSITIONS = 64
SHAPE = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 16,
    "max_position_embeddings": POSITIONS,
    # With small weights every text would get the same answer.
    "init_std": 0.6,
}
# Weights with which different texts get different answers, none of them empty.
SEEDS = {"marian": 12, "targets": 4, "silent": 4, "m2m": 7, "nllb": 4}
TARGETS = (">>spa<<", ">>fra<<", ">>cmn_Hans<<")


def make(kind: str, folder: Path) -> Path:
    """A model of a kind: marian, targets (Marian with several), silent (Marian that tells no language), m2m, nllb."""
    folder.mkdir(parents=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        MAKERS[kind](folder, SEEDS[kind])
    return folder


def convert(model: Path, folder: Path) -> Path:
    """The model for CTranslate2, with the tokenizer's files beside the weights."""
    from ctranslate2.converters import TransformersConverter

    files = [
        path.name
        for path in model.iterdir()
        if re.match(r"tokenizer|vocab|source\.spm|target\.spm|sentencepiece|special", path.name)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        TransformersConverter(str(model), copy_files=files).convert(str(folder))
    return folder


def _pieces(path: Path, **options: Any) -> list[str]:
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 3),
        model_writer=written,
        vocab_size=70,
        hard_vocab_limit=options.get("model_type") == "bpe",
        minloglevel=2,
        **options,
    )
    path.write_bytes(written.getvalue())
    made = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [made.id_to_piece(number) for number in range(made.get_piece_size())]


def _vocabulary(path: Path, pieces: list[str]) -> dict[str, int]:
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    path.write_text(json.dumps(vocabulary))
    return vocabulary


def _marian(
    folder: Path, seed: int, targets: tuple[str, ...] = (), told: tuple[str | None, ...] = ("en", "es")
) -> None:
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    source, target, listed = folder / "source.spm", folder / "target.spm", folder / "vocab.json"
    pieces = [*_pieces(source), *_pieces(target)]
    plain = [piece for piece in pieces if piece not in {"<s>", "</s>", "<unk>"}]
    pad = len(_vocabulary(listed, ["</s>", "<unk>", *targets, *plain, "<pad>"])) - 1
    tokenizer = MarianTokenizer(
        str(source), str(target), str(listed), source_lang=told[0], target_lang=told[1], model_max_length=POSITIONS
    )
    config = MarianConfig(
        vocab_size=pad + 1,
        pad_token_id=pad,
        eos_token_id=0,
        decoder_start_token_id=pad,
        bad_words_ids=[[pad]],
        forced_eos_token_id=0,
        **SHAPE,
    )
    _save(MarianMTModel, config, tokenizer, folder, seed)


def _m2m(folder: Path, seed: int) -> None:
    from transformers import M2M100Tokenizer
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES

    pieces = _pieces(folder / "spm.model", model_type="bpe")
    vocabulary = _vocabulary(folder / "vocab.json", ["<s>", "<pad>", "</s>", "<unk>", *pieces])
    # The published tokenizers list the codes of the languages as tokens of their own.
    codes = [f"__{code}__" for code in FAIRSEQ_LANGUAGE_CODES["m2m100"]]
    tokenizer = M2M100Tokenizer(
        str(folder / "vocab.json"), str(folder / "spm.model"), additional_special_tokens=codes, num_madeup_words=0
    )
    _m2m_model(folder, tokenizer, len(vocabulary) + len(codes), seed)


def _nllb(folder: Path, seed: int) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import NllbTokenizer

    trained = Tokenizer(models.BPE(unk_token="<unk>"))
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(vocab_size=80, special_tokens=special, show_progress=False)
    trained.train_from_iterator(SENTENCES, trainer)
    model = json.loads(trained.to_str())["model"]
    tokenizer = NllbTokenizer(vocab=model["vocab"], merges=[tuple(pair) for pair in model["merges"]])
    _m2m_model(folder, tokenizer, len(tokenizer), seed)


def _m2m_model(folder: Path, tokenizer: Any, size: int, seed: int) -> None:
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    _save(M2M100ForConditionalGeneration, M2M100Config(vocab_size=size, **SHAPE), tokenizer, folder, seed)


def _save(model: Any, config: Any, tokenizer: Any, folder: Path, seed: int) -> None:
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.manual_seed(seed)
    made = model(config)
    # Answers shall be made of words; random weights would choose the many codes of languages as often.
    codes = [number for number in tokenizer.all_special_ids if number != tokenizer.eos_token_id]
    with torch.no_grad():
        made.get_input_embeddings().weight[codes] *= 0.2
    made.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


MAKERS: dict[str, Any] = {
    "marian": _marian,
    "targets": lambda folder, seed: _marian(folder, seed, TARGETS, ("en", "mul")),
    "silent": lambda folder, seed: _marian(folder, seed, (), (None, None)),
    "m2m": _m2m,
    "nllb": _nllb,
}
