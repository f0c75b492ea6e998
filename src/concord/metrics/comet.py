"""COMET (Rei et al., 2020): a model that learned from people's judgements scores source, hypothesis and reference.

It needs the source too, so its `similarity` of two texts refuses; `concord correlate` asks `score_many`.
`model` is the name of a model on the Hugging Face hub, which is downloaded once (over 2 GB), or the file of a
checkpoint. It comes with the extra `concord-mt[comet]`, whose libraries are older than those of `concord-mt[semantic]`:
each needs an environment of its own.

Range [0, 1] for the default model, higher is better; older models exceed it on both sides.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from concord.errors import Missing, UserError
from concord.language.models import device_of, first_line
from concord.model import Text

MODEL = "Unbabel/wmt22-comet-da"
BATCH = 8


def similarity(a: Text, b: Text, *, model: str = MODEL) -> float:
    """Two texts are not enough for it: this says so, and what is."""
    raise UserError(
        "comet needs the source besides a reference and a hypothesis, so it cannot compare two texts."
        " Choose another metric, such as chrf; concord correlate can use comet"
    )


def score_many(
    sources: Sequence[Text], hypotheses: Sequence[Text], references: Sequence[Text], *, model: str = MODEL
) -> list[float]:
    """The score of every hypothesis, in order; higher is better."""
    rows = zip(sources, hypotheses, references, strict=True)
    samples = [{"src": source.words, "mt": found.words, "ref": wanted.words} for source, found, wanted in rows]
    if not samples:
        return []
    scorer, cards = _scorer(model)
    answer = scorer.predict(samples, batch_size=BATCH, gpus=cards, progress_bar=False)
    return [float(score) for score in answer.scores]


@cache
def _scorer(model: str) -> tuple[Any, int]:
    """The loaded model, and on how many graphics cards it runs."""
    try:
        library = importlib.import_module("comet")
        download, load = library.download_model, library.load_from_checkpoint
    except (ImportError, AttributeError):
        # Another package of the same name can be installed, which has no models.
        raise Missing("COMET (unbabel-comet)", "pip install 'concord-mt[comet]'") from None
    try:
        loaded = load(model if model.endswith(".ckpt") else download(model))
    except Exception as error:  # it raises bare exceptions, also for a file that is not there
        raise UserError(
            f"the COMET model '{model}' cannot be loaded: {first_line(error)}. Give the name of a model that COMET"
            f" knows, such as {MODEL}, or the file of a checkpoint (.ckpt)"
        ) from error
    return loaded, int(device_of("auto") == "cuda")
