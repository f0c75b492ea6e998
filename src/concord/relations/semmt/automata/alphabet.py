"""The characters of a language, cut into the classes that an expression tells apart.

The universe is the 95 printable ASCII characters; a symbol beyond them (`<M0>`, `é`) that an expression mentions
adds itself. Every class also says where symbols go that this expression does not mention but another may, so
languages of different expressions can be compared.
"""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from concord.relations.semmt.automata.expression import Boundary, Expression, Not, Repetition, Symbols, Tree
from concord.relations.semmt.automata.limits import MOST_SYMBOLS, TooComplex

PRINTABLE = "".join(map(chr, range(32, 127)))
ALPHANUMERIC = string.ascii_letters + string.digits
_STRANGERS = len(PRINTABLE)
"""The place of symbols that no class mentions: here those that are no word characters, next those that are."""
_FIRST_OWN = _STRANGERS + 2
_PLACES = {character: place for place, character in enumerate(PRINTABLE)}


def is_word(symbol: str) -> bool:
    """Whether `\\b` sees a word character in it; a quoted string `<M0>` counts as one."""
    return len(symbol) > 1 or symbol.isalnum() or symbol == "_"


_WORD = sum(1 << place for character, place in _PLACES.items() if is_word(character)) | 1 << _STRANGERS + 1


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Classes 0 … size − 1 and which of them every symbol belongs to.

    `kinds` says of each class whether it holds word characters; without `\\b` it is 0 for all of them.
    `named` are the printable characters that the expression mentions, `own` the other symbols.
    """

    size: int
    places: tuple[int, ...]
    named: frozenset[str]
    own: tuple[str, ...]
    kinds: tuple[int, ...]
    sets: dict[int, tuple[int, ...]]

    def of(self, symbol: str) -> int:
        """The class of a symbol."""
        place = _PLACES.get(symbol, -1)
        if place < 0:
            place = _FIRST_OWN + self.own.index(symbol) if symbol in self.own else _STRANGERS + is_word(symbol)
        return self.places[place]

    def among(self, symbols: Symbols) -> tuple[int, ...]:
        """The classes that make up a set of symbols."""
        return self.sets[_mask(symbols, self.own)]


def alphabet(expression: Expression) -> Alphabet:
    """The coarsest classes with which the expression can be decided."""
    sets, bounded = _collect(expression.tree)
    named = frozenset[str]().union(*(each.members for each in sets))
    own = tuple(sorted(named.difference(_PLACES)))
    if len(own) > MOST_SYMBOLS:
        raise TooComplex("symbols", MOST_SYMBOLS)
    return _cut(frozenset(_mask(each, own) for each in sets), named.difference(own), own, bounded)


def shared(a: Alphabet, b: Alphabet, universe: str) -> Counter[tuple[int, int]]:
    """How many symbols lie in each pair of classes: those of the universe, and what either expression adds."""
    if universe == PRINTABLE:
        pairs = Counter(zip(a.places[:_STRANGERS], b.places[:_STRANGERS], strict=True))
    else:
        places = map(_PLACES.__getitem__, a.named.union(b.named, universe))
        pairs = Counter((a.places[place], b.places[place]) for place in places)
    for symbol in {*a.own, *b.own}:
        pairs[a.of(symbol), b.of(symbol)] += 1
    return pairs


def strangers(a: Alphabet, b: Alphabet) -> Counter[tuple[int, int]]:
    """As `shared`, with one symbol of each kind that neither expression mentions."""
    pairs = shared(a, b, PRINTABLE)
    pairs.update(zip(a.places[_STRANGERS:_FIRST_OWN], b.places[_STRANGERS:_FIRST_OWN], strict=True))
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
        mask |= 1 << (_PLACES[symbol] if symbol in _PLACES else _FIRST_OWN + own.index(symbol))
    return ((1 << _FIRST_OWN + len(own)) - 1) ^ mask if symbols.outside else mask


@lru_cache(maxsize=1024)
def _cut(masks: frozenset[int], named: frozenset[str], own: tuple[str, ...], bounded: bool) -> Alphabet:
    everything = (1 << _FIRST_OWN + len(own)) - 1
    word = _WORD | sum(1 << _FIRST_OWN + at for at, symbol in enumerate(own) if is_word(symbol))
    classes = [everything]
    for mask in sorted(masks | {word} if bounded else masks):
        classes = [part for class_ in classes for part in (class_ & mask, class_ & ~mask) if part]
    places = [0] * everything.bit_length()
    for index, each in enumerate(classes):
        while each:
            low = each & -each
            places[low.bit_length() - 1] = index
            each ^= low
    kinds = tuple(int(bounded and bool(class_ & word)) for class_ in classes)
    sets = {mask: tuple(at for at, each in enumerate(classes) if each & mask) for mask in masks}
    return Alphabet(len(classes), tuple(places), named, own, kinds, sets)
