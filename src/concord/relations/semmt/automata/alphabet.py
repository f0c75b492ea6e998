"""The characters of a language, cut into the classes that an expression tells apart.

The universe is the 95 printable ASCII characters, and every other symbol (`<M0>`, `é`) that an expression mentions.
Symbols that this expression does not mention, but another one may, belong to a class as well, so that languages of
different expressions can be compared. A set of symbols is a bit mask.
"""

import string
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from concord.relations.semmt.automata.expression import Boundary, Expression, Not, Repetition, Symbols, Tree
from concord.relations.semmt.automata.limits import MOST_SYMBOLS, TooComplex

PRINTABLE = "".join(map(chr, range(32, 127)))
ALPHANUMERIC = string.ascii_letters + string.digits
_STRANGERS = len(PRINTABLE)
"""The bit of the symbols that no class mentions and that are no word characters; the next bit is for those that are."""
_FIRST_OWN = _STRANGERS + 2
_BITS = {character: bit for bit, character in enumerate(PRINTABLE)}


def is_word(symbol: str) -> bool:
    """Whether `\\b` sees a word character in it; a quoted string `<M0>` counts as one."""
    return len(symbol) > 1 or symbol.isalnum() or symbol == "_"


_WORD = sum(1 << bit for character, bit in _BITS.items() if is_word(character)) | 1 << _STRANGERS + 1


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Classes 0 … size − 1 and which of them every symbol belongs to.

    `bits` has the class of each bit of a mask. `kinds` says of each class whether it holds word characters; without
    `\\b` it is 0 for all of them.
    `mentioned` are the printable characters that the expression mentions, `own` the other symbols.
    """

    size: int
    bits: tuple[int, ...]
    mentioned: frozenset[str]
    own: tuple[str, ...]
    kinds: tuple[int, ...]
    sets: dict[int, tuple[int, ...]]

    def class_of(self, symbol: str) -> int:
        """The class of a symbol."""
        bit = _BITS.get(symbol, -1)
        if bit < 0:
            bit = _FIRST_OWN + self.own.index(symbol) if symbol in self.own else _STRANGERS + is_word(symbol)
        return self.bits[bit]

    def among(self, symbols: Symbols) -> tuple[int, ...]:
        """The classes that make up a set of symbols."""
        return self.sets[_mask(symbols, self.own)]


def alphabet(expression: Expression) -> Alphabet:
    """The coarsest classes with which the expression can be decided."""
    sets, bounded = _collect(expression.tree)
    mentioned = frozenset[str]().union(*(symbols.members for symbols in sets))
    own = tuple(sorted(mentioned.difference(_BITS)))
    if len(own) > MOST_SYMBOLS:
        raise TooComplex("symbols", MOST_SYMBOLS)
    masks = frozenset(_mask(symbols, own) for symbols in sets)
    return _cut(masks, mentioned.difference(own), own, bounded)


def shared(a: Alphabet, b: Alphabet, universe: str) -> Counter[tuple[int, int]]:
    """How many symbols lie in each pair of classes: those of the universe, and what either expression adds."""
    if universe == PRINTABLE:
        pairs = Counter(zip(a.bits[:_STRANGERS], b.bits[:_STRANGERS], strict=True))
    else:
        bits = map(_BITS.__getitem__, a.mentioned.union(b.mentioned, universe))
        pairs = Counter((a.bits[bit], b.bits[bit]) for bit in bits)
    for symbol in {*a.own, *b.own}:
        pairs[a.class_of(symbol), b.class_of(symbol)] += 1
    return pairs


def strangers(a: Alphabet, b: Alphabet) -> Counter[tuple[int, int]]:
    """The same as `shared`, with one more symbol of each kind that neither expression mentions."""
    pairs = shared(a, b, PRINTABLE)
    pairs.update(zip(a.bits[_STRANGERS:_FIRST_OWN], b.bits[_STRANGERS:_FIRST_OWN], strict=True))
    return pairs


def _collect(tree: Tree) -> tuple[set[Symbols], bool]:
    sets: set[Symbols] = set()
    bounded, waiting = False, [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Symbols):
            sets.add(node)
        elif isinstance(node, Boundary):
            bounded = True
        elif isinstance(node, Not | Repetition):
            waiting.append(node.part)
        else:
            waiting.extend(node.parts)
    return sets, bounded


@lru_cache(maxsize=4096)
def _mask(symbols: Symbols, own: tuple[str, ...]) -> int:
    mask = 0
    for symbol in symbols.members:
        mask |= 1 << (_BITS[symbol] if symbol in _BITS else _FIRST_OWN + own.index(symbol))
    return ((1 << _FIRST_OWN + len(own)) - 1) ^ mask if symbols.outside else mask


@lru_cache(maxsize=1024)
def _cut(masks: frozenset[int], mentioned: frozenset[str], own: tuple[str, ...], bounded: bool) -> Alphabet:
    everything = (1 << _FIRST_OWN + len(own)) - 1
    word = _WORD | sum(1 << _FIRST_OWN + number for number, symbol in enumerate(own) if is_word(symbol))
    classes = [everything]
    for mask in sorted(masks | {word} if bounded else masks):
        classes = [part for class_ in classes for part in (class_ & mask, class_ & ~mask) if part]
    bits = [0] * everything.bit_length()
    for index, class_ in enumerate(classes):
        for bit in range(class_.bit_length()):
            if class_ >> bit & 1:
                bits[bit] = index
    kinds = tuple(int(bounded and bool(class_ & word)) for class_ in classes)
    sets = {mask: tuple(index for index, class_ in enumerate(classes) if class_ & mask) for mask in masks}
    return Alphabet(len(classes), tuple(bits), mentioned, own, kinds, sets)
