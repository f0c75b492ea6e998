"""Hard caps on what a command may spend: not one request beyond."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from concord.errors import Exhausted, UserError
from concord.model import System


@dataclass(slots=True)
class Budget:
    """What may be spent, and what has been. One budget serves every run of a command."""

    max_characters: int | None = None
    max_cost: float | None = None
    per_million: float | None = None
    """A price that takes the place of the systems' own list prices."""
    spent_this_month: Callable[[str], int] = lambda account: 0
    """The characters that a provider was sent since the month began, before this command."""
    characters: int = 0
    cost: float = 0.0
    _currency: str = ""
    _months: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("max_characters", "max_cost", "per_million"):
            if (getattr(self, name) or 0) < 0:
                raise UserError(f"{name.replace('_', ' ')} must not be negative")

    def rate(self, system: System) -> float | None:
        """The price of a million characters, if it is known."""
        if self.per_million is not None:
            return self.per_million
        return system.price.per_million_characters if system.price else None

    def gate(self, system: System) -> Callable[[Sequence[str]], None] | None:
        """What is asked before each request; None where nothing is capped."""
        most = system.limits.per_month
        if self.max_characters is None and self.max_cost is None and most is None:
            return None
        rate = self.rate(system)
        if self.max_cost is not None and rate is None:
            raise UserError(f"the price of {system.id} is not known; say what a million characters cost with --price")
        if self.max_cost is not None and self.per_million is None and system.price:
            self._reckon_in(system.price.currency)

        def admit(texts: Sequence[str]) -> None:
            characters = sum(map(len, texts))
            if most is not None:
                self._spare(account(system), most, characters)
            self._spend(characters, characters * (rate or 0.0) / 1_000_000)
            if most is not None:
                self._months[account(system)] += characters

        return admit

    def _reckon_in(self, currency: str) -> None:
        if self._currency not in ("", currency):
            raise UserError(
                f"--max-cost cannot add {self._currency} and {currency}: run these systems apart, or say with --price"
                " what a million characters cost"
            )
        self._currency = currency

    def _spare(self, name: str, most: int, characters: int) -> None:
        if name not in self._months:
            self._months[name] = self.spent_this_month(name)
        if self._months[name] + characters > most:
            raise Exhausted(
                f"{name} allows {most:,} characters a month, of which this workspace has sent {self._months[name]:,}:"
                f" another request of {characters:,} is too much. To go on: the same command next month, or a larger"
                " per_month under [limits] in the system's TOML file"
            )

    def _spend(self, characters: int, cost: float) -> None:
        if self.max_characters is not None and self.characters + characters > self.max_characters:
            raise Exhausted(
                f"the budget of {self.max_characters:,} characters does not allow another request of {characters:,}"
                f" ({self.characters:,} are spent). To go on: the same command with a larger --max-chars"
            )
        if self.max_cost is not None and self.cost + cost > self.max_cost:
            raise Exhausted(
                f"the budget of {self.max_cost:g} does not allow another request of {cost:.4f}"
                f" ({self.cost:.4f} are spent). To go on: the same command with a larger --max-cost"
            )
        self.characters += characters
        self.cost += cost


def account(system: System) -> str:
    """Whom a month's characters are counted for: one provider, whatever the options."""
    return re.split("[,:#]", system.id)[0]
