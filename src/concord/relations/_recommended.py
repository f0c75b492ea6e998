"""The recommended set: the relations of a run that names none. Figures in docs/comparator.md say why they are these."""

from collections.abc import Iterable, Sequence
from itertools import chain

from concord.language.sanity import SANE
from concord.plugins import RECOMMENDED

SET = (SANE, "literals", "sit", "cat", "rti")


def with_sane(relations: Sequence[str]) -> list[str]:
    """The relations of a command with `sane` first: as it is named, or by default with its usual options."""
    first = next((text for text in relations if _name(text) == SANE), SANE)
    return [first, *(text for text in relations if text != first)]


def expanded(relations: Iterable[str]) -> list[str]:
    """The relations, each once, with the members of the set in place of its name; a named member keeps its options.

    >>> expanded(["recommended", "rti:paper", "sit,threshold=0.3"])
    ['sane', 'literals', 'cat', 'rti', 'rti:paper', 'sit,threshold=0.3']
    """
    relations = list(relations)
    members = [name for name in SET if name not in map(_name, relations)]
    return list(dict.fromkeys(chain.from_iterable(members if text == RECOMMENDED else [text] for text in relations)))


def is_optional(text: str, relations: Iterable[str]) -> bool:
    """Whether a relation runs only because the set has it, and so is left out where it cannot work."""
    return text != SANE and text not in relations


def _name(text: str) -> str:
    return text.partition(",")[0]
