"""Small models that say again what they read, in the very files that real ones are published in.

Their weights are set, not drawn: the decoder looks at the place in the source that it has come to itself, and says
the token there. So an answer has the pieces of its text and ends where its text ends, whatever the vocabulary.
"""

from __future__ import annotations

import io
import json
import re
import warnings
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
# So many dimensions of a vector tell a place (half of them by sines, half by cosines); the others tell a token.
PLACES = 32
WIDTH = 384
TARGETS = (">>spa<<", ">>fra<<", ">>cmn_Hans<<")


def make(kind, folder):
    """A model of a kind: marian, targets (Marian with several), silent (Marian that tells no language), m2m, nllb."""
    folder.mkdir(parents=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        MAKERS[kind](folder)
    return folder


def convert(model, folder):
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


def _pieces(path, **options):
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


def _vocabulary(path, pieces):
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    path.write_text(json.dumps(vocabulary))
    return vocabulary


def _marian(folder, targets=(), told=("en", "es")):
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
        **_shape(pad + 1),
    )
    _save(MarianMTModel, config, tokenizer, folder)


def _m2m(folder):
    from transformers import M2M100Tokenizer
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES

    pieces = _pieces(folder / "spm.model", model_type="bpe")
    vocabulary = _vocabulary(folder / "vocab.json", ["<s>", "<pad>", "</s>", "<unk>", *pieces])
    # The published tokenizers list the codes of the languages as tokens of their own.
    codes = [f"__{code}__" for code in FAIRSEQ_LANGUAGE_CODES["m2m100"]]
    tokenizer = M2M100Tokenizer(
        str(folder / "vocab.json"), str(folder / "spm.model"), additional_special_tokens=codes, num_madeup_words=0
    )
    _m2m_model(folder, tokenizer, len(vocabulary) + len(codes))


def _nllb(folder):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import NllbTokenizer

    trained = Tokenizer(models.BPE(unk_token="<unk>"))
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(vocab_size=80, special_tokens=special, show_progress=False)
    trained.train_from_iterator(SENTENCES, trainer)
    model = json.loads(trained.to_str())["model"]
    tokenizer = NllbTokenizer(vocab=model["vocab"], merges=[tuple(pair) for pair in model["merges"]])
    _m2m_model(folder, tokenizer, len(tokenizer))


def _m2m_model(folder, tokenizer, size):
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    _save(M2M100ForConditionalGeneration, M2M100Config(vocab_size=size, **_shape(size)), tokenizer, folder)


def _shape(vocabulary):
    """A network with a dimension for each token."""
    assert vocabulary + PLACES < WIDTH, "each token has a dimension of its own"
    sizes = {
        f"{part}_{name}": size
        for part in ("encoder", "decoder")
        for name, size in [("layers", 1), ("attention_heads", 1), ("ffn_dim", 2)]
    }
    return {"d_model": WIDTH, "max_position_embeddings": POSITIONS, "scale_embedding": True, **sizes}


def _save(model, config, tokenizer, folder):
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()
    network = model(config)
    with torch.no_grad():
        _set_weights(network)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _set_weights(network):
    """Let nothing but the decoder's look at the source have an effect, and give each token a vector of its own."""
    import torch

    for name, weights in network.named_parameters():
        if "embed_positions" not in name:
            weights.fill_(1.0 if "norm" in name and name.endswith("weight") else 0.0)
    half = PLACES // 2
    places = torch.tensor([*range(half), *range(WIDTH // 2, WIDTH // 2 + half)])
    # The slowest sine is nought in every place: it shows by how much the norm has moved all dimensions.
    nought = WIDTH // 2 - 1
    others = torch.tensor(sorted(set(range(WIDTH)) - {*places.tolist(), nought}))
    embedding = network.get_input_embeddings().weight
    tokens = torch.arange(len(embedding))
    # Large enough to be told from the places, which all dimensions have a share in.
    embedding[tokens, others[tokens]] = 0.5
    look = network.model.decoder.layers[0].encoder_attn
    # The product of the vectors of two places is largest where they are the same place.
    for projection in (look.q_proj, look.k_proj):
        projection.weight[places, places], projection.weight[places, nought] = 20.0, -20.0
    # What is there counts for much more than the token before.
    look.v_proj.weight[others, others] = 1.0
    look.out_proj.weight[others, others] = 20.0


MAKERS: dict[str, Any] = {
    "marian": _marian,
    "targets": lambda folder: _marian(folder, TARGETS, ("en", "mul")),
    "silent": lambda folder: _marian(folder, (), (None, None)),
    "m2m": _m2m,
    "nllb": _nllb,
}
