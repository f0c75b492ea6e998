"""`parse` and `depend`: the tree of a text, and the dependency relations between its words."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from concord.engine.batching.question import Ask
from concord.engine.services._service import NONE, Choices, Local, Terms, Verb
from concord.engine.services.parsers import Parsers
from concord.engine.services.validation import relations_fault, sound
from concord.errors import ServiceError, UserError
from concord.language.codes import base
from concord.language.parse._choice import parseable
from concord.language.plugin_choice import AUTO, cure
from concord.language.trees.dependencies import relations
from concord.model import Text


@dataclass(slots=True, eq=False)
class ParserVerb(Verb):
    """`parse(x)` or `depend(x)`: the tree or the relations of a text; `.each(xs)`: of several.

    `.kind(lang)` says what trees the parser gives, which `depend` reads where the parser has no relations of its own.
    """

    kind: Callable[[str], str]


class _ParserService(Local):
    """The base of `parse` and `depend`."""

    name: str

    def __init__(self, choices: Choices, terms: Terms) -> None:
        self._parsers = Parsers(choices.get("parse", AUTO), terms.trees)
        super().__init__(
            "the parser" if self._parsers.setting == AUTO else f"the parser {self._parsers.setting}", terms
        )
        self.verb = ParserVerb(self.ask, self.can, self.kind)

    def versions(self) -> dict[str, str]:
        return {
            f"{self.name}[{lang}]": NONE if self._spared(lang) else self.version(lang) for lang in self._terms.parsed
        }

    def notes(self) -> list[str]:
        """What was named in vain, and how a language that no parser serves could be parsed."""
        spared = [lang for lang in self._terms.parsed if self._spared(lang)]
        served = [lang for lang in self._terms.parsed if lang not in spared]
        unserved = [lang for lang in spared if self._parsers.find(lang) is None]
        return [*self._parsers.notes(served), *(str(self._parsers.lack(lang)) for lang in unserved)]

    def lack(self, lang: str) -> UserError:
        """The error of a language that the service cannot do, with the cure."""
        return self._parsers.lack(lang)

    @abstractmethod
    def version(self, lang: str) -> str:
        """What answers about texts in the language depend on."""

    def plugins(self) -> list[Any]:
        return self._parsers.started()

    def renew(self) -> None:
        self._parsers = self._parsers.renewed()

    def can(self, lang: str) -> bool:
        """Whether the relation declares that it parses the language, and there is a parser for it."""
        return self._is_declared(lang) and self._parsers.find(lang) is not None

    def kind(self, lang: str) -> str:
        """`full` or `shallow`: trees of different kinds are not comparable."""
        return str(self._parsers.require(lang).kind)

    def ask(self, lang: str, words: Sequence[str]) -> Ask:
        if not self._is_declared(lang):
            raise UserError(
                f"the relation asks for the parse of a text in '{lang}', but its module does not say so. The signature"
                f' must name the parser: write TRAITS = Traits(parses=("source", "target")) into the module'
            )
        return self.batched.ask(lang, [parseable(Text(text, lang)) for text in words])

    def _spared(self, lang: str) -> bool:
        return self.name in self._terms.spared and self._parsers.find(lang) is None

    def _is_declared(self, lang: str) -> bool:
        return not self._terms.parsed or base(lang) in map(base, self._terms.parsed)


class Parsing(_ParserService):
    """The service `parse`."""

    name = "parse"

    def version(self, lang: str) -> str:
        return self._parsers.version(lang)

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        return self._parsers.parse([Text(words, lang) for words in items])


class Depending(_ParserService):
    """The service `depend`: by the parser's own `depend` where it has one, by head rules on its trees otherwise."""

    name = "depend"

    def can(self, lang: str) -> bool:
        return super().can(lang) and not _flat(self._parsers.require(lang))

    def version(self, lang: str) -> str:
        """The parser, and where its relations come from: labels of the two origins are not comparable."""
        return f"{self._parsers.version(lang)},{'own' if _own(self._deep(lang)) else 'heads'}"

    def answers(self, lang: str, items: list[str]) -> list[Any]:
        parser = self._deep(lang)
        texts = [Text(words, lang) for words in items]
        if _own(parser):
            return sound(f"the parser {parser.id}", items, parser.depend(texts), relations_fault)
        trees = self._parsers.parse(texts)
        return [tree if isinstance(tree, ServiceError) else relations(tree) for tree in trees]

    def _spared(self, lang: str) -> bool:
        parser = self._parsers.find(lang)
        return self.name in self._terms.spared and (parser is None or _flat(parser))

    def _deep(self, lang: str) -> Any:
        parser = self._parsers.require(lang)
        if _flat(parser):
            raise self.lack(lang)
        return parser

    def lack(self, lang: str) -> UserError:
        parser = self._parsers.find(lang)
        if parser is None:
            return self._parsers.lack(lang)
        return shallow_lack(parser.id, lang)


def shallow_lack(parser: str, lang: str) -> UserError:
    """The error of a parser whose trees have no relations, with parsers that have."""
    return UserError(
        f"the parser {parser} gives '{lang}' shallow trees, from which no dependency relations can be read."
        f" {cure('parsers', lang, by_package=False)}"
    )


def _own(parser: Any) -> bool:
    return callable(getattr(parser, "depend", None))


def _flat(parser: Any) -> bool:
    return parser.kind == "shallow" and not _own(parser)
