"""An evaluation in a folder: one self-contained page, each picture as SVG, and every point of every curve as CSV."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from concord import __version__
from concord.analyses.detection.evaluation import Evaluation
from concord.atomic import atomic_write
from concord.errors import UserError
from concord.labels.spreadsheets import write_sheet
from concord.stats.detection import MEASURES
from concord.views.detection.charts import pictures
from concord.views.detection.tables import tables
from concord.views.html.report import page_of

COLUMNS = ("score", "k", "threshold", "own_threshold", "flagged", "bugs", *MEASURES)


def write_evaluation(found: Evaluation, folder: Path) -> list[Path]:
    """Write everything into a folder; gives the files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder} cannot be made: {error.strerror}. Name another folder") from None
    drawn = pictures(found)
    texts = {"index.html": render(found, drawn), **{f"{name}.svg": svg for name, svg in drawn.items()}}
    for name, text in texts.items():
        with atomic_write(folder / name) as part:
            part.write_text(text, encoding="utf-8")
    metrics = [("", each) for each in found.metrics] + [(f"{share:g}", each) for share, each in found.mix.items()]
    lines = ({"score": each.score.name, "k": share, **point} for share, each in metrics for point in each.points())
    write_sheet(folder / "points.csv", COLUMNS, lines)
    return [folder / name for name in (*texts, "points.csv")]


def render(found: Evaluation, drawn: dict[str, str]) -> str:
    """The page as a text. Pictures are our own SVG, in which every name is escaped already."""
    return page_of("concord.views.detection").render(
        version=__version__,
        found=found,
        tables=tables(found),
        pictures=[Markup(svg) for svg in drawn.values()],
    )
