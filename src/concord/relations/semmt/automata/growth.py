"""The Jaccard index of two languages as the SemMT paper computes it: words up to a length that grows."""

from collections.abc import Iterator

from concord.relations.semmt.automata.alphabet import ALPHANUMERIC
from concord.relations.semmt.automata.languages import Language, Product, equal, product
from concord.relations.semmt.automata.limits import StepBudget

SETTLED = 0.001
"""A change below this ends the iteration (section 3.4.2)."""
LONGEST = 100
"""The length at which an index that never settles is taken, such as that of words of even length and all words."""


def jaccard(a: Language, b: Language, *, settled: float = SETTLED) -> float:
    """The index of the words up to λ, for the first λ whose successor changes it by less than `settled`.

    λ begins where both languages have words; so it is 6 and 1 in the paper's two examples, as printed there.
    """
    before: float | None = None
    for both, either in _counts(product(a, b, ALPHANUMERIC), _shortest(a), _shortest(b)):
        if not either:
            continue
        index = both / either
        if before is not None and abs(index - before) < settled:
            return before
        before = index
    return before if before is not None else float(equal(a, b))


def _shortest(language: Language) -> int:
    """The length of the shortest word; `LONGEST` if there is none."""
    reached, level = {0}, [0]
    for length in range(len(language.rows)):
        if any(language.ends[state] for state in level):
            return length
        level = [target for state in level for target in set(language.rows[state]) if target >= 0]
        level = [target for target in dict.fromkeys(level) if target not in reached]
        reached.update(level)
    return LONGEST


def _counts(pair: Product, *begin: int) -> Iterator[tuple[int, int]]:
    """The sizes of intersection and union of the words up to each length, from the length at which both have some."""
    ways, both, either = [0] * len(pair.moves), 0, 0
    ways[0] = 1
    budget = StepBudget()
    for length in range(LONGEST + max(begin)):
        both += sum(ways[state] for state in pair.both)
        either += sum(ways[state] for state in pair.either)
        if length >= max(begin):
            yield both, either
        following = [0] * len(ways)
        for count, leading in zip(ways, pair.moves, strict=True):
            budget.spend(1 + 2 * len(leading))
            if count:
                for target, size in leading.items():
                    following[target] += count * size
        ways = following
