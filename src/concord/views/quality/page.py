"""Correlations as one self-contained page: notes, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from concord.analyses.quality.options import QualityTerms
from concord.analyses.quality.results import Correlated
from concord.atomic import write_text
from concord.views.html.report import render_page
from concord.views.quality.charts import pictures
from concord.views.quality.tables import correlation_tables


def write_page(found: Sequence[Correlated], terms: QualityTerms, path: Path) -> None:
    """Write the page, whole or not at all."""
    facts = {"found": found, "terms": terms, "tables": correlation_tables(found)}
    write_text(path, render_page("concord.views.quality", pictures(found), **facts))
