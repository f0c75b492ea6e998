"""Word alignment, learnt from the pairs that it aligns; for any languages, from about fifty pairs up.

model = fit([(("the", "red", "house"), ("la", "casa", "roja")), ...], langs=("en", "es"))
model.links(("the", "house"), ("la", "casa"))  # Link(source=0, target=0, confidence=0.97), ...
model.likely("house", "casa")                  # 0.93
"""

from concord.language.align.fit import fit
from concord.language.align.model import Link, Model, load

__all__ = ["Link", "Model", "fit", "load"]
