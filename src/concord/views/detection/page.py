"""An evaluation in a folder: one self-contained page, each picture as SVG, and every point of every curve as CSV."""

from __future__ import annotations

from pathlib import Path

from concord.analyses.detection.evaluation import Evaluation
from concord.atomic import write_texts
from concord.labels.spreadsheets import write_sheet
from concord.stats.detection import MEASURES
from concord.views.detection.charts import pictures
from concord.views.detection.tables import tables
from concord.views.html.report import render_page

COLUMNS = ("score", "k", "threshold", "own_threshold", "flagged", "bugs", *MEASURES)


def write_evaluation(found: Evaluation, folder: Path) -> list[Path]:
    """Write everything into a folder; gives the files."""
    drawn = pictures(found)
    page = render_page("concord.views.detection", drawn.values(), found=found, tables=tables(found))
    texts = {"index.html": page, **{f"{name}.svg": svg for name, svg in drawn.items()}}
    written = write_texts(folder, texts)
    metrics = [("", metric) for metric in found.metrics] + [(f"{share:g}", each) for share, each in found.mix.items()]
    lines = ({"score": each.score.name, "k": share, **point} for share, each in metrics for point in each.points())
    write_sheet(folder / "points.csv", COLUMNS, lines)
    return [*written, folder / "points.csv"]
