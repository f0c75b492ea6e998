"""What nouns, and what is said of them in free words, come to as expressions, by the verbs that govern them."""

import re
from collections.abc import Callable

from concord.relations.semmt.regex.phrases import literal

Found = Callable[[str, str], str]
"""The expression for a verb, and for the characters that may stand around it: any (`.`), or those of a word.

The verbs are `contain`, `start`, `end`, `be` and `only`; `text` is for what stands beside something else.
"""
Amount = tuple[int, int | None, bool]
"""The least, the most, and whether a number stands alone: `with 2 digits` takes that for 2 or more."""
_SHAPES = re.compile(r"\d+|[A-Za-z]+|.")


def shaped(example: str) -> str:
    """What is written like an example, with as many digits in each place."""
    pieces = [
        rf"[<NUM>]{{{len(piece)}}}" if piece.isdecimal() else literal(piece) for piece in _SHAPES.findall(example)
    ]
    left, right = (r"\b" if example[index].isalnum() else "" for index in (0, -1))
    return f"({left}{''.join(pieces)}{right})"


def braces(amount: Amount) -> str:
    low, high, _ = amount
    return f"{{{low},{'' if high is None else high}}}"


def joined(operator: str, parts: list[str]) -> str:
    return operator.join(f"({part})" for part in parts) if parts[1:] else "".join(parts)


def counted(text: str, amount: Amount | None, run: bool, verb: str, dot: str) -> str:
    around, times = f"{dot}*", braces(amount) if amount else ""
    whole = f"({text}){times}"
    if text == "()" or (text in (".", dot) and amount and amount[2:] and verb == "contain" and not run):
        return whole
    if verb != "contain":
        by_verb = {"start": whole + around, "end": around + whole, "only": whole if times else f"{whole}+"}
        return by_verb.get(verb, whole)
    if amount is None or run:
        return f"{around}{whole}{around}"
    low, high, alone = amount
    least = f"({around}({text})){{{low}}}{around}"
    return least if high is None or alone else f"({least})&~(({around}({text})){{{high + 1}}}{around})"


def row(parts: list[Found], gap: str) -> Found:
    def text(_: str, dot: str) -> str:
        return gap.join(f"({part('text', dot)})" for part in parts)

    return lambda verb, dot: counted(text(verb, dot), (1, 1, True) if verb == "only" else None, False, verb, dot)


def joint(operator: str, parts: list[Found], verb: str, dot: str) -> str:
    if verb == "only":
        return f"({joint('|', parts, 'text', dot)})+"
    return f"({joined(operator, [part(verb, dot) for part in parts])})"


def one_of(parts: list[Found], verb: str, dot: str) -> str:
    return f"({joint('|', parts, verb, dot)})&~({joint('&', parts, verb, dot)})"


def denied(part: Found, verb: str, dot: str) -> str:
    return f"({dot}&~({part(verb, dot)}))" if verb == "text" else f"~({part(verb, dot)})"


def with_verb(part: Found, verb: str, _: str, dot: str) -> str:
    return part(verb, dot)


def unfollowed(left: Found, right: Found, verb: str, dot: str) -> str:
    return f"{'' if verb == 'start' else f'{dot}*'}({left('text', dot)})~(({right('text', dot)}){dot}*)"
