"""Compact letters (Piepho 2004): two levels share a letter if and only if they are not significantly different."""

from __future__ import annotations

import string
from collections.abc import Collection, Sequence

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase
_MOST_GROUPS = 200


def compact_letters(ordered: Sequence[str], different: Collection[tuple[str, str]]) -> dict[str, str]:
    """The letters of each level; `ordered` begins with the best, whose first letter is A.

    >>> compact_letters(["Spanish", "French", "Russian"], {("Spanish", "Russian")})
    {'Spanish': 'A', 'French': 'AB', 'Russian': 'B'}
    """
    place = {level: number for number, level in enumerate(ordered)}
    apart = [0] * len(ordered)
    for one, other in different:
        apart[place[one]] |= 1 << place[other]
        apart[place[other]] |= 1 << place[one]
    found = _largest(apart) or _enough(apart)
    groups = sorted(found, key=lambda group: [number for number in place.values() if group >> number & 1])
    names = [_letter(number) for number in range(len(groups))]
    return {
        level: "".join(name for name, group in zip(names, groups, strict=True) if group >> number & 1)
        for level, number in place.items()
    }


def _largest(apart: Sequence[int]) -> list[int]:
    """All largest groups without a difference inside, as sets of bits: insert and absorb, a level at a time.

    None at all if they are too many, which they can be exponentially.
    """
    groups = [(1 << len(apart)) - 1] if apart else []
    for level, others in enumerate(apart):
        split = set[int]()
        for group in groups:
            clash = group >> level & 1 and group & others
            split |= {group & ~(1 << level), group & ~others} if clash else {group}
        if len(split) > 2 * _MOST_GROUPS:
            return []
        groups = [group for group in split if not any(group != other and group & other == group for other in split)]
    return groups


def _enough(apart: Sequence[int]) -> list[int]:
    """As many groups as it takes for each pair that is not different to be together in one."""
    groups = list[int]()
    alike = [~others & ((1 << len(apart)) - 1) for others in apart]
    for level, missing in enumerate(alike):
        for group in groups:
            missing &= ~group if group >> level & 1 else -1
        while missing:
            # The lowest bit is a level that this one still has to share a letter with: itself, if no other.
            group = _grown(1 << level | missing & -missing, apart)
            groups.append(group)
            missing &= ~group
    return groups


def _grown(group: int, apart: Sequence[int]) -> int:
    for level, others in enumerate(apart):
        if not group & others:
            group |= 1 << level
    return group


def _letter(number: int) -> str:
    cycle, place = divmod(number, len(_ALPHABET))
    return _ALPHABET[place] + "'" * cycle
