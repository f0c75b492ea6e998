"""Encoders: each file is a plug-in with a class `Encoder` that turns texts into vectors, similar for similar meanings.

An encoder has an `id`, a `version()`, the `languages()` it knows, and `embed(texts)`, which answers a batch.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from concord.model import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"


class Encoder(Protocol):
    """An encoder, as the engine and the metric call it."""

    id: str

    def version(self) -> str:
        """What the vectors depend on besides the texts."""

    def languages(self) -> frozenset[str] | None:
        """The languages it was made for, or None if it does not say."""

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """One row of length one for every text, in order; the product of two rows is their cosine."""


def readable(text: Text) -> str:
    """The words without halves of surrogate pairs, which JSON can hold and no tokenizer can read."""
    return text.words.encode("utf-8", "replace").decode()
