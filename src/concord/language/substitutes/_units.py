"""Units that stand for one another: currencies, and kilometres and miles; any other unit would make a number absurd."""

from __future__ import annotations

_ALIKE = (
    {"euro": "euros", "dollar": "dollars", "pound": "pounds", "franc": "francs", "peso": "pesos"},
    {"kilometre": "kilometres", "mile": "miles"},
    {"kilometer": "kilometers", "mile": "miles"},
)


def units_like(unit: str) -> list[str]:
    """The other units of its kind, in the same number.

    >>> units_like("dollars"), units_like("mile"), units_like("week")
    (['euros', 'pounds', 'francs', 'pesos'], ['kilometre', 'kilometer'], [])
    """
    lower = unit.lower()
    groups = [names for kind in _ALIKE for names in (list(kind), list(kind.values())) if lower in names]
    return [name for names in groups for name in names if name != lower]
