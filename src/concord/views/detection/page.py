"""An evaluation as files: one self-contained page, each chart as SVG, and every point of the curves as CSV."""

from pathlib import Path

from concord.analyses.detection.evaluation import Evaluation
from concord.atomic import write_texts
from concord.labels.spreadsheets import write_sheet
from concord.stats.detection import MEASURES
from concord.views.detection.charts import pictures
from concord.views.detection.tables import tables
from concord.views.html.report import render_page

COLUMNS = ("score", "k", "threshold", "own_threshold", "flagged", "bugs", *MEASURES)


def write_evaluation(evaluation: Evaluation, folder: Path) -> list[Path]:
    """Write everything into a folder, and return the paths."""
    drawn = pictures(evaluation)
    page = render_page("concord.views.detection", drawn.values(), found=evaluation, tables=tables(evaluation))
    texts = {"index.html": page, **{f"{name}.svg": svg for name, svg in drawn.items()}}
    written = write_texts(folder, texts)
    metrics = [("", metric) for metric in evaluation.metrics] + [
        (f"{share:g}", metric) for share, metric in evaluation.mix.items()
    ]
    lines = (
        {"score": metric.score.name, "k": share, **point} for share, metric in metrics for point in metric.points()
    )
    write_sheet(folder / "points.csv", COLUMNS, lines)
    return [*written, folder / "points.csv"]
