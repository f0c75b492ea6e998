"""`embed`: the vector of a text, near those of texts that mean the same."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from concord.engine.services._plugin import ServicePlugins
from concord.engine.services._service import Choices, Local, Terms, Verb
from concord.engine.services.validation import sound, vector_fault
from concord.errors import Refused, ServiceError
from concord.language.plugin_choice import AUTO
from concord.model import Text


class Encoders(ServicePlugins):
    """The encoder for each language, whose answers are validated."""

    def __init__(self, setting: str) -> None:
        super().__init__("encoders", setting)
        self._sizes: dict[str, int] = {}

    def embed(self, texts: Sequence[Text]) -> list[Any]:
        """A vector for every text, or the error in its place."""
        vectors: dict[Text, Any] = {}
        for lang in dict.fromkeys(text.lang for text in texts):
            in_lang = [text for text in texts if text.lang == lang]
            encoder = self.find(lang)
            if encoder is None:
                vectors.update(dict.fromkeys(in_lang, Refused(str(self.lack(lang)))))
                continue
            fault = partial(self._fault, encoder.id)
            rows = sound(f"the encoder {encoder.id}", in_lang, encoder.embed(in_lang), fault)
            arrays = [row if isinstance(row, ServiceError) else np.array(row, dtype=np.float64) for row in rows]
            vectors.update(zip(in_lang, arrays, strict=True))
        return [vectors[text] for text in texts]

    def _fault(self, encoder: str, text: Text, row: Any) -> str | None:
        return vector_fault(row, self._sizes.setdefault(encoder, len(row)))


class Embedding(Local):
    """The service `embed`."""

    def __init__(self, choices: Choices, terms: Terms) -> None:
        self._encoders = Encoders(choices.get("embed", AUTO))
        super().__init__("the encoder", terms)
        self.verb = Verb(lambda *question: self.batched.ask(*question), lambda lang: bool(self._encoders.find(lang)))

    def versions(self) -> dict[str, str]:
        lang = self._terms.source
        return {f"embed[{lang}]": self._encoders.version(lang)}

    def notes(self) -> list[str]:
        return self._encoders.notes([self._terms.source])

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        return self._encoders.embed([Text(words, lang) for words in items])

    def plugins(self) -> list[Any]:
        return self._encoders.started()

    def renew(self) -> None:
        self._encoders = Encoders(self._encoders.setting)
