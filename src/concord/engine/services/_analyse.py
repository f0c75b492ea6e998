"""`analyse`: the words of a text with their lemmas and tags."""

from collections.abc import Sequence
from typing import Any

from concord.engine.batching.question import Ask
from concord.engine.services._service import Choices, Local, Terms, Verb
from concord.engine.services.parsers import Parsers
from concord.engine.services.validation import sound, words_fault
from concord.errors import Missing, ServiceError, UserError
from concord.language.stems import stems
from concord.language.stems import version as stemmer

ANALYSER = "apertium"


class Analysing(Local):
    """The service `analyse`: by Apertium's analysis, for the languages that its installed pairs translate from."""

    def __init__(self, choices: Choices, terms: Terms) -> None:
        super().__init__("the analysis of Apertium", terms)
        self._parsers = Parsers(ANALYSER, alone=True)
        self.verb = Verb(self.ask, self.can)

    def versions(self) -> dict[str, str]:
        """The version for translations. A relation may take stems in place of lemmas, and then needs the stemmer."""
        lang = self._terms.target
        parts = [self._parsers.version(lang)] if lang and self.can(lang) else []
        parts += [stemmer()] if lang and stems(lang) else []
        return {f"analyse[{lang}]": "+".join(parts)} if parts else {}

    def plugins(self) -> list[Any]:
        return self._parsers.started()

    def renew(self) -> None:
        self._parsers = Parsers(ANALYSER, alone=True)

    def can(self, lang: str) -> bool:
        """Whether words of the language can be analysed."""
        try:
            return self._parsers.find(lang) is not None
        except Missing:
            return False

    def ask(self, lang: str, words: Sequence[str]) -> Ask:
        if not self.can(lang):
            raise UserError(
                f"words in '{lang}' cannot be analysed here. Install an Apertium pair that translates from '{lang}'"
            )
        return self.batched.ask(lang, words)

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        analysed = self._parsers.require(lang).analyse(items, lang)
        rows = sound("the analysis of Apertium", items, analysed, words_fault)
        # The error of an analysis must not be taken for one of the system under test.
        failed = "the analysis of a translation failed"
        return [type(row)(f"{failed}: {row}") if isinstance(row, ServiceError) else row for row in rows]
