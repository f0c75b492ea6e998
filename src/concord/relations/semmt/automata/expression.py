"""Regular expressions in the notation of the NL-RX benchmark (Locascio et al. 2016), as SemMT uses them.

| written | means |
|---|---|
| `.` | any character |
| `dog` | these characters, one after the other |
| `<M0>`, `<X>` | a quoted string or phrase that stands for itself: one symbol, a word character, in no class |
| `<VOW> <NUM> <LET> <CAP> <LOW>`, also in `[ ]` | vowels, digits, letters, capitals, lower-case letters |
| `[AEIOUaeiou]`, `[A-Z]`, `[^a]` | one of these characters, of this range, none of these |
| `\\d \\w \\s`, `\\.` | a digit, a word character, a blank; the character itself |
| `\\b` | the place between a word character and another one, or the edge of the line |
| `a*  a+  a?  a{m,n}  a{m,}  a{,n}  a{m}` | repetition |
| `~a` | everything but `a`; binds closer than repetition, so `~(a)+` is `(~(a))+` |
| `ab`, `a&b`, `a\\|b` | one after the other; both; either. The first binds closest |

Blanks between tokens mean nothing, `\\ b` is `\\b`. An empty alternative is the empty word. What stands before or
after a string applies to its nearest character only: write `(dog)+`, `~(dog)`. A phrase abstracted to `X` is the
letter X; written `<X>` it cannot be mistaken for a capital letter.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
VOWELS = frozenset("AEIOUaeiou")
CLASSES = {
    "<VOW>": VOWELS,
    "<NUM>": frozenset(string.digits),
    "<LET>": frozenset(string.ascii_letters),
    "<CAP>": frozenset(string.ascii_uppercase),
    "<LOW>": frozenset(string.ascii_lowercase),
}


@dataclass(frozen=True, slots=True)
class Symbols:
    """One of these symbols; with `outside`, one of all the others. A symbol is a character or a name like `<M0>`."""

    members: frozenset[str]
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Boundary:
    """The place between a word character and something else."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """The parts one after the other; without parts, the empty word."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Either(Generic[T]):
    """One of the parts. This operator and the next two join expressions here, and formulas in `logic.formula`."""

    parts: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Both(Generic[T]):
    """A conjunction: expressions that all match, or the claims of a formula in their order."""

    parts: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Not(Generic[T]):
    part: T


@dataclass(frozen=True, slots=True)
class Repetition:
    """`part` from `least` to `most` times; None means without limit."""

    part: Tree
    least: int
    most: int | None


Tree = Symbols | Boundary | Sequence | Either["Tree"] | Both["Tree"] | Not["Tree"] | Repetition
ANY = Symbols(frozenset(), outside=True)


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. Two are equal if their tokens are; see `language` for equal meaning.

    `tokens` are what SemMT-R counts edits over: a class such as `[<LET>]`, a repetition such as `{3,}`, a string
    and `\\b` are one token each; the brackets around a single character are tokens of their own.
    """

    tokens: tuple[str, ...]
    tree: Tree = field(compare=False, repr=False)
