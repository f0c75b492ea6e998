"""Hard caps on what a command may spend: not one character is sent beyond them."""

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
    """Called with the account and the characters of each request before it is sent; negative when given back."""
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
        """The cost once `more` characters are sent, at that rate for a million."""
        # From whole characters, so that refunds leave no rounding error.
        sent = {**self._sent, rate: self._sent.get(rate, 0) + more}
        return sum(_cost(characters, price) for price, characters in sent.items())

    def rate(self, system: System) -> float | None:
        """The price of a million characters, if it is known."""
        if self.per_million is not None:
            return self.per_million
        return system.price.per_million_characters if system.price else None

    def gate(self, system: System) -> "Gate | None":
        """What checks the requests to a system against the budget; None if there is no limit and nothing to count."""
        most = system.limits.per_month
        if self.max_characters is None and self.max_cost is None and most is None and self.note is None:
            return None
        rate = self.rate(system)
        if self.max_cost is not None and rate is None:
            raise UserError(f"the price of {system.id} is not known; say what a million characters cost with --price")
        if self.max_cost is not None and self.per_million is None and system.price:
            self._use_currency(system.price.currency)
        name = account(system)
        if most is not None and name not in self._months:
            self._months[name] = self.spent_this_month(name)
        return Gate(self, name, rate or 0.0, most)

    def count(self, name: str, rate: float, characters: int) -> None:
        """Count characters that are sent to an account; negative ones were not sent after all."""
        if self.note is not None:
            self.note(name, characters)
        self._sent[rate] = self._sent.get(rate, 0) + characters
        if name in self._months:
            self._months[name] += characters

    def month(self, name: str) -> int:
        return self._months[name]

    def _use_currency(self, currency: str) -> None:
        if self._currency not in ("", currency):
            raise UserError(
                f"--max-cost cannot add {self._currency} and {currency}: run these systems apart, or say with --price"
                " what a million characters cost"
            )
        self._currency = currency


@dataclass(frozen=True, slots=True)
class Gate:
    """The budget of one system: `remaining` is what is left, `admit` spends it or raises Exhausted.

    What was admitted is spent, answered or not: a request that timed out or broke off may be billed. It is given back
    only where the provider certainly translated nothing.
    """

    budget: Budget
    account: str
    rate: float
    per_month: int | None

    def remaining(self) -> int | None:
        """How many characters may still be sent; None if nothing is capped."""
        caps = (self._left_of_month(), self._left_of_characters(), self._left_of_cost())
        left = [characters for characters in caps if characters is not None]
        return max(0, min(left)) if left else None

    def admit(self, texts: Sequence[str]) -> None:
        characters = sum(map(len, texts))
        remaining = self.remaining()
        if remaining is not None and characters > remaining:
            raise Exhausted(self._refusal(characters))
        self.budget.count(self.account, self.rate, characters)

    def give_back(self, texts: Sequence[str]) -> None:
        self.budget.count(self.account, self.rate, -sum(map(len, texts)))

    def _left_of_month(self) -> int | None:
        return None if self.per_month is None else self.per_month - self.budget.month(self.account)

    def _left_of_characters(self) -> int | None:
        most = self.budget.max_characters
        return None if most is None else most - self.budget.characters

    def _left_of_cost(self) -> int | None:
        most = self.budget.max_cost
        if most is None or not self.rate:
            return None
        left = round((most - self.budget.cost) * 1_000_000 / self.rate) + 1
        while left > 0 and self.budget.cost_with(self.rate, left) > most:
            left -= 1
        return left

    def _refusal(self, characters: int) -> str:
        budget, month = self.budget, self._left_of_month()
        if month is not None and characters > month:
            return (
                f"{self.account} allows {self.per_month:,} characters a month, of which this workspace has sent"
                f" {budget.month(self.account):,}: another request of {characters:,} is too much. To go on: the same"
                " command next month, or a larger per_month under [limits] in the system's TOML file"
            )
        left = self._left_of_characters()
        if left is not None and characters > left:
            return (
                f"the budget of {budget.max_characters:,} characters does not allow another request of"
                f" {characters:,} ({budget.characters:,} are spent). To go on: the same command with a larger"
                " --max-chars"
            )
        return (
            f"the budget of {budget.max_cost:g} does not allow another request of {_cost(characters, self.rate):.4f}"
            f" ({budget.cost:.4f} are spent). To go on: the same command with a larger --max-cost"
        )


def account(system: System) -> str:
    """The account that pays for a system's requests: that of its provider, whatever the options."""
    return system.account or re.split("[,:#]", system.id)[0]


def _cost(characters: int, rate: float) -> float:
    return characters * rate / 1_000_000
