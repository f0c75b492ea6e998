"""Which parser serves a language: the one chosen, or the first of those that know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concord import plugins
from concord.engine.services._plugged import knows, made, options_of, version_of
from concord.engine.services.sound import sound, tree_fault
from concord.errors import Missing, ServiceError, UserError
from concord.model import Text
from concord.text.trees import Tree


class Parsers:
    """The parser for each language: the one chosen, or the first of those that know it."""

    preferred = ("concord_en", "apertium")

    def __init__(self, chosen: str = "auto") -> None:
        self.chosen = chosen
        self._made: list[Any] | None = None

    def made(self) -> list[Any]:
        """Those that have been made so far."""
        return self._made or []

    def find(self, lang: str) -> Any | None:
        """The parser, or None if there is none that can be used here."""
        return next((each for each in self._every() if knows("parsers", each, lang)), None)

    def of(self, lang: str) -> Any:
        found = self.find(lang)
        if found is None:
            others = ", ".join(name for name in plugins.names("parsers") if name not in (*self.preferred, self.chosen))
            who = "none of the embedded parsers knows" if self.chosen == "auto" else f"{self.chosen} does not know"
            raise UserError(
                f"{who} '{lang}'. Choose one that does with --parser, of: {others}; or install an Apertium"
                f" pair that translates from '{lang}'"
            )
        return found

    def version(self, lang: str) -> str:
        """The parser of a language, with its version and the options that were set."""
        told = "" if self.chosen == "auto" else options_of("parsers", self.chosen)
        return version_of("parsers", self.of(lang), lang) + told

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """A tree for every text or the error in its place, whatever their languages."""
        trees: dict[int, Any] = {}
        for lang in dict.fromkeys(text.lang for text in texts):
            parser = self.of(lang)
            places = [place for place, text in enumerate(texts) if text.lang == lang]
            found = parser.parse([texts[place] for place in places])
            words = [texts[place].words for place in places]
            trees.update(zip(places, sound(f"the parser {parser.id}", words, found, tree_fault), strict=True))
        return [trees[place] for place in range(len(texts))]

    def _every(self) -> list[Any]:
        # No lock: a thread that hangs in the making of a parser would never let go of it.
        if self._made is None:
            self._made = self._preferred() if self.chosen == "auto" else [made("parsers", self.chosen)]
        return self._made

    def _preferred(self) -> list[Any]:
        found = []
        for name in self.preferred:
            try:
                found.append(made("parsers", name))
            except Missing:
                continue
        return found
