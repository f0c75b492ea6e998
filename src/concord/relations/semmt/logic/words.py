"""Cut a sentence into words with their spans, so that numbers, signs and contractions can be looked up."""

import re
from functools import cached_property

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]")


class Words:
    """The words of a text in lower case, and the span of each; spans are computed on first use."""

    def __init__(self, text: str) -> None:
        self.text = text
        lower = text.lower()
        # The lower case of a few letters is longer, which would shift all later spans.
        if len(lower) != len(text):
            lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
        self.words: list[str] = _WORD.findall(lower.replace("’", "'"))

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [match.span() for match in _WORD.finditer(self.text)]

    def start(self, index: int) -> int:
        return self._spans[index][0]

    def end(self, index: int) -> int:
        return self._spans[index][1]

    def capital(self, index: int) -> bool:
        return self.text[self.start(index)].isupper()

    def touches(self, index: int) -> bool:
        """Whether the word follows the one before it without a blank."""
        return 0 < index < len(self.words) and self.start(index) == self.end(index - 1)
