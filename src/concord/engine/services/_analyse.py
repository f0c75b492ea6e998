"""`analyse`: the words of a text with their lemmas and tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concord.engine.batching.question import Ask
from concord.engine.services._plugin import knows, made, version_of
from concord.engine.services._service import Local, Terms, Verb
from concord.engine.services.validation import sound, words_fault
from concord.errors import Missing, ServiceError, UserError
from concord.language.stems import stems
from concord.language.stems import version as stemmer

ANALYSER = "apertium"


class Analysing(Local):
    """The service `analyse`: by Apertium's analysis, for the languages that its installed pairs translate from."""

    def __init__(self, terms: Terms) -> None:
        super().__init__("the analysis of Apertium", terms)
        self._made: Any = None
        self.verb = Verb(self.ask, self.can)

    def versions(self) -> dict[str, str]:
        """Of translations. A relation may take stems in place of lemmas, and then depends on the stemmer."""
        told = self._version(self._terms.target) if self._terms.target else ""
        return {f"analyse[{self._terms.target}]": told} if told else {}

    def _version(self, lang: str) -> str:
        found = [version_of("parsers", self._parser(), lang)] if self.can(lang) else []
        return "+".join([*found, stemmer()] if stems(lang) else found)

    def plugins(self) -> list[Any]:
        return [self._made] if self._made is not None else []

    def renew(self) -> None:
        self._made = None

    def can(self, lang: str) -> bool:
        """Whether words of the language can be analysed."""
        try:
            return knows("parsers", self._parser(), lang)
        except Missing:
            return False

    def ask(self, lang: str, words: Sequence[str]) -> Ask:
        if not self.can(lang):
            raise UserError(
                f"words in '{lang}' cannot be analysed here. Install an Apertium pair that translates from '{lang}'"
            )
        return self.batched.ask(lang, words)

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        found = sound("the analysis of Apertium", items, self._parser().analyse(items, lang), words_fault)
        return [_said(each) if isinstance(each, ServiceError) else each for each in found]

    def _parser(self) -> Any:
        if self._made is None:
            self._made = made("parsers", ANALYSER)
        return self._made


def _said(error: ServiceError) -> ServiceError:
    """The error of an analysis, which must not be taken for one of the system under test."""
    return type(error)(f"the analysis of a translation failed: {error}")
