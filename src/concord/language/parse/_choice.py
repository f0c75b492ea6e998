"""Which parser serves a language: the one chosen, or the first of the embedded ones that know it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, ClassVar

from concord import plugins
from concord.errors import Missing, UserError
from concord.language.codes import base

AUTO = "auto"


class ParserChoice:
    """The parser for each language. Parsers are made when a language is first asked for, and kept until `close`."""

    preferred: ClassVar[tuple[str, ...]] = ("concord_en", "apertium")

    def __init__(self, chosen: str = AUTO) -> None:
        self.chosen = chosen
        self._made: list[Any] | None = None

    def made(self) -> list[Any]:
        """Those that have been made so far."""
        return self._made or []

    def find(self, lang: str) -> Any | None:
        """The parser, or None if there is none that can be used here."""
        return next((each for each in self._every() if self.knows(each, lang)), None)

    def of(self, lang: str, by: str = "--parser NAME") -> Any:
        """The parser; where there is none the error says what to install, or to choose `by` what words."""
        found = self.find(lang)
        if found is None:
            others = ", ".join(name for name in plugins.names("parsers") if name not in (*self.preferred, self.chosen))
            who = "none of the embedded parsers knows" if self.chosen == AUTO else f"{self.chosen} does not know"
            raise UserError(
                f"{who} '{lang}'. Choose one that does with {by}, of: {others}; or install an Apertium"
                f" pair that translates from '{lang}'"
            )
        return found

    def make(self, text: str) -> Any:
        """A parser from the user's words; Missing if it cannot be made here."""
        return plugins.create("parsers", plugins.parse("parsers", text))

    def knows(self, parser: Any, lang: str) -> bool:
        known = parser.languages()
        return known is None or lang in known or base(lang) in known

    def close(self) -> None:
        """Give back what the parsers hold; the next text starts it again."""
        for each in self.made():
            getattr(each, "close", lambda: None)()

    def _every(self) -> list[Any]:
        # No lock: a thread that hangs in the making of a parser would never let go of it.
        if self._made is None:
            self._made = self._embedded() if self.chosen == AUTO else [self.make(self.chosen)]
        return self._made

    def _embedded(self) -> list[Any]:
        found = []
        for name in self.preferred:
            try:
                found.append(self.make(name))
            except Missing:
                continue
        return found


_used: ContextVar[KeptParsers | None] = ContextVar("parsers", default=None)


class KeptParsers(dict[str, ParserChoice]):
    """Parsers that metrics and comparisons ask for, by the user's words: made once, and kept until `close`."""

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Meanwhile `parsers` gives these."""
        token = _used.set(self)
        try:
            yield
        finally:
            _used.reset(token)

    def close(self) -> None:
        """End what they have started."""
        for each in self.values():
            each.close()


@contextlib.contextmanager
def parsers_kept() -> Iterator[None]:
    """Meanwhile `parsers` makes each only once; what they have started ends with this."""
    with contextlib.closing(KeptParsers()) as kept, kept.used():
        yield


@contextlib.contextmanager
def parsers(chosen: str) -> Iterator[ParserChoice]:
    """The parsers of a user's words outside of the services of a run: those that are kept, or some for this alone."""
    kept = _used.get()
    if kept is not None:
        yield kept.setdefault(chosen, ParserChoice(chosen))
        return
    with contextlib.closing(ParserChoice(chosen)) as own:
        yield own
