"""Limits on an expression: strangers may have written it, so depth, states and work are bounded."""

from __future__ import annotations

from concord.errors import UserError

LONGEST_TEXT = 20_000
DEEPEST = 40
MOST_REPEATS = 3
MOST_SYMBOLS = 200
MOST_POSITIONS = 2_000
MOST_STATES = 1_000
MOST_PAIRS = 2_000
MOST_WORK = 1_000_000
"""Elementary steps for one expression; a million take well under a second."""


class Unreadable(UserError):
    """The text is not an expression; `place` is the offset of the character where reading stopped."""

    def __init__(self, text: str, place: int, trouble: str) -> None:
        excerpt = text[max(0, place - 20) : place] + "⟨here⟩" + text[place : place + 20]
        super().__init__(f"not an expression: {trouble} at character {place + 1}: {excerpt!r}")
        self.text = text
        self.place = place
        self.trouble = trouble

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str, int, str]]:
        return Unreadable, (self.text, self.place, self.trouble)


class TooComplex(UserError):
    """The expression is well written, but its automaton would be too large."""

    def __init__(self, resource: str, most: int) -> None:
        super().__init__(
            f"the expression is too complex: it needs more than {most} {resource}. "
            "Smaller counts in {m,n}, fewer alternatives or less nesting of & and ~ make it smaller"
        )
        self.resource = resource
        self.most = most

    def __reduce__(self) -> tuple[type[TooComplex], tuple[str, int]]:
        return TooComplex, (self.resource, self.most)


class StepBudget:
    """Counts the steps that are spent on one expression."""

    def __init__(self, most: int = MOST_WORK) -> None:
        self.left = self.most = most

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooComplex("steps", self.most)
