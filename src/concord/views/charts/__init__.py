"""Charts of an experiment as self-contained SVG texts: no script, no outside asset, light and dark.

Each function takes plain data and a title and returns the text of a file, which can also stand in a page as
it is. Names may come from strangers: they are made neutral, bounded and escaped.

>>> rows = [Interval("A", "es", 0.70, 0.69, 0.71, "a"), Interval("A", "zh", 0.34, 0.33, 0.35, "b")]
>>> intervals(rows, title="Mean score by target").startswith("<svg ")
True
"""

from concord.views.charts._heat import HeatCell as HeatCell
from concord.views.charts._heat import heat as heat
from concord.views.charts._intervals import Interval as Interval
from concord.views.charts._intervals import intervals as intervals
from concord.views.charts._look import STYLE as STYLE
from concord.views.charts._points import Point as Point
from concord.views.charts._points import lines as lines
from concord.views.charts._points import scatter as scatter
from concord.views.charts._residuals import qq as qq
from concord.views.charts._residuals import residuals as residuals
from concord.views.charts._sentence import links as links
from concord.views.charts._sentence import tree as tree
from concord.views.charts._stacked_bars import Stack as Stack
from concord.views.charts._stacked_bars import stacked as stacked
from concord.views.charts._upset import Together as Together
from concord.views.charts._upset import upset as upset
