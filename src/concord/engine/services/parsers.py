"""The parsers of a run, whose answers are validated, and the trees that the runs of a command share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from concord.engine.services._plugin import ServicePlugins
from concord.engine.services.validation import sound, tree_fault
from concord.errors import ServiceError
from concord.language.trees import Tree
from concord.model import Text

ROOM = 500_000
"""The characters of texts whose trees are kept; a tree has about a hundred bytes for each of them."""


@dataclass(slots=True)
class KnownTrees:
    """The trees of the first texts that a command parses, by the setting of the parser and the text.

    Later texts have no room: the next run begins with the first ones again.
    """

    by_text: dict[tuple[str, Text], Tree] = field(default_factory=dict)
    room: int = ROOM

    def keep(self, setting: str, parsed: Mapping[Text, Tree | ServiceError]) -> None:
        for text, tree in parsed.items():
            if isinstance(tree, Tree) and len(text.words) <= self.room:
                self.room -= len(text.words)
                self.by_text[setting, text] = tree


class Parsers(ServicePlugins):
    """The parser for each language, whose answers are validated."""

    def __init__(self, setting: str, trees: KnownTrees | None = None, *, alone: bool = False) -> None:
        super().__init__("parsers", setting, alone=alone)
        self._trees = trees or KnownTrees()

    def renewed(self) -> "Parsers":
        """New parsers that share the known trees."""
        return Parsers(self.setting, self._trees)

    def parse(self, texts: Sequence[Text]) -> list[Tree | ServiceError]:
        """A tree for every text or the error in its place, whatever their languages."""
        trees: dict[Text, Any] = {text: self._trees.by_text.get((self.setting, text)) for text in texts}
        new = [text for text, tree in trees.items() if tree is None]
        for lang in dict.fromkeys(text.lang for text in new):
            in_lang = [text for text in new if text.lang == lang]
            parser, words = self.require(lang), [text.words for text in in_lang]
            answers = sound(f"the parser {parser.id}", words, parser.parse(in_lang), tree_fault)
            parsed = dict(zip(in_lang, answers, strict=True))
            self._trees.keep(self.setting, parsed)
            trees.update(parsed)
        return [trees[text] for text in texts]
