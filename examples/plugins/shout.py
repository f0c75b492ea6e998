"""Shout: the source in capitals, for trying things out."""

from collections.abc import Sequence
from typing import Annotated

from concord import System


class Translator(System):
    deterministic = True
    made_up = True  # nobody takes capitals for Spanish

    def __init__(self, *, mark: Annotated[str, "What ends every answer."] = "!") -> None:
        self._mark = mark

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        return [text.upper() + self._mark for text in texts]
