"""Hard caps on what a command may spend: not one character beyond."""

from __future__ import annotations

import math
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
    """The characters that an account was sent since the month began, before this command."""
    note: Callable[[str, int], None] | None = None
    """Told the account and the characters of each request before it leaves; less than none when given back."""
    _sent: dict[float, int] = field(default_factory=dict)
    _currency: str = ""
    _months: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("max_characters", "max_cost", "per_million"):
            value = getattr(self, name)
            if value is not None and not (value >= 0 and math.isfinite(value)):
                raise UserError(f"{name.replace('_', ' ')} must be a number that is not negative, not {value}")

    @property
    def characters(self) -> int:
        return sum(self._sent.values())

    @property
    def cost(self) -> float:
        return self.cost_with(0.0, 0)

    def cost_with(self, rate: float, more: int) -> float:
        """What is spent once so many more characters are sent, a million of them at that rate."""
        # From whole characters, so that what is given back leaves no rounding behind.
        sent = {**self._sent, rate: self._sent.get(rate, 0) + more}
        return sum(_cost(characters, each) for each, characters in sent.items())

    def rate(self, system: System) -> float | None:
        """The price of a million characters, if it is known."""
        if self.per_million is not None:
            return self.per_million
        return system.price.per_million_characters if system.price else None

    def gate(self, system: System) -> Gate | None:
        """What is asked before each request; None where nothing is capped and nobody keeps count."""
        most = system.limits.per_month
        if self.max_characters is None and self.max_cost is None and most is None and self.note is None:
            return None
        rate = self.rate(system)
        if self.max_cost is not None and rate is None:
            raise UserError(f"the price of {system.id} is not known; say what a million characters cost with --price")
        if self.max_cost is not None and self.per_million is None and system.price:
            self._reckon_in(system.price.currency)
        name = account(system)
        if most is not None and name not in self._months:
            self._months[name] = self.spent_this_month(name)
        return Gate(self, name, rate or 0.0, most)

    def count(self, name: str, rate: float, characters: int) -> None:
        """What an account is sent, or less than none: what it was not sent after all."""
        if self.note is not None:
            self.note(name, characters)
        self._sent[rate] = self._sent.get(rate, 0) + characters
        if name in self._months:
            self._months[name] += characters

    def month(self, name: str) -> int:
        return self._months[name]

    def _reckon_in(self, currency: str) -> None:
        if self._currency not in ("", currency):
            raise UserError(
                f"--max-cost cannot add {self._currency} and {currency}: run these systems apart, or say with --price"
                " what a million characters cost"
            )
        self._currency = currency


class Gate:
    """What a system must pass before each request: `room` is what is left, `admit` spends it or raises Exhausted.

    What was admitted is spent, answered or not: a request that timed out or broke off may be billed. Only where
    the provider certainly translated nothing is it given back.
    """

    def __init__(self, budget: Budget, name: str, rate: float, per_month: int | None) -> None:
        self._budget = budget
        self._account = name
        self._rate = rate
        self._per_month = per_month

    def room(self) -> int | None:
        """How many characters may still be sent; None if there is no end to them."""
        rooms = [room for room in (self._of_month(), self._of_characters(), self._of_cost()) if room is not None]
        return max(0, min(rooms)) if rooms else None

    def admit(self, texts: Sequence[str]) -> None:
        characters = sum(map(len, texts))
        room = self.room()
        if room is not None and characters > room:
            raise Exhausted(self._refusal(characters))
        self._budget.count(self._account, self._rate, characters)

    def give_back(self, texts: Sequence[str]) -> None:
        self._budget.count(self._account, self._rate, -sum(map(len, texts)))

    def _of_month(self) -> int | None:
        return None if self._per_month is None else self._per_month - self._budget.month(self._account)

    def _of_characters(self) -> int | None:
        most = self._budget.max_characters
        return None if most is None else most - self._budget.characters

    def _of_cost(self) -> int | None:
        most = self._budget.max_cost
        if most is None or not self._rate:
            return None
        room = round((most - self._budget.cost) * 1_000_000 / self._rate) + 1
        while room > 0 and self._budget.cost_with(self._rate, room) > most:
            room -= 1
        return room

    def _refusal(self, characters: int) -> str:
        budget, month = self._budget, self._of_month()
        if month is not None and characters > month:
            return (
                f"{self._account} allows {self._per_month:,} characters a month, of which this workspace has sent"
                f" {budget.month(self._account):,}: another request of {characters:,} is too much. To go on: the same"
                " command next month, or a larger per_month under [limits] in the system's TOML file"
            )
        left = self._of_characters()
        if left is not None and characters > left:
            return (
                f"the budget of {budget.max_characters:,} characters does not allow another request of"
                f" {characters:,} ({budget.characters:,} are spent). To go on: the same command with a larger"
                " --max-chars"
            )
        return (
            f"the budget of {budget.max_cost:g} does not allow another request of {_cost(characters, self._rate):.4f}"
            f" ({budget.cost:.4f} are spent). To go on: the same command with a larger --max-cost"
        )


def account(system: System) -> str:
    """Whom a month's characters are counted for: one provider, whatever the options."""
    return system.account or re.split("[,:#]", system.id)[0]


def _cost(characters: int, rate: float) -> float:
    return characters * rate / 1_000_000
