"""Cosine of sentence vectors (Reimers and Gurevych, 2019): the same meaning, whatever the words.

`encoder` makes the vectors: `minilm` ships in the extra `concord-mt[semantic]`, knows English and reads the first
256 tokens; `embedding:encoder=sentence_transformers:model=FOLDER` takes any other, also a multilingual one, which
can compare two languages. An encoder that says which languages it knows is not asked about others: that is an error.

Range [0, 1], higher is more alike; the rare cosines below 0 count as 0. Symmetric. Even unrelated sentences often
have more than 0, and a negation changes little. Two blank texts count as identical: 1, a blank
text and another as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import cast

import numpy as np

from concord import plugins
from concord.errors import UserError
from concord.model import Text
from concord.text.embed import Encoder
from concord.text.languages import base


def similarity(a: Text, b: Text, *, encoder: str = "minilm", model: str = "") -> float:
    """How near two texts are in meaning, in [0, 1]; higher is more alike."""
    return similarity_many([(a, b)], encoder=encoder, model=model)[0]


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, encoder: str = "minilm", model: str = "") -> list[float]:
    """`similarity` of every pair; each text is encoded once, and all of them together."""
    asked = _encoder(f"{encoder}:{model}" if model else encoder)
    _check_known(asked, {text.lang for pair in pairs for text in pair})
    open_pairs = [pair for pair in pairs if _plain(*pair) is None]
    # In one order whatever the pairs', so that a pair and its reverse are rounded alike.
    words = sorted({text.words for pair in open_pairs for text in pair})
    langs = {text.words: text.lang for pair in open_pairs for text in pair}
    rows = asked.embed([Text(each, langs[each]) for each in words]) if words else ()
    vectors = dict(zip(words, np.asarray(rows, dtype=np.float64), strict=True))
    return [_cosine(a, b, vectors) for a, b in pairs]


def _cosine(a: Text, b: Text, vectors: dict[str, np.ndarray]) -> float:
    known = _plain(a, b)
    if known is not None:
        return known
    return min(1.0, max(0.0, float(vectors[a.words] @ vectors[b.words])))


def _plain(a: Text, b: Text) -> float | None:
    """What is known without an encoder."""
    one, other = a.words.strip(), b.words.strip()
    if one == other:
        return 1.0
    return None if one and other else 0.0


def _check_known(encoder: Encoder, langs: Iterable[str]) -> None:
    known = encoder.languages()
    unknown = sorted(lang for lang in langs if known is not None and base(lang) not in known)
    if known is not None and unknown:
        raise UserError(
            f"the encoder {encoder.id} cannot compare texts in '{unknown[0]}'. It knows: {', '.join(sorted(known))}. "
            "Choose one that does, such as embedding:encoder=sentence_transformers:model=FOLDER"
        )


@cache
def _encoder(text: str) -> Encoder:
    chosen = plugins.parse("encoders", text)
    arguments = {"argument": chosen.argument} if chosen.argument else {}
    return cast(Encoder, plugins.entry("encoders", chosen.name)(**arguments, **chosen.options))
