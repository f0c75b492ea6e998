"""`embed`: the vector of a text, near those of texts that mean the same."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from concord.engine.services._plugin import knows, languages_of, make_plugin, options_of, version_of
from concord.engine.services._service import DEFAULTS, Choices, Local, Terms, Verb
from concord.engine.services.validation import sound, vector_fault
from concord.errors import Refused, ServiceError, UserError
from concord.model import Text


class Encoders:
    """The encoder that the user names by `spec`, made when it is first needed."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self._loaded: Any = None
        self._size = 0

    def loaded(self) -> list[Any]:
        return [] if self._loaded is None else [self._loaded]

    def knows(self, lang: str) -> bool:
        return knows("encoders", self._encoder(), lang)

    def version(self, lang: str) -> str:
        if not self.knows(lang):
            raise UserError(self._lacks(lang))
        return version_of("encoders", self._encoder(), lang) + options_of("encoders", self.spec)

    def embed(self, texts: Sequence[Text]) -> list[Any]:
        """A vector for every text, or the error in its place."""
        encoder = self._encoder()
        strange = {lang for lang in {text.lang for text in texts} if not self.knows(lang)}
        sent = [text for text in texts if text.lang not in strange]
        rows = sound(f"the encoder {encoder.id}", sent, encoder.embed(sent) if sent else [], self._fault)
        vectors = iter(row if isinstance(row, ServiceError) else np.array(row, dtype=np.float64) for row in rows)
        return [Refused(self._lacks(text.lang)) if text.lang in strange else next(vectors) for text in texts]

    def _fault(self, text: Text, row: Any) -> str | None:
        self._size = self._size or len(row)
        return vector_fault(row, self._size)

    def _lacks(self, lang: str) -> str:
        languages = ", ".join(sorted(languages_of("encoders", self._encoder()) or ()))
        return (
            f"the encoder {self._encoder().id} does not know '{lang}', only: {languages}. Choose another with --encoder"
        )

    def _encoder(self) -> Any:
        if self._loaded is None:
            self._loaded = make_plugin("encoders", self.spec)
        return self._loaded


class Embedding(Local):
    """The service `embed`."""

    def __init__(self, choices: Choices, terms: Terms) -> None:
        self._encoders = Encoders(choices.get("embed", DEFAULTS["embed"]))
        super().__init__(f"the encoder {self._encoders.spec}", terms)
        self.verb = Verb(lambda *question: self.batched.ask(*question), lambda lang: self._encoders.knows(lang))

    def versions(self) -> dict[str, str]:
        return {"embed": self._encoders.version(self._terms.source)}

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        return self._encoders.embed([Text(words, lang) for words in items])

    def plugins(self) -> list[Any]:
        return self._encoders.loaded()

    def renew(self) -> None:
        self._encoders = Encoders(self._encoders.spec)
