"""`substitutes`: words that can replace a slot of a text; each is parsed in its place before it is given."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from concord.engine.batching.question import Ask
from concord.engine.services._plugin import ServicePlugins
from concord.engine.services._service import NONE, Choices, First, Local, Terms
from concord.engine.services.parsers import Parsers
from concord.engine.services.validation import sound, substitutes_fault
from concord.errors import Refused, ServiceError, UserError
from concord.language.codes import base
from concord.language.english.lexicon import TAGS
from concord.language.plugin_choice import AUTO
from concord.language.substitutes import NATURAL, Slot, Substitute
from concord.language.trees import Tree
from concord.model import Text

BY_PENN_TAG = frozenset({"lexicon"})
"""Sources that look words up by their Penn tags."""
SENTENCES = 96
"""Sentences of a batch, each with some slots: few of these have candidates, and fewer would leave the parser idle."""
PROBE = "The old house is near the river."


@dataclass(slots=True, eq=False)
class SubstitutesService:
    """`substitutes(tree, start, end)`: the most natural first, at most `count`, of some `kinds`.

    `substitutes.each(tree, spans)` asks for several spans of the tree at once.
    """

    _ask: Callable[[Sequence[Slot]], Ask]

    def __call__(
        self,
        tree: Tree,
        start: int,
        end: int,
        *,
        lang: str = "",
        count: int = 5,
        kinds: Sequence[str] = NATURAL,
        least: float = 0.0,
    ) -> Awaitable[list[Substitute]]:
        """The substitutes of one span; the options are those of `each`."""
        return First(self.each(tree, [(start, end)], lang=lang, count=count, kinds=kinds, least=least))

    def each(
        self,
        tree: Tree,
        spans: Sequence[tuple[int, int]],
        *,
        lang: str = "",
        count: int = 5,
        kinds: Sequence[str] = NATURAL,
        least: float = 0.0,
    ) -> First:
        """The substitutes of every span, in order.

        `lang` is the language of the tree's text, by default the source's; candidates that score below `least` are not
        tried.
        """
        for start, end in spans:
            if not isinstance(tree, Tree) or not 0 <= start < end <= len(tree.text):
                raise ValueError(f"there is no place {start}:{end} in the tree {tree!r:.60}")
        return First(self._ask([Slot(tree, *span, count, tuple(kinds), lang, least, tuple(spans)) for span in spans]))


class Substituting(Local):
    """The service `substitutes`. With an encoder, a substitute must also mean about the same."""

    def __init__(self, choices: Choices, terms: Terms) -> None:
        super().__init__("the source of substitutes", terms, size=_size, texts=SENTENCES)
        self._choices = choices
        self._parsers = Parsers(choices.get("parse", AUTO), terms.trees)
        self.renew()
        self.verb = SubstitutesService(self.ask)

    def ask(self, slots: Sequence[Slot]) -> Ask:
        """Ask for the substitutes of slots of one text."""
        lang = (slots[0].lang if slots else "") or self._terms.source or "en"
        if self._terms.source and base(lang) != base(self._terms.source):
            raise UserError(
                f"substitutes are for texts in the source's language '{self._terms.source}', not in '{lang}'"
            )
        # One question: what is tried together must be in one batch, or the answers would depend on the batch.
        return self.batched.ask(lang, [tuple(replace(slot, lang=lang) for slot in slots)])

    def versions(self) -> dict[str, str]:
        lang = self._terms.source
        name = f"substitutes[{lang}]"
        if self._spared():
            return {name: NONE}
        lacks = self._lacks()
        if len(lacks) > 1:
            raise UserError("; and ".join(map(str, lacks)))
        source, gate = self._sources.require(lang), self._parsers.require(lang)
        if source.id in BY_PENN_TAG and gate.kind != "full":
            self._refuse_other_tags(source.id, gate, lang)
        encoder = f",embed={self._encoders.version(lang)}" if self._encoders else ""
        return {name: f"{self._sources.version(lang)},gate={self._parsers.version(lang)}{encoder}"}

    def notes(self) -> list[str]:
        """What was named in vain, and how the words of a language that is done without could be replaced."""
        return list(map(str, self._lacks())) if self._spared() else self._sources.notes([self._terms.source])

    def _lacks(self) -> list[UserError]:
        """What the language of the source lacks: a parser for the gate, a source of substitutes."""
        lang = self._terms.source
        return [plugins.lack(lang) for plugins in (self._parsers, self._sources) if not plugins.find(lang)]

    def _spared(self) -> bool:
        lang = self._terms.source
        return "substitutes" in self._terms.spared and not (self._sources.find(lang) and self._parsers.find(lang))

    def answers(self, lang: str, items: list[tuple[Slot, ...]]) -> list[Any]:
        source = self._sources.find(lang)
        if source is None:
            return [Refused(str(self._sources.lack(lang))) for _ in items]
        slots = [slot for item in items for slot in item]
        name = f"the source of substitutes {source.id}"
        answers = iter(sound(name, slots, source.substitutes(slots), substitutes_fault))
        return [_first_error_or_all(list(islice(answers, len(item)))) for item in items]

    def plugins(self) -> list[Any]:
        encoders = self._encoders.started() if self._encoders else []
        return [*self._sources.started(), *self._parsers.started(), *encoders]

    def renew(self) -> None:
        self._parsers = self._parsers.renewed()
        self._encoders: Any = None
        gate: dict[str, Any] = {"parse": self._parsers.parse}
        # An encoder takes long to load, so the gate has one only where the user wants it.
        if "embed" in self._choices:
            from concord.engine.services._embed import Encoders

            self._encoders = Encoders(self._choices["embed"])
            gate["embed"] = self._embed
        self._sources = ServicePlugins("substitutes", self._choices.get("substitutes", AUTO), **gate)

    async def _answer(self, lang: str, items: list[Any]) -> list[Any]:
        before = self._rejections()
        answers = await super()._answer(lang, items)
        # Counted here and not in the thread, so that no reader meets a count that is being changed.
        self._terms.rejected.update(self._rejections() - before)
        return answers

    def _rejections(self) -> Counter[str]:
        return sum(map(_rejections, self._sources.started()), Counter())

    def _embed(self, texts: Sequence[Text]) -> list[Any]:
        rows: list[Any] = self._encoders.embed(texts)
        for row in rows:
            if isinstance(row, ServiceError):
                raise row
        return rows

    def _refuse_other_tags(self, source: str, parser: Any, lang: str) -> None:
        """Refuse a parser without Penn tags for a source that looks words up by them: it would silently find none."""
        (tree,) = self._parsers.parse([Text(PROBE, lang)])
        if isinstance(tree, Tree) and not {leaf.label for leaf in tree.leaves()} & set(TAGS):
            raise UserError(
                f"{source} needs words with Penn tags (NN, VBD), but the parser {parser.id} gives others."
                f" Add --parser {base(lang)}=concord_en, or take --substitutes {base(lang)}=masked:MODEL"
            )


def _size(slots: Sequence[Slot]) -> int:
    return max((len(slot.tree.text) for slot in slots), default=0)


def _first_error_or_all(answers: list[Any]) -> Any:
    """The answers to the slots of one text, or the first error among them."""
    return next((answer for answer in answers if isinstance(answer, ServiceError)), answers)


def _rejections(source: Any) -> Counter[str]:
    """How many substitutes a source has rejected so far, by reason; a source need not count them."""
    counts = getattr(source, "rejected", None)
    if not isinstance(counts, Mapping):
        return Counter()
    return Counter({str(reason): count for reason, count in dict(counts).items() if isinstance(count, int)})
