"""`substitutes`: words that can replace a slot of a text; each is parsed in its place before it is given."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from concord.engine.batching.question import Ask
from concord.engine.services._plugin import knows, languages_of, make_plugin, options_of, version_of
from concord.engine.services._service import DEFAULTS, NONE, Choices, First, Local, Terms
from concord.engine.services.parsers import Parsers
from concord.engine.services.validation import sound, substitutes_fault
from concord.errors import Refused, ServiceError, UserError
from concord.language.codes import base
from concord.language.english.lexicon import TAGS
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
        self._spec = choices.get("substitutes", DEFAULTS["substitutes"])
        super().__init__(f"the source of substitutes {self._spec}", terms, size=_size, texts=SENTENCES)
        # An encoder takes long to load, so the gate has one only where the user wants it.
        self._encoder = choices.get("embed", "")
        self._parsers = Parsers(choices.get("parse", DEFAULTS["parse"]), terms.trees)
        self._encoders: Any = None
        self._source: Any = None
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
        source, lang = self._loaded(), self._terms.source
        is_known = knows("substitutes", source, lang)
        if "substitutes" in self._terms.spared and not (is_known and self._parsers.find(lang)):
            return {"substitutes": NONE}
        if not is_known:
            languages = ", ".join(sorted(languages_of("substitutes", source) or ()))
            raise UserError(f"{source.id} has no substitutes for '{lang}'. It knows: {languages}")
        self._refuse_other_tags(source.id, lang)
        version = version_of("substitutes", source, lang) + options_of("substitutes", self._spec)
        encoder = f",embed={self._encoders.version(lang)}" if self._encoders else ""
        return {"substitutes": f"{version},gate={self._parsers.version(lang)}{encoder}"}

    def answers(self, lang: str, items: list[tuple[Slot, ...]]) -> list[Any]:
        source = self._loaded()
        if not knows("substitutes", source, lang):
            return [Refused(f"{source.id} has no substitutes for '{lang}'") for _ in items]
        slots = [slot for item in items for slot in item]
        name = f"the source of substitutes {source.id}"
        answers = iter(sound(name, slots, source.substitutes(slots), substitutes_fault))
        return [_first_error_or_all(list(islice(answers, len(item)))) for item in items]

    def plugins(self) -> list[Any]:
        encoders = self._encoders.loaded() if self._encoders else []
        return [*([] if self._source is None else [self._source]), *self._parsers.started(), *encoders]

    def renew(self) -> None:
        self._source = self._encoders = None
        self._parsers = self._parsers.renewed()

    async def _answer(self, lang: str, items: list[Any]) -> list[Any]:
        before = _rejections(self._source)
        answers = await super()._answer(lang, items)
        # Counted here and not in the thread, so that no reader meets a count that is being changed.
        self._terms.rejected.update(_rejections(self._source) - before)
        return answers

    def _loaded(self) -> Any:
        if self._source is None:
            gate: dict[str, Any] = {"parse": self._parsers.parse}
            if self._encoder:
                from concord.engine.services._embed import Encoders

                self._encoders = Encoders(self._encoder)
                gate["embed"] = self._embed
            self._source = make_plugin("substitutes", self._spec, **gate)
        return self._source

    def _embed(self, texts: Sequence[Text]) -> list[Any]:
        rows: list[Any] = self._encoders.embed(texts)
        for row in rows:
            if isinstance(row, ServiceError):
                raise row
        return rows

    def _refuse_other_tags(self, source: str, lang: str) -> None:
        """Refuse a parser without Penn tags for a source that looks words up by them: it would silently find none."""
        parser = self._parsers.require(lang)
        if source not in BY_PENN_TAG or parser.kind == "full":
            return
        (tree,) = self._parsers.parse([Text(PROBE, lang)])
        if isinstance(tree, Tree) and not {leaf.label for leaf in tree.leaves()} & set(TAGS):
            raise UserError(
                f"{source} needs words with Penn tags (NN, VBD), but the parser {parser.id} gives others."
                " Leave out --parser, choose --parser concord_en, or take --substitutes masked:MODEL"
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
