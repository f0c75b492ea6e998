"""Requests to a model on this machine: the search for answers, and batches of texts, measured in tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from concord.options import Count, Within

# Published results of these families search with four to six beams; one number for both translators lets
# the same model be compared with itself.
BEAMS = 4
MAX_TOKENS = 512
BATCH_TOKENS = 2048
SHORTEST = 16
GROWTH = 4

# The options that both translators have.
Beams = Annotated[Count, "Beams of the search: more are slower, and mostly better."]
MaxTokens = Annotated[Count, "Longest answer, in tokens."]
BatchTokens = Annotated[Count, "Tokens that the network reads at once; a matter of speed and memory."]
Threads = Annotated[int, Within(0), "Threads to compute with; 0 is as many as the library likes."]


@dataclass(frozen=True, slots=True)
class Search:
    """The search for answers. `beams` and `max_tokens` change the answers; the others only the speed."""

    beams: int = BEAMS
    max_tokens: int = MAX_TOKENS
    batch_tokens: int = BATCH_TOKENS
    threads: int = 0
    """0 leaves the number to the library."""


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Texts that the network sees together, by their indexes in the request, and how long an answer may get."""

    indexes: tuple[int, ...]
    most: int


def batches(sizes: Sequence[int], search: Search, longest: int) -> Iterator[TextBatch]:
    """Cut a request by length so that rows times the longest row stay within `batch_tokens`; size 0 is left out.

    Texts share a batch only if their answers may get equally long: so no text's bound depends on its neighbours.
    """
    row: list[int] = []
    for index in sorted((i for i, size in enumerate(sizes) if size), key=lambda i: (sizes[i], i)):
        too_wide = (len(row) + 1) * sizes[index] > search.batch_tokens
        if row and (too_wide or _step(sizes[row[0]]) != _step(sizes[index])):
            yield TextBatch(tuple(row), _most(sizes[row[0]], search, longest))
            row = []
        row.append(index)
    if row:
        yield TextBatch(tuple(row), _most(sizes[row[0]], search, longest))


def _step(size: int) -> int:
    """The next power of two, from sixteen on."""
    return max(SHORTEST, 1 << (size - 1).bit_length())


def _most(size: int, search: Search, longest: int) -> int:
    # One position is the decoder's start.
    return max(1, min(search.max_tokens, GROWTH * _step(size), longest - 1))
