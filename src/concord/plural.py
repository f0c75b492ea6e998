"""Numbers of things in words that agree with them."""

from __future__ import annotations


def plural(number: float, one: str, many: str = "") -> str:
    """A number of things, in words that agree with it; the plural is said where an s does not make it.

    >>> plural(1, "case"), plural(1_204, "case"), plural(2, "row has", "rows have")
    ('1 case', '1,204 cases', '2 rows have')
    """
    shown = f"{number:,.0f}"
    return f"{shown} {one if shown == '1' else many or f'{one}s'}"
