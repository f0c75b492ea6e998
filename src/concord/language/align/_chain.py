"""The hidden Markov chain of word alignment: where the next word's counterpart is, given the last one's.

Vogel, Ney and Tillmann, "HMM-based word alignment in statistical translation", COLING 1996. A word that has no
counterpart is said by nothing in particular, wherever the chain stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from concord.arithmetic import product
from concord.language.align._cells import Floats, Ints

FARTHEST = 12
TINY = 1e-30


@dataclass(frozen=True, slots=True)
class Expected:
    """What a chain says of a batch: how likely each cell is a link, and how often each jump was made."""

    links: Floats
    jumps: Floats


def no_preference() -> Floats:
    """The jumps before anything is known: forward by one somewhat more often than elsewhere."""
    distances = np.arange(-FARTHEST, FARTHEST + 1)
    weights = 1.0 / (1.0 + np.abs(distances - 1))
    return np.asarray(weights / weights.sum())


def expected(said: Floats, unlinked: Floats, jumps: Floats, real: Floats) -> Expected:
    """The forward-backward algorithm over a batch.

    `said[b, j, i]` is how likely hidden word i says word j, `unlinked[b, j]` how likely nothing does; both with
    the share of words that are linked or not already in them.
    """
    where = _where(said.shape[2])
    moves = jumps[where]
    moves /= moves.sum(axis=1, keepdims=True)
    begin, moves = moves[0], moves[1:]
    emitted = np.where(real[:, :, None] > 0, said + unlinked[:, :, None], 1.0)
    ahead, scales = _forward(emitted, begin, moves)
    back = _backward(emitted, scales, moves)
    at = ahead * back
    at /= np.maximum(at.sum(axis=2, keepdims=True), TINY)
    links = at * said / np.maximum(emitted, TINY) * real[:, :, None]
    return Expected(links, _jumps(ahead, emitted * back, scales, real, (where, moves, at)))


def _where(size: int) -> Ints:
    """The number of the jump from each place, the one before the beginning first, to each place."""
    places = np.arange(size)
    return np.asarray(np.clip(places - np.arange(-1, size)[:, None], -FARTHEST, FARTHEST) + FARTHEST)


def _forward(emitted: Floats, begin: Floats, moves: Floats) -> tuple[Floats, Floats]:
    ahead = np.empty_like(emitted)
    scales = np.empty(emitted.shape[:2])
    state = begin * emitted[:, 0]
    for at in range(emitted.shape[1]):
        if at:
            state = product(state, moves) * emitted[:, at]
        scales[:, at] = np.maximum(state.sum(axis=1), TINY)
        state = state / scales[:, at, None]
        ahead[:, at] = state
    return ahead, scales


def _backward(emitted: Floats, scales: Floats, moves: Floats) -> Floats:
    back = np.empty_like(emitted)
    state = np.ones((emitted.shape[0], emitted.shape[2]))
    back[:, -1] = state
    for at in range(emitted.shape[1] - 1, 0, -1):
        state = product(state * emitted[:, at] / scales[:, at, None], moves.T)
        back[:, at - 1] = state
    return back


def _jumps(ahead: Floats, coming: Floats, scales: Floats, real: Floats, chain: tuple[Ints, Floats, Floats]) -> Floats:
    where, moves, at = chain
    size = ahead.shape[2]
    before = ahead[:, :-1].reshape(-1, size)
    after = (coming[:, 1:] / scales[:, 1:, None] * real[:, 1:, None]).reshape(-1, size)
    counts = np.vstack([at[:, 0].sum(axis=0)[None], product(before.T, after) * moves])
    return np.asarray(np.bincount(where.ravel(), counts.ravel(), 2 * FARTHEST + 1))
