"""Which cases of a run are wanted, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.store.finding_filter import Wanted
from concord.store.index.columns import Booleans, Columns
from concord.store.index.labels import Said

Array = NDArray[Any]
_FAR = 50_000_000


@dataclass(frozen=True, slots=True)
class Ordered:
    """The wanted cases of a run: their places, and what they are ordered by; both rise, or with `sign` -1 fall."""

    columns: Columns
    major: Array
    places: Array
    sign: int = 1


def chosen(columns: Columns, wanted: Wanted, said: Said) -> Booleans:
    """The cases that pass every filter."""
    passing = in_list(columns, wanted)
    if wanted.domains:
        passing &= columns.in_domains(wanted.domains)
    return with_label(columns, wanted, said, passing) if wanted.labelled else passing


def in_list(columns: Columns, wanted: Wanted) -> Booleans:
    """The cases that pass all but the filters of domains and labels."""
    passing = columns.listed(wanted.violated)
    if wanted.least is not None or wanted.most is not None:
        within = columns.between(wanted.least, wanted.most)
        passing[: within.start] = False
        passing[within.stop :] = False
    words = columns.with_words(wanted.text) if wanted.text else None
    return passing if words is None else passing & words


def with_label(columns: Columns, wanted: Wanted, said: Said, passing: Booleans) -> Booleans:
    label, annotator = wanted.labelled, wanted.annotator
    # Labels are few: of all others it is known that they have none.
    having = np.full(len(passing), label == "none")
    for place, state in said.of(columns).items():
        having[place] = label in state.labels(annotator)
    return having & passing


def ordered(columns: Columns, wanted: Wanted, said: Said, passing: Booleans) -> Ordered:
    places = np.flatnonzero(passing)
    if wanted.sort == "rank":
        major = columns.ranks(wanted.violated)[places]
    elif wanted.sort == "suspicion":
        major = -columns["suspicion"][places]
    elif wanted.sort == "position":
        rising = columns["by_position"]
        places = rising[passing[rising]]
        major = columns["position"][places]
    else:
        states = said.of(columns)
        said_when = [states[place].newest if place in states else -1 for place in places.tolist()]
        newest = -np.array(said_when, dtype=np.float64)
        order = np.lexsort((places, newest))
        places, major = places[order], newest[order]
    found = Ordered(columns, major.astype(np.float64), places.astype(np.int64))
    return Ordered(columns, -found.major[::-1], -found.places[::-1], -1) if wanted.reverse else found


def heads(found: Ordered) -> Ordered:
    """Of each sentence the case that comes first."""
    positions = found.columns["position"][found.sign * found.places]
    if not len(positions):
        return found
    if positions.max() > _FAR or positions.min() < 0:
        first = np.zeros(len(positions), dtype=bool)
        first[np.unique(positions, return_index=True)[1]] = True
    else:
        at = np.empty(int(positions.max()) + 1, dtype=np.int64)
        numbers = np.arange(len(positions))
        at[positions[::-1]] = numbers[::-1]  # of several values for one place the last one stays
        first = at[positions] == numbers
    return Ordered(found.columns, found.major[first], found.places[first], found.sign)


def of_sentences(found: Ordered, positions: list[int], most: int | None) -> dict[int, list[int]]:
    """The places of the wanted cases of sentences, in order; of very many the first."""
    here = found.columns["position"][found.sign * found.places]
    return {
        position: (found.sign * found.places[np.flatnonzero(here == position)[:most]]).tolist()
        for position in positions
    }
