"""Numbers with a noun in the singular or the plural."""


def plural(number: float, singular: str, irregular: str = "") -> str:
    """A number with its noun; the plural adds an s to the singular, unless an irregular one is given.

    >>> plural(1, "case"), plural(1_204, "case"), plural(2, "row has", "rows have")
    ('1 case', '1,204 cases', '2 rows have')
    """
    digits = f"{number:,.0f}"
    return f"{digits} {singular if digits == '1' else irregular or f'{singular}s'}"
