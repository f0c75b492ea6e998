"""What the tests of automata share."""

from __future__ import annotations

import pytest

from concord.relations.semmt.automata.alphabet import PRINTABLE
from concord.relations.semmt.automata.languages import product


@pytest.fixture(scope="session")
def word_counts():
    """How many words of length 0, 1, … a language has, over a universe and the symbols that it mentions."""

    def counts(language, longest, universe=PRINTABLE):
        pair = product(language, language, universe)
        ways, totals = {0: 1}, []
        for _ in range(longest + 1):
            totals.append(sum(ways.get(state, 0) for state in pair.both))
            following = {}
            for state, count in ways.items():
                for target, size in pair.moves[state].items():
                    following[target] = following.get(target, 0) + count * size
            ways = following
        return totals

    return counts
