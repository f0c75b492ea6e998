"""Filtering, sorting and counting the cases of a run."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concord.store.finding_filter import Filter
from concord.store.index.columns import Booleans, Columns
from concord.store.index.labels import LabelStates

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Ordered:
    """The cases of a run that pass a filter, and their sort values (`major`), both times `sign`, and so ascending."""

    columns: Columns
    major: Array
    cases: Array
    sign: int = 1


def passing_all(columns: Columns, filters: Filter, labels: LabelStates) -> Booleans:
    """The cases that pass every filter."""
    passing = in_list(columns, filters)
    if filters.domains:
        passing &= columns.in_domains(filters.domains)
    return with_label(columns, filters, labels, passing) if filters.labelled else passing


def in_list(columns: Columns, filters: Filter) -> Booleans:
    """The cases that pass all filters except those of domains and labels."""
    passing = columns.listed(filters.flagged)
    if filters.least is not None or filters.most is not None:
        within = columns.between(filters.least, filters.most)
        passing[: within.start] = False
        passing[within.stop :] = False
    words = columns.with_words(filters.text) if filters.text else None
    return passing if words is None else passing & words


def with_label(columns: Columns, filters: Filter, labels: LabelStates, passing: Booleans) -> Booleans:
    label, annotator = filters.labelled, filters.annotator
    # Labels are few: all other cases have none.
    has_label = np.full(len(passing), label == "none")
    for case, state in labels.states(columns).items():
        has_label[case] = label in state.labels(annotator)
    return has_label & passing


def ordered(columns: Columns, filters: Filter, labels: LabelStates, passing: Booleans) -> Ordered:
    cases = np.flatnonzero(passing)
    if filters.sort == "rank":
        major = columns.ranks(filters.flagged)[cases]
    elif filters.sort == "suspicion":
        major = -columns["suspicion"][cases]
    elif filters.sort == "position":
        by_position = columns["by_position"]
        cases = by_position[passing[by_position]]
        major = columns["position"][cases]
    else:
        states = labels.states(columns)
        numbers = [states[case].newest if case in states else -1 for case in cases.tolist()]
        newest = -np.array(numbers, dtype=np.float64)
        order = np.lexsort((cases, newest))
        cases, major = cases[order], newest[order]
    cases, major = cases.astype(np.int64), major.astype(np.float64)
    return Ordered(columns, -major[::-1], -cases[::-1], -1) if filters.reverse else Ordered(columns, major, cases)


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of cases that pass all filters and, by domain, label and annotator, of those that pass all others."""

    total: int
    domains: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)
    annotators: Mapping[str, int] = field(default_factory=dict)


def counted(columns: Columns, filters: Filter, labels: LabelStates, *, whole: bool) -> FacetCounts:
    """How many cases each value of a filter would give, the others unchanged; without `whole` the total alone."""
    passing = in_list(columns, filters)
    labelled = with_label(columns, filters, labels, passing) if filters.labelled else passing
    in_domains = passing & columns.in_domains(filters.domains) if filters.domains else passing
    count = int(np.count_nonzero(labelled & in_domains))
    if not whole:
        return FacetCounts(count)
    numbers = np.bincount(columns["domain"][labelled], minlength=len(columns.domains)).tolist()
    domains = {name: number for name, number in zip(columns.domains, numbers, strict=True) if number}
    states = [state for case, state in labels.states(columns).items() if in_domains[case]]
    by_label = Counter(label for state in states for label in state.labels(filters.annotator))
    by_label["none"] = int(np.count_nonzero(in_domains)) - by_label["any"]
    passing_states = (state for state in states if (filters.label or "any") in state.labels())
    annotators = Counter(name for state in passing_states for name in state.annotators)
    return FacetCounts(count, domains, by_label, annotators)
