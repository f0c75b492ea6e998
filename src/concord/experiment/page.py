"""One self-contained HTML page of an experiment: tables, pictures, notes and signatures."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Template
from markupsafe import Markup

from concord import __version__
from concord.experiment.findings import Findings, tokenisation
from concord.experiment.pictures import pictures
from concord.experiment.tables import Table, tables
from concord.report.html import environment
from concord.whole import whole


def write_page(findings: Findings, path: Path) -> None:
    """Write the page, whole or not at all."""
    page = render_page(findings)
    with whole(path) as part:
        part.write_text(page, encoding="utf-8")


def render_page(findings: Findings) -> str:
    """The page as a text. Pictures are our own SVG, in which every name is escaped already."""
    return _template().render(
        version=__version__,
        experiment=findings.experiment,
        observations=len(findings.observed),
        lead=lead(findings),
        notes=findings.notes,
        runs=findings.runs,
        tables=[*tables(findings), *_tokenisation(findings)],
        pictures=[Markup(svg) for svg in pictures(findings).values()],
    )


def lead(findings: Findings) -> str:
    """The outcome in a sentence."""
    means = findings.analysis.compared.overall["system"].means
    ranked = sorted((each for each in means if each.mean == each.mean), key=lambda each: -each.mean)
    if len(ranked) < 2:
        return f"{ranked[0].level} scores {ranked[0].mean:.3f}." if ranked else "No mean can be estimated."
    best, others = ranked[0], ranked[1:]
    letters = set(best.letters or "")
    tied = [each.level for each in others if letters & set(each.letters or "")]
    if tied:
        return f"{best.level} has the highest score ({best.mean:.3f}), but is not told apart from {', '.join(tied)}."
    return f"{best.level} is the most consistent: {best.mean:.3f}, {best.mean - others[0].mean:.3f} above the next."


def _tokenisation(findings: Findings) -> list[Table]:
    rows = [
        (row["target"], f"{row['language']:.4f}", f"{row['paper']:.4f}", f"{row['language'] - row['paper']:+.4f}")
        for row in tokenisation(findings)
    ]
    note = (
        "Language: words as each language has them. Paper: whatever stands between blanks, which punishes languages"
        " that are written without them. The difference is due to the cutting alone."
    )
    return [Table("What is due to tokens", ("target", "language", "paper", "difference"), rows, note)]


@cache
def _template() -> Template:
    return environment().from_string(files("concord.experiment").joinpath("page.html").read_text("utf-8"))
