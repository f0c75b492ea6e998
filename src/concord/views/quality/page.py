"""The self-contained page of correlations: notes, tables and charts."""

from collections.abc import Sequence
from pathlib import Path

from concord.analyses.quality.options import QualityTerms
from concord.analyses.quality.results import Correlated
from concord.atomic import write_text
from concord.views.html.report import render_page
from concord.views.quality.charts import pictures
from concord.views.quality.tables import correlation_tables


def write_page(correlations: Sequence[Correlated], terms: QualityTerms, path: Path) -> None:
    """Write the page atomically."""
    facts = {"found": correlations, "terms": terms, "tables": correlation_tables(correlations)}
    write_text(path, render_page("concord.views.quality", pictures(correlations), **facts))
