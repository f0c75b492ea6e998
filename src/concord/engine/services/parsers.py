"""The parsers of a run, whose answers are validated."""

from collections.abc import Sequence
from typing import Any

from concord.engine.services._plugin import knows, make_plugin, options_of, version_of
from concord.engine.services.validation import sound, tree_fault
from concord.errors import ServiceError
from concord.language.parse._choice import AUTO, ParserChoice
from concord.language.trees import Tree
from concord.model import Text


class Parsers(ParserChoice):
    """The parser for each language, with its version for the signature."""

    def make(self, text: str) -> Any:
        return make_plugin("parsers", text)

    def knows(self, parser: Any, lang: str) -> bool:
        return knows("parsers", parser, lang)

    def version(self, lang: str) -> str:
        """The parser of a language, with its version and the options that were set."""
        options = "" if self.setting == AUTO else options_of("parsers", self.setting)
        return version_of("parsers", self.require(lang), lang) + options

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """A tree for every text or the error in its place, whatever their languages."""
        trees: dict[int, Any] = {}
        for lang in dict.fromkeys(text.lang for text in texts):
            parser = self.require(lang)
            in_lang = {index: text for index, text in enumerate(texts) if text.lang == lang}
            answers = parser.parse(list(in_lang.values()))
            words = [text.words for text in in_lang.values()]
            trees.update(zip(in_lang, sound(f"the parser {parser.id}", words, answers, tree_fault), strict=True))
        return [trees[index] for index in range(len(texts))]
