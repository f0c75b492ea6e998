"""How many findings of a run each value of a filter would give, with the other filters unchanged."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from concord.store.finding_filter import Filter
from concord.store.index.columns import Columns
from concord.store.index.filter import in_list, with_label
from concord.store.index.labels import LabelStates


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of cases that pass all filters and, by domain, label and annotator, of those that pass all others."""

    total: int
    domains: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)
    annotators: Mapping[str, int] = field(default_factory=dict)


def counted(columns: Columns, filters: Filter, labels: LabelStates, *, whole: bool) -> FacetCounts:
    """The counts of a run; without `whole` the total alone."""
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
