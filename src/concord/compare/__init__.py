"""One comparator for every relation: two texts, two translations; what differs in these, and what explains it.

evidence = gather(("en", "zh"))              # dictionaries, as far as they are installed
aligned = align(pairs, evidence)             # every (text, translation) of the run
found = compare(source, follow_up, source_output, follow_up_output, aligned)
found.suspicion, found.blames
"""

from __future__ import annotations

from concord.compare.aligned import Aligned, align
from concord.compare.blames import Blame
from concord.compare.comparing import Comparison, compare
from concord.compare.evidence import Evidence, gather
from concord.compare.fitted import Fitted, Labelled, fit

__all__ = ["Aligned", "Blame", "Comparison", "Evidence", "Fitted", "Labelled", "align", "compare", "fit", "gather"]
