"""Cosine of sentence vectors (Reimers and Gurevych, 2019): the same meaning, whatever the words.

`encoder` makes the vectors: by default `minilm`, which ships in the extra `concord-mt[semantic]`, knows English and
reads the first 256 tokens; `embedding:encoder=sentence_transformers:model=FOLDER` takes any other, also a multilingual
one, which can compare two languages. Texts in a language that no encoder lists are an error. A relation that has the
service `embed` uses it instead, by `similarity_asked`, in one batch with other checks.

Range [0, 1], higher is more alike; the rare cosines below 0 count as 0. Symmetric. Even unrelated sentences often have
more than 0, and a negation changes little. Two blank texts have 1, a blank and a non-blank one 0. The last digits
depend on the processor, because encoders use libraries of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from concord.errors import UserError
from concord.language.plugin_choice import PluginChoice, setting_in_force
from concord.language.services import Embed
from concord.model import Text

if TYPE_CHECKING:
    import numpy as np


def similarity(
    a: Text,
    b: Text,
    *,
    encoder: Annotated[str, "Encoders that make the vectors, of `concord encoders`."] = "auto",
    model: Annotated[str, "The encoder's argument, such as the folder of a model."] = "",
) -> float:
    """How near two texts are in meaning, in [0, 1]; higher is more similar."""
    return similarity_many([(a, b)], encoder=encoder, model=model)[0]


def similarity_many(pairs: Sequence[tuple[Text, Text]], *, encoder: str = "auto", model: str = "") -> list[float]:
    """`similarity` of every pair; each text is encoded once, and all of them together."""
    choice = _choice(f"{encoder}:{model}" if model else setting_in_force("encoders", encoder))
    langs = sorted({text.lang for pair in pairs for text in pair})
    if len({choice.require(lang, "embedding:encoder").id for lang in langs}) > 1:
        raise UserError(f"embedding: vectors of two encoders cannot be compared: name one for {' and '.join(langs)}")
    texts = _texts_to_encode(pairs)
    return _similarities(pairs, texts, choice.require(langs[0]).embed(texts) if texts else ())


async def similarity_asked(pairs: Sequence[tuple[Text, Text]], embed: Embed) -> list[float]:
    """`similarity` of every pair, by the service `embed` of a run with its encoder."""
    texts = _texts_to_encode(pairs)
    return _similarities(pairs, texts, await embed.each(texts))


def _texts_to_encode(pairs: Sequence[tuple[Text, Text]]) -> list[Text]:
    """The distinct texts that need a vector."""
    langs = {text.words: text.lang for pair in pairs if _score_without_encoder(*pair) is None for text in pair}
    # Sorted, so that a pair and its reverse are rounded equally.
    return [Text(words, langs[words]) for words in sorted(langs)]


def _similarities(pairs: Sequence[tuple[Text, Text]], texts: list[Text], rows: Any) -> list[float]:
    import numpy as np  # here, so that relations can name this module without loading it

    vectors = dict(zip((text.words for text in texts), np.asarray(rows, dtype=np.float64), strict=True))
    return [_cosine(a, b, vectors) for a, b in pairs]


def _cosine(a: Text, b: Text, vectors: dict[str, np.ndarray]) -> float:
    score = _score_without_encoder(a, b)
    if score is not None:
        return score
    return min(1.0, max(0.0, float((vectors[a.words] * vectors[b.words]).sum())))


def _score_without_encoder(a: Text, b: Text) -> float | None:
    """The score of a pair that is equal or has a blank text; None if it takes an encoder."""
    words_a, words_b = a.words.strip(), b.words.strip()
    if words_a == words_b:
        return 1.0
    return None if words_a and words_b else 0.0


@cache
def _choice(setting: str) -> PluginChoice:
    return PluginChoice("encoders", setting)
