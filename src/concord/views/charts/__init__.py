"""Charts of an experiment as self-contained SVG texts: no script, no outside asset, light and dark.

Each function takes plain data and a title and returns the text of a file, which can also stand in a page as
it is. Names may come from strangers: they are made neutral, bounded and escaped.

>>> rows = [Interval("A", "es", 0.70, 0.69, 0.71, "a"), Interval("A", "zh", 0.34, 0.33, 0.35, "b")]
>>> intervals(rows, title="Mean score by target").startswith("<svg ")
True
"""

from concord.views.charts._heat import HeatCell, heat
from concord.views.charts._intervals import Interval, intervals
from concord.views.charts._look import STYLE
from concord.views.charts._points import Point, lines, scatter
from concord.views.charts._residuals import qq, residuals
from concord.views.charts._sentence import links, tree
from concord.views.charts._stacked_bars import Stack, stacked
from concord.views.charts._upset import Together, upset

__all__ = [
    "STYLE",
    "HeatCell",
    "Interval",
    "Point",
    "Stack",
    "Together",
    "heat",
    "intervals",
    "lines",
    "links",
    "qq",
    "residuals",
    "scatter",
    "stacked",
    "tree",
    "upset",
]
