"""What the annotation of an option says besides its type: which values it may have, and one sentence of help.

threshold: Annotated[float, Within(0, 1), "Largest suspicion that is not flagged."] = 0.4
"""

import math
from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True, slots=True)
class Within:
    """A number from `least` to `most`; with `above`, `least` itself is too small."""

    least: float = -math.inf
    most: float = math.inf
    above: bool = False

    def accepts(self, value: Any) -> bool:
        return bool(self.least < value if self.above else self.least <= value) and bool(value <= self.most)

    def __str__(self) -> str:
        """What is expected.

        >>> str(Within(0, 1)), str(Within(1)), str(Within(0, 1, above=True))
        ('a number from 0 to 1', 'a number of at least 1', 'a number above 0 and at most 1')
        """
        if self.above:
            return f"a number above {self.least:g}" + (f" and at most {self.most:g}" if self.most < math.inf else "")
        if self.most == math.inf:
            return f"a number of at least {self.least:g}"
        return f"a number from {self.least:g} to {self.most:g}"


@dataclass(frozen=True, slots=True)
class NotEmpty:
    """At least one value of several."""

    def accepts(self, value: Any) -> bool:
        return bool(value)

    def __str__(self) -> str:
        return "at least one value"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some numbers."""

    values: tuple[float, ...]

    def accepts(self, value: Any) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return "one of " + ", ".join(f"{value:g}" for value in self.values)


Constraint = Within | NotEmpty | OneOf
Share = Annotated[float, Within(0, 1)]
"""A proportion or a probability."""
Count = Annotated[int, Within(1)]
"""How many, at least one."""
