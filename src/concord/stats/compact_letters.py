"""Compact letter display (Piepho 2004): levels share a letter if and only if they do not differ significantly."""

import string
from collections.abc import Collection, Sequence

_ALPHABET = string.ascii_uppercase + string.ascii_lowercase
_MOST_GROUPS = 200


def compact_letters(ordered: Sequence[str], different: Collection[tuple[str, str]]) -> dict[str, str]:
    """The letters of each level; `ordered` begins with the best, whose first letter is A.

    >>> compact_letters(["Spanish", "French", "Russian"], {("Spanish", "Russian")})
    {'Spanish': 'A', 'French': 'AB', 'Russian': 'B'}
    """
    number_of = {level: number for number, level in enumerate(ordered)}
    apart = [0] * len(ordered)
    for first, second in different:
        apart[number_of[first]] |= 1 << number_of[second]
        apart[number_of[second]] |= 1 << number_of[first]
    unsorted = _largest(apart) or _enough(apart)
    groups = sorted(unsorted, key=lambda group: [number for number in number_of.values() if group >> number & 1])
    names = [_letter(number) for number in range(len(groups))]
    return {
        level: "".join(name for name, group in zip(names, groups, strict=True) if group >> number & 1)
        for level, number in number_of.items()
    }


def _largest(apart: Sequence[int]) -> list[int]:
    """All maximal groups without a significant difference, as bit sets, by Piepho's insert and absorb, level by level.

    The list is empty if there are too many: their number can be exponential.
    """
    groups = [(1 << len(apart)) - 1] if apart else []
    for level, different in enumerate(apart):
        split = set[int]()
        for group in groups:
            clash = group >> level & 1 and group & different
            split |= {group & ~(1 << level), group & ~different} if clash else {group}
        if len(split) > 2 * _MOST_GROUPS:
            return []
        groups = [group for group in split if not any(group != larger and group & larger == group for larger in split)]
    return groups


def _enough(apart: Sequence[int]) -> list[int]:
    """Enough groups, as bit sets, for each pair without a significant difference to share one."""
    groups = list[int]()
    alike = [~different & ((1 << len(apart)) - 1) for different in apart]
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
    for level, different in enumerate(apart):
        if not group & different:
            group |= 1 << level
    return group


def _letter(number: int) -> str:
    cycle, index = divmod(number, len(_ALPHABET))
    return _ALPHABET[index] + "'" * cycle
