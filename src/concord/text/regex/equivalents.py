"""Other trees for a meaning: a plainer one with the same language, and one with everyday logic."""

from __future__ import annotations

from concord.text.regex.meaning import DENIED, ONLY, Meaning, is_some, one

_GAP = Meaning("atom", atom=". *", name="anything")


def plain(node: Meaning) -> Meaning:
    """A simpler tree with the same language, so that bracketings that come to the same are seen to."""
    parts = tuple(plain(part) for part in node.parts)
    what = node.what
    if what in ("and", "or"):
        return Meaning(what, tuple(leaf for part in parts for leaf in (part.parts if part.what == what else (part,))))
    if what in ("contain", "start", "end"):
        inner = one(parts[0])
        if inner.what != "sequence":
            return Meaning(what, (inner,))
        return inner if what == "start" else Meaning("sequence", (_GAP, *inner.parts))
    if what == "sequence":
        return Meaning("sequence", (*_steps(one(parts[0]), first=True), *_steps(one(parts[1]), first=False)))
    if is_some(node) and parts[0].what in ("contain", "start", "end", "sequence"):
        return parts[0]
    return node._replace(parts=parts)


def _steps(part: Meaning, *, first: bool) -> tuple[Meaning, ...]:
    if part.what in ("sequence", "start"):
        return part.parts
    if part.what == "end" or (part.what == "contain" and part.parts[0].what not in ("and", "or")):
        return (_GAP, *part.parts) if first else part.parts
    return (part,)


def everyday(node: Meaning) -> Meaning:
    """The tree as people mean it, where the benchmark has a habit of its own.

    The benchmark takes "not X and not Y" for `~ ( X & Y )`, "containing X and Y" for `. * ( X ) & ( Y ) . *`,
    "containing X or Y" for `. * ( X ) | ( Y ) . *`, where the dots belong to the outer parts only, "not vowels" for
    `~ ( [ <VOW> ] ) +`, where the negation comes before the repetition, and at times "only" for nothing.
    """
    parts = tuple(everyday(part) for part in node.parts)
    if node.what == "contain" and node.name == ONLY:
        return parts[0]
    if node.what == "not" and is_some(parts[0]):
        return Meaning("not", (Meaning("group", parts),))
    if node.what == "and" and node.name == DENIED:
        return Meaning("or", parts)
    if node.what == "contain" and parts[0].what == "and":
        return Meaning("and", tuple(Meaning("contain", (part,)) for part in parts[0].parts))
    if node.what in ("contain", "word") and parts[0].what in ("and", "or"):
        return Meaning(node.what, (Meaning("group", parts),))
    return node._replace(parts=parts)
