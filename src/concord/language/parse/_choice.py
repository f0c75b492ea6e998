"""The choice of the parser for a language: the one that the user names, or the first embedded one that knows it."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, ClassVar

from concord import bounds, plugins
from concord.errors import Missing, UserError
from concord.language.codes import base
from concord.language.tokens import split
from concord.model import Text

AUTO = "auto"


def parseable(text: Text) -> str:
    """The words of a text that is short enough to be parsed; raises NotJudged if it is not."""
    # Most texts have fewer characters than that, and need not be split.
    few = len(text.words) <= bounds.LONGEST_PARSED
    return text.words if few else bounds.parseable(text.words, len(split(text)))


class ParserChoice:
    """The parser for each language. Parsers are made when a language is first asked for, and kept until `close`."""

    preferred: ClassVar[tuple[str, ...]] = ("concord_en", "apertium")

    def __init__(self, setting: str = AUTO) -> None:
        self.setting = setting
        self._parsers: list[Any] | None = None
        self._found: dict[str, Any | None] = {}

    def started(self) -> list[Any]:
        """The parsers that have been made so far."""
        return self._parsers or []

    def find(self, lang: str) -> Any | None:
        """The parser of a language, or None if there is none that can be used."""
        # No lock: a thread that hangs in the making of a parser would never let go of it.
        if self._parsers is None:
            self._parsers = self._embedded() if self.setting == AUTO else [self.make(self.setting)]
        if lang not in self._found:
            self._found[lang] = next((parser for parser in self._parsers if self.knows(parser, lang)), None)
        return self._found[lang]

    def require(self, lang: str, option: str = "--parser NAME") -> Any:
        """The parser of a language; where there is none, the error says what to install or how to set `option`."""
        parser = self.find(lang)
        if parser is None:
            others = ", ".join(name for name in plugins.names("parsers") if name not in (*self.preferred, self.setting))
            who = "none of the embedded parsers knows" if self.setting == AUTO else f"{self.setting} does not know"
            raise UserError(
                f"{who} '{lang}'. Choose one that does with {option}, of: {others}; or install an Apertium"
                f" pair that translates from '{lang}'"
            )
        return parser

    def make(self, text: str) -> Any:
        """A parser from the user's words; Missing if it is not installed."""
        return plugins.create("parsers", plugins.parse("parsers", text))

    def knows(self, parser: Any, lang: str) -> bool:
        languages = parser.languages()
        return languages is None or lang in languages or base(lang) in languages

    def close(self) -> None:
        """Release the resources of the parsers; the next text acquires them again."""
        for parser in self.started():
            getattr(parser, "close", lambda: None)()

    def _embedded(self) -> list[Any]:
        parsers = []
        for name in self.preferred:
            with contextlib.suppress(Missing):
                parsers.append(self.make(name))
        return parsers


_current: "ContextVar[SharedParsers | None]" = ContextVar("parsers", default=None)


class SharedParsers(dict[str, ParserChoice]):
    """Parsers that metrics and comparisons share, by the user's words: made once, and kept until `close`."""

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Within the context, `parsers` returns these shared parsers."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def close(self) -> None:
        """Close all shared parsers."""
        for choice in self.values():
            choice.close()


@contextlib.contextmanager
def shared_parsers() -> Iterator[None]:
    """Let `parsers` make each parser only once within the context, and close them all at its end."""
    with contextlib.closing(SharedParsers()) as shared, shared.used():
        yield


@contextlib.contextmanager
def parsers(setting: str) -> Iterator[ParserChoice]:
    """The parsers of a user's words outside the services of a run: shared ones, or their own for this context."""
    shared = _current.get()
    if shared is not None:
        yield shared.setdefault(setting, ParserChoice(setting))
        return
    with contextlib.closing(ParserChoice(setting)) as own:
        yield own
