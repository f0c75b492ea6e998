"""The hidden Markov model of word alignment: the counterpart of a word depends on that of the word before.

Vogel, Ney and Tillmann, "HMM-based word alignment in statistical translation", COLING 1996. A word without a
counterpart is emitted by the empty word, in any state.
"""

import numpy as np

from concord.arithmetic import product
from concord.language.align._cells import Floats, Ints

FARTHEST = 12
TINY = 1e-30


def no_preference() -> Floats:
    """The initial probabilities of jumps: forward by one is somewhat likelier than others."""
    distances = np.arange(-FARTHEST, FARTHEST + 1)
    weights = 1.0 / (1.0 + np.abs(distances - 1))
    return np.asarray(weights / weights.sum())


def expected(emission: Floats, unlinked: Floats, jumps: Floats, real: Floats) -> tuple[Floats, Floats]:
    """The probability that each cell of a batch is a link, and the count of each jump: forward-backward.

    `emission[b, j, i]` is the probability that hidden word i emits word j, `unlinked[b, j]` that nothing does; both
    include the probability that a word is linked or not.
    """
    jump_numbers = _jump_numbers(emission.shape[2])
    moves = jumps[jump_numbers]
    moves /= moves.sum(axis=1, keepdims=True)
    begin, moves = moves[0], moves[1:]
    emitted = np.where(real[:, :, None] > 0, emission + unlinked[:, :, None], 1.0)
    ahead, scales = _forward(emitted, begin, moves)
    back = _backward(emitted, scales, moves)
    posterior = ahead * back
    posterior /= np.maximum(posterior.sum(axis=2, keepdims=True), TINY)
    links = posterior * emission / np.maximum(emitted, TINY) * real[:, :, None]
    return links, _jumps(ahead, emitted * back, scales, real, (jump_numbers, moves, posterior))


def _jump_numbers(size: int) -> Ints:
    """The number of the jump from each position, beginning with the one before the first, to each position."""
    positions = np.arange(size)
    return np.asarray(np.clip(positions - np.arange(-1, size)[:, None], -FARTHEST, FARTHEST) + FARTHEST)


def _forward(emitted: Floats, begin: Floats, moves: Floats) -> tuple[Floats, Floats]:
    ahead = np.empty_like(emitted)
    scales = np.empty(emitted.shape[:2])
    state = begin * emitted[:, 0]
    for step in range(emitted.shape[1]):
        if step:
            state = product(state, moves) * emitted[:, step]
        scales[:, step] = np.maximum(state.sum(axis=1), TINY)
        state = state / scales[:, step, None]
        ahead[:, step] = state
    return ahead, scales


def _backward(emitted: Floats, scales: Floats, moves: Floats) -> Floats:
    back = np.empty_like(emitted)
    state = np.ones((emitted.shape[0], emitted.shape[2]))
    back[:, -1] = state
    for step in range(emitted.shape[1] - 1, 0, -1):
        state = product(state * emitted[:, step] / scales[:, step, None], moves.T)
        back[:, step - 1] = state
    return back


def _jumps(ahead: Floats, coming: Floats, scales: Floats, real: Floats, chain: tuple[Ints, Floats, Floats]) -> Floats:
    jump_numbers, moves, posterior = chain
    size = ahead.shape[2]
    before = ahead[:, :-1].reshape(-1, size)
    after = (coming[:, 1:] / scales[:, 1:, None] * real[:, 1:, None]).reshape(-1, size)
    counts = np.vstack([posterior[:, 0].sum(axis=0)[None], product(before.T, after) * moves])
    return np.asarray(np.bincount(jump_numbers.ravel(), counts.ravel(), 2 * FARTHEST + 1))
