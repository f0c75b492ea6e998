"""Which findings are wanted: the filters, and what some of them can be set to."""

from __future__ import annotations

from concord.store.finding_filter import LABELS, SORTS, Filter

__all__ = ["LABELS", "SORTS", "Filter"]
