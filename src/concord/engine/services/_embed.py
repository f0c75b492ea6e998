"""`embed`: the vector of a text, near those of texts that mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from concord.engine.batching.question import Ask
from concord.engine.services._plugin import known_to, knows, made, options_of, version_of
from concord.engine.services._service import Local, Terms, Verb
from concord.engine.services.validation import sound, vector_fault
from concord.errors import Refused, ServiceError, UserError
from concord.model import Text


class Encoders:
    """The encoder that was chosen, made when it is first needed."""

    def __init__(self, chosen: str) -> None:
        self.chosen = chosen
        self._made: Any = None
        self._size = 0

    def made(self) -> list[Any]:
        return [] if self._made is None else [self._made]

    def knows(self, lang: str) -> bool:
        return knows("encoders", self._encoder(), lang)

    def version(self, lang: str) -> str:
        if not self.knows(lang):
            raise UserError(self._lacks(lang))
        return version_of("encoders", self._encoder(), lang) + options_of("encoders", self.chosen)

    def embed(self, texts: Sequence[Text]) -> list[Any]:
        """A vector for every text, or the error in its place."""
        encoder = self._encoder()
        strange = {lang for lang in {text.lang for text in texts} if not self.knows(lang)}
        asked = [text for text in texts if text.lang not in strange]
        found = encoder.embed(asked) if asked else []
        rows = iter(sound(f"the encoder {encoder.id}", asked, found, self._fault))
        return [Refused(self._lacks(text.lang)) if text.lang in strange else _array(next(rows)) for text in texts]

    def _fault(self, text: Text, row: Any) -> str | None:
        self._size = self._size or len(row)
        return vector_fault(row, self._size)

    def _lacks(self, lang: str) -> str:
        known = ", ".join(sorted(known_to("encoders", self._encoder()) or ()))
        return f"the encoder {self._encoder().id} does not know '{lang}', only: {known}. Choose another with --encoder"

    def _encoder(self) -> Any:
        if self._made is None:
            self._made = made("encoders", self.chosen)
        return self._made


def _array(row: Any) -> Any:
    return row if isinstance(row, ServiceError) else np.array(row, dtype=np.float64)


class Embedding(Local):
    """The service `embed`."""

    def __init__(self, chosen: str, terms: Terms) -> None:
        super().__init__(f"the encoder {chosen}", terms)
        self._encoders = Encoders(chosen)
        self.verb = Verb(self.ask, lambda lang: self._encoders.knows(lang))

    def ask(self, lang: str, words: Sequence[str]) -> Ask:
        return self.batched.ask(lang, words)

    def versions(self) -> dict[str, str]:
        return {"embed": self._encoders.version(self._terms.source)}

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        return self._encoders.embed([Text(words, lang) for words in items])

    def plugins(self) -> list[Any]:
        return self._encoders.made()

    def renew(self) -> None:
        self._encoders = Encoders(self._encoders.chosen)
