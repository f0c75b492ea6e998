"""A plainer tree for a meaning, with the same language."""

from __future__ import annotations

from concord.relations.semmt.regex.meaning_tree import Meaning, is_some, one

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
    if is_some(node) and (parts[0].what in ("start", "end", "sequence") or _surrounded(parts[0])):
        return parts[0]
    return node._replace(parts=parts)


def _surrounded(part: Meaning) -> bool:
    """Whether there is anything on both sides of all that it contains; around `X or Y` there is on the outer ones."""
    return part.what == "contain" and part.parts[0].what not in ("and", "or")


def _steps(part: Meaning, *, first: bool) -> tuple[Meaning, ...]:
    if part.what in ("sequence", "start"):
        return part.parts
    if part.what == "end" or _surrounded(part):
        return (_GAP, *part.parts) if first else part.parts
    return (part,)
