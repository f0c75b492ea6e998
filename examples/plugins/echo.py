"""Echo: a text that stands twice in a line is translated alike both times (cite the paper here)."""

from typing import Annotated

from concord import Case, Text, Translate
from concord.options import Share


async def check(
    x: Text,
    translate: Translate,
    *,
    to: str,
    threshold: Annotated[Share, "Largest share of words that may differ."] = 0.0,
) -> list[Case]:
    twice = Text(f"{x.words} {x.words}", x.lang)
    once, both = await translate(x, to), await translate(twice, to)
    words = both.words.split()
    half = len(words) // 2
    differ = sum(a != b for a, b in zip(words[:half], words[half:], strict=False))
    return [
        Case(
            source=x,
            follow_up=twice,
            source_output=once,
            follow_up_output=both,
            compared=(once, both),
            suspicion=differ / max(half, 1),
            threshold=threshold,
        )
    ]
