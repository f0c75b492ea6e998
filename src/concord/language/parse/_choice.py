"""The choice of parsers: the one that the user names for a language, or the first embedded one that knows it."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from concord import bounds
from concord.language.plugin_choice import AUTO, PluginChoice, setting_in_force
from concord.language.tokens import split
from concord.model import Text


def parseable(text: Text) -> str:
    """The words of a text that is short enough to be parsed; raises NotJudged if it is not."""
    # Most texts have fewer characters than that, and need not be split.
    few = len(text.words) <= bounds.LONGEST_PARSED
    return text.words if few else bounds.parseable(text.words, len(split(text)))


class ParserChoice(PluginChoice):
    """The parser for each language."""

    def __init__(self, setting: str = AUTO, *, alone: bool = False) -> None:
        super().__init__("parsers", setting, alone=alone)


_current: "ContextVar[SharedParsers | None]" = ContextVar("parsers", default=None)


class SharedParsers(dict[tuple[str, bool], ParserChoice]):
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
def parsers(setting: str, *, alone: bool = False) -> Iterator[ParserChoice]:
    """The parsers of a user's words outside the services of a run: shared ones, or their own for this context."""
    shared, setting = _current.get(), setting_in_force("parsers", setting)
    if shared is not None:
        yield shared.setdefault((setting, alone), ParserChoice(setting, alone=alone))
        return
    with contextlib.closing(ParserChoice(setting, alone=alone)) as own:
        yield own
