"""`analyse`: the words of a text with their lemmas and tags."""

from collections.abc import Sequence
from typing import Any

from concord.engine.batching.question import Ask
from concord.engine.services._plugin import knows, make_plugin, version_of
from concord.engine.services._service import Choices, Local, Terms, Verb
from concord.engine.services.validation import sound, words_fault
from concord.errors import Missing, ServiceError, UserError
from concord.language.stems import stems
from concord.language.stems import version as stemmer

ANALYSER = "apertium"


class Analysing(Local):
    """The service `analyse`: by Apertium's analysis, for the languages that its installed pairs translate from."""

    def __init__(self, choices: Choices, terms: Terms) -> None:
        super().__init__("the analysis of Apertium", terms)
        self._loaded: Any = None
        self.verb = Verb(self.ask, self.can)

    def versions(self) -> dict[str, str]:
        """The version for translations. A relation may take stems in place of lemmas, and then needs the stemmer."""
        lang = self._terms.target
        parts = [version_of("parsers", self._parser(), lang)] if lang and self.can(lang) else []
        parts += [stemmer()] if lang and stems(lang) else []
        return {f"analyse[{lang}]": "+".join(parts)} if parts else {}

    def plugins(self) -> list[Any]:
        return [self._loaded] if self._loaded is not None else []

    def renew(self) -> None:
        self._loaded = None

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
        rows = sound("the analysis of Apertium", items, self._parser().analyse(items, lang), words_fault)
        return [_analysis_error(row) if isinstance(row, ServiceError) else row for row in rows]

    def _parser(self) -> Any:
        if self._loaded is None:
            self._loaded = make_plugin("parsers", ANALYSER)
        return self._loaded


def _analysis_error(error: ServiceError) -> ServiceError:
    """The error of an analysis, which must not be taken for one of the system under test."""
    return type(error)(f"the analysis of a translation failed: {error}")
