"""The score of a whole corpus, as `concord correlate` has it."""

from __future__ import annotations

import pytest

from concord.metrics._corpus import summed


@pytest.fixture(scope="session")
def corpus():
    def score(metric, pairs, **options):
        return metric.scored(summed(metric.counts(a, b, **options) for a, b in pairs), whole=True, **options)

    return score
