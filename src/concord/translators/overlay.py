"""Corrected translations in front of another system: what they do not answer, the system does.

`--system overlay:FIXES.tsv,SYSTEM`, where FIXES is a file as for `table`, or the corrections that
`concord export --what corrections` writes as JSONL, and SYSTEM is written as for `--system`. So a run shows what
corrections mend, and whether anything else breaks beside them.
"""

from collections.abc import Sequence
from typing import Annotated

from concord.errors import ServiceError, UserError
from concord.model import System
from concord.translators._wrapper import Wrapped
from concord.translators.table import Translator as Table


class Translator(Wrapped):
    """The system `inner`, or the one that the argument names, behind the corrections of a file."""

    def __init__(
        self,
        *,
        argument: Annotated[str, "The file with corrected translations and the system, with a comma between."] = "",
        fixes: Table | None = None,
        inner: System | None = None,
    ) -> None:
        file, _, system = argument.partition(",")
        if (not file and fixes is None) or (not system and inner is None):
            raise UserError("overlay needs corrections and another system: --system overlay:FIXES.tsv,apertium")
        super().__init__(inner or _built(system))
        self._fixes = fixes or Table(argument=file)
        self.id = f"overlay:{file or self._fixes.id},{self.inner.id}"
        self.given = ""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        fixed = await self._fixes.translate(texts, source, target)
        others = [text for text, answer in zip(texts, fixed, strict=True) if not isinstance(answer, str)]
        rest = iter(await self.inner.translate(others, source, target) if others else ())
        answers = [answer if isinstance(answer, str) else next(rest, None) for answer in fixed]
        # If the system gave too few answers or too many, there are too few or too many here.
        return [*(answer for answer in answers if answer is not None), *rest]

    def version(self, source: str, target: str) -> str | None:
        inner = self.inner.version(source, target)
        return None if inner is None else f"{inner}+fixes,{self._fixes.version(source, target)}"

    def each(self) -> Sequence[System]:
        return [self, *(Translator(fixes=self._fixes, inner=sample) for sample in self.inner.each()[1:])]


def _built(argument: str) -> System:
    from concord import plugins

    return plugins.system(argument)
