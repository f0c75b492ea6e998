"""One comparator for every relation: where two translations differ, and whether a change of the text explains it.

evidence = gather(("en", "zh"))              # dictionaries, as far as they are installed
aligned = align(pairs, evidence)             # every (text, translation) of the run
found = compare(source, follow_up, source_output, follow_up_output, aligned)
found.suspicion, found.blames
"""

from concord.comparator.alignment import Aligned, align
from concord.comparator.blame import Blame
from concord.comparator.compare import Comparison, compare
from concord.comparator.evidence import Evidence, gather
from concord.comparator.learned import Fitted, Labelled, fit

__all__ = ["Aligned", "Blame", "Comparison", "Evidence", "Fitted", "Labelled", "align", "compare", "fit", "gather"]
