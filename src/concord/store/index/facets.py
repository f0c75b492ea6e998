"""How many findings of a run there would be, were a filter set to something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from concord.store.finding_filter import Wanted
from concord.store.index.columns import Columns
from concord.store.index.filter import in_list, with_label
from concord.store.index.labels import Said


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of wanted cases; and by domain, label and annotator, those that pass all other filters."""

    total: int
    domains: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)
    annotators: Mapping[str, int] = field(default_factory=dict)


def counted(columns: Columns, wanted: Wanted, said: Said, *, whole: bool) -> FacetCounts:
    """The counts of a run; without `whole` the total alone."""
    passing = in_list(columns, wanted)
    labelled = with_label(columns, wanted, said, passing) if wanted.labelled else passing
    here = passing & columns.in_domains(wanted.domains) if wanted.domains else passing
    count = int(np.count_nonzero(labelled & here))
    if not whole:
        return FacetCounts(count)
    numbers = np.bincount(columns["domain"][labelled], minlength=len(columns.domains)).tolist()
    domains = {name: number for name, number in zip(columns.domains, numbers, strict=True) if number}
    states = [state for place, state in said.of(columns).items() if here[place]]
    labels = Counter(label for state in states for label in state.labels(wanted.annotator))
    labels["none"] = int(np.count_nonzero(here)) - labels["any"]
    chosen = (state for state in states if (wanted.label or "any") in state.labels())
    return FacetCounts(count, domains, labels, Counter(name for state in chosen for name in state.speakers))
