"""Correlations as one self-contained page: notes, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from concord import __version__
from concord.analyses.quality.options import QualityTerms
from concord.analyses.quality.results import Correlated
from concord.atomic import atomic_write
from concord.views.html.report import page_of
from concord.views.quality.charts import pictures
from concord.views.quality.tables import correlation_tables


def write_page(found: Sequence[Correlated], terms: QualityTerms, path: Path) -> None:
    """Write the page, whole or not at all."""
    page = render_page(found, terms)
    with atomic_write(path) as part:
        part.write_text(page, encoding="utf-8")


def render_page(found: Sequence[Correlated], terms: QualityTerms) -> str:
    """The page as a text. Pictures are our own SVG, in which every name is escaped already."""
    return page_of("concord.views.quality").render(
        version=__version__,
        found=found,
        terms=terms,
        tables=correlation_tables(found),
        pictures=[Markup(svg) for svg in pictures(found)],
    )
