"""A system that is made worse scores lower, and as much lower as BLEU says: real translations with faults put in."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

import concord
from concord import api
from concord.analyses.quality.options import QualityTerms
from concord.corpus import demo

RATES = (0, 0.05, 0.1, 0.2, 0.4)
QUICK = QualityTerms(resamples=1)


def by_rate(values):
    """Scores by system, in the order of the rates."""
    found = {rate: value for system, value in values for rate in RATES if f"rate={rate:g}," in system}
    return [found[rate] for rate in RATES]


# A round trip hides faults in one direction, so it takes more sentences until each step is seen.
@pytest.mark.parametrize(("relation", "sentences"), [("mgmt", 40), ("rtt", 100), ("pivot,pivots=ca", 100)])
@pytest.mark.usefixtures("toy_languages")
def test_more_faults_are_a_lower_score_that_follows_bleu(tmp_path, relation, sentences):
    corpus, clean, place = (tmp_path / name for name in ("corpus.txt", "clean.txt", "concord.sqlite"))
    corpus.write_text("\n".join(segment.text.words for segment in islice(demo(), sentences)))
    systems = [f"faulty:apertium,rate={rate},seed=1" for rate in RATES]
    concord.run(corpus, relations=[relation], systems=systems, to=["es"], workspace=place)
    outputs = {row["position"]: row["source_output"]["words"] for row in api.rows(place, [1])}
    clean.write_text("\n".join(outputs[position] for position in range(sentences)))

    (table,) = api.quality(place, terms=QUICK).tables
    scores = by_rate((each.system, each.mean.rate) for each in table.standings)
    assert all(before > after for before, after in pairwise(scores))
    (found,) = api.correlate(place, references=[str(clean)], metrics=["bleu"], terms=QUICK)
    bleu = by_rate((each.system, each.whole) for each in found.system_scores if each.score == "bleu")
    assert bleu[0] == 1
    assert np.corrcoef(scores, bleu)[0, 1] >= 0.9
