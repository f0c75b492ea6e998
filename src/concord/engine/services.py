"""The services besides `translate` that a relation may ask for by name: `parse`, `substitutes`, `embed`.

Each answers in batches, on this machine, in a thread of its own while the checks go on. What stands behind a
service is a plug-in, chosen by name or, for `parse`, by the language of the text.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from concord import plugins
from concord.engine.batched import Batched
from concord.engine.question import Ask
from concord.errors import BadAnswer, Missing, UserError
from concord.model import Limits, Text
from concord.text.languages import base
from concord.text.substitutes import NATURAL, Slot, Substitute
from concord.text.trees import Tree

LOCAL = Limits(texts=64, characters=200_000, in_flight=1, seconds=3600)
DEFAULTS = {"parse": "auto", "substitutes": "lexicon", "embed": "minilm"}
FAMILIES = {"parse": "parsers", "substitutes": "substitutes", "embed": "encoders"}


class Service(Protocol):
    """What the engine drives."""

    batched: Batched

    def version(self, langs: Sequence[str]) -> str:
        """What its answers depend on, for texts in these languages; UserError if it cannot do the first."""


class First:
    """The one answer of an ask."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def __await__(self) -> Generator[Ask, None, Any]:
        (answer,) = yield from self._ask.__await__()
        return answer


class Parsing:
    """`parse(x)`: the tree of a text; `parse.each(xs)`: of several."""

    def __init__(self, chosen: str = "auto") -> None:
        self._chosen = chosen
        self._parsers = Parsers(chosen)
        self.batched = Batched(self._answer, LOCAL, name="the parser")

    def __call__(self, x: Text) -> Awaitable[Tree]:
        return First(self.batched.ask(x.lang, (x.words,)))

    async def each(self, xs: Sequence[Text]) -> list[Tree]:
        return [await self(x) for x in xs]

    def can(self, lang: str) -> bool:
        """Whether there is a parser for the language."""
        return self._parsers.find(lang) is not None

    def kind(self, lang: str) -> str:
        """`full` or `shallow`: trees of two kinds are not to be compared."""
        return str(self._parsers.of(lang).kind)

    def version(self, langs: Sequence[str]) -> str:
        self._parsers.of(langs[0])
        found = [(self._parsers.find(lang), lang) for lang in langs]
        told = "" if self._chosen == "auto" else options_of("parsers", self._chosen)
        return "+".join(
            dict.fromkeys(f"{each.id}@{_version(each, lang)}{told}" for each, lang in found if each is not None)
        )

    async def _answer(self, lang: str, texts: list[str]) -> list[Any]:
        parser = self._parsers.of(lang)
        return await asyncio.to_thread(lambda: list(parser.parse([Text(words, lang) for words in texts])))


@dataclass
class Parsers:
    """The parser for each language: the one chosen, or the first of those that know it."""

    chosen: str = "auto"
    preferred = ("concord_en", "apertium")

    def find(self, lang: str) -> Any | None:
        """The parser, or None if there is none that can be used here."""
        return next((each for each in self._made if _knows(each, lang)), None)

    def of(self, lang: str) -> Any:
        found = self.find(lang)
        if found is None:
            known = ", ".join(plugins.names("parsers"))
            raise UserError(f"there is no parser for '{lang}' here. Choose one with --parser: {known}")
        return found

    @cached_property
    def _made(self) -> list[Any]:
        if self.chosen != "auto":
            return [made("parsers", self.chosen)]
        found = []
        for name in self.preferred:
            try:
                found.append(made("parsers", name))
            except Missing:
                continue
        return found


class Substituting:
    """`substitutes(tree, start, end, …)`: other words in the place of those; every one is parsed to be sure."""

    def __init__(self, chosen: str = "lexicon", parser: str = "auto") -> None:
        self._parsers = Parsers(parser)
        self._source = made("substitutes", chosen, parse=self._parse)
        self._told = options_of("substitutes", chosen)
        self.batched = Batched(self._answer, LOCAL, size=_width, name="the source of substitutes")

    def __call__(
        self, tree: Tree, start: int, end: int, *, lang: str = "en", count: int = 5, kinds: tuple[str, ...] = NATURAL
    ) -> Awaitable[list[Substitute]]:
        return First(self.batched.ask(lang, (Slot(tree, start, end, count, kinds, lang),)))

    @property
    def rejected(self) -> Mapping[str, int]:
        """How many candidates were turned away, by reason."""
        return dict(self._source.rejected)

    def version(self, langs: Sequence[str]) -> str:
        known = self._source.languages()
        if known is not None and base(langs[0]) not in known:
            raise UserError(
                f"{self._source.id} has no substitutes for '{langs[0]}'. It knows: {', '.join(sorted(known))}"
            )
        parser = self._parsers.of(langs[0])
        gate = f"{parser.id}@{_version(parser, langs[0])}"
        return f"{self._source.id}@{self._source.version()}{self._told},gate={gate}"

    def _parse(self, texts: Sequence[Text]) -> list[Any]:
        trees = self._trees(texts)
        if len(trees) != len(texts):
            raise BadAnswer(f"the parser gave {len(trees)} trees for {len(texts)} texts")
        return trees

    def _trees(self, texts: Sequence[Text]) -> list[Any]:
        by_lang = {lang: self._parsers.of(lang) for lang in {text.lang for text in texts}}
        return (
            [by_lang[text.lang].parse([text])[0] for text in texts]
            if len(by_lang) > 1
            else [each for parser in by_lang.values() for each in parser.parse(texts)]
        )

    async def _answer(self, lang: str, slots: list[Slot]) -> list[Any]:
        return await asyncio.to_thread(lambda: list(self._source.substitutes(slots)))


class Embedding:
    """`embed(x)`: the vector of a text, of length one."""

    def __init__(self, chosen: str = "minilm") -> None:
        self._encoder = made("encoders", chosen)
        self._told = options_of("encoders", chosen)
        self.batched = Batched(self._answer, LOCAL, name="the encoder")

    def __call__(self, x: Text) -> Awaitable[Any]:
        return First(self.batched.ask(x.lang, (x.words,)))

    def version(self, langs: Sequence[str]) -> str:
        if not _knows(self._encoder, langs[0]):
            raise UserError(f"the encoder {self._encoder.id} does not know '{langs[0]}'. Choose another with --encoder")
        return f"{self._encoder.id}@{self._encoder.version()}{self._told}"

    async def _answer(self, lang: str, texts: list[str]) -> list[Any]:
        return await asyncio.to_thread(lambda: list(self._encoder.embed([Text(words, lang) for words in texts])))


def named_services(check: Any) -> list[str]:
    """The services that a relation's check asks for, besides `translate` and `rng`."""
    positional = [p.name for p in inspect.signature(check).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    return [name for name in positional[1:] if name not in ("translate", "rng")]


def service(name: str, chosen: Mapping[str, str]) -> Service:
    """The service that a relation names, with what the user chose to stand behind it."""
    which = chosen.get(name, DEFAULTS.get(name, ""))
    if name == "parse":
        return Parsing(which)
    if name == "substitutes":
        return Substituting(which, chosen.get("parse", DEFAULTS["parse"]))
    if name == "embed":
        return Embedding(which)
    raise UserError(f"there is no service '{name}'. Services: translate, rng, {', '.join(DEFAULTS)}")


def made(family: str, text: str, **more: Any) -> Any:
    """A plug-in of a family from `name:argument,option=value`, with what only the engine can give it."""
    chosen = plugins.parse(family, text)
    arguments = {"argument": chosen.argument} if chosen.argument else {}
    return plugins.entry(family, chosen.name)(**arguments, **chosen.options, **more)


def options_of(family: str, text: str) -> str:
    """The options of a plug-in that were set, for the signature: answers depend on them."""
    chosen = plugins.parse(family, text)
    return "".join(f",{name}={plugins.plain(value)}" for name, value in sorted(chosen.options.items()))


def _knows(plugin: Any, lang: str) -> bool:
    known = plugin.languages()
    return known is None or lang in known or base(lang) in known


def _version(parser: Any, lang: str) -> str:
    """A parser of many languages has a version for each."""
    told = parser.version(lang) if "lang" in inspect.signature(parser.version).parameters else parser.version()
    return str(told)


def _width(slot: Slot) -> int:
    return len(slot.tree.text)
