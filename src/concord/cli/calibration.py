"""The command `calibrate`: choose thresholds from injected faults, and measure how many of them relations find."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from concord import api
from concord.cli.app import app
from concord.cli.options import (
    CONFIGURATION,
    AsJson,
    Config,
    CorpusName,
    Format,
    From,
    Into,
    Limit,
    Services,
    SystemName,
    Workers,
    WorkspaceFile,
    chosen_services,
    gathered,
    option,
    relation_option,
)
from concord.cli.output import WORKSPACE, print_json, print_tables, program_name, progress, say, table_of, visible

if TYPE_CHECKING:
    from concord.api.calibration import Calibration


@app.command()
@gathered(services=chosen_services)
def calibrate(
    *,
    corpus: CorpusName = "demo",
    relation: Annotated[list[str] | None, relation_option("rti")] = None,
    system: SystemName = "apertium",
    to: Into = "es",
    source: From = "en",
    false_alarms: Annotated[float, option(help="The highest share of clean cases that may be flagged.")] = 0.05,
    kinds: Annotated[
        list[str] | None,
        option("--kinds", metavar="KIND,…", help="Kinds of faults, as for the system `faulty`. [default: all]"),
    ] = None,
    rate: Annotated[float, option(help="The share of answers into which a fault is injected.")] = 0.3,
    workspace: WorkspaceFile = WORKSPACE,
    format: Format = None,
    limit: Limit = None,
    seed: Annotated[int, option(min=0, help="Random seed, which also decides which answers get a fault.")] = 12345,
    workers: Workers = 1,
    services: Services,
    config: Config = CONFIGURATION,
    write: Annotated[bool, option("--write", help="Write the thresholds to the configuration file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Choose thresholds without labels: inject faults into a system's answers and count those that relations find."""
    kind_names = [kind.strip() for list_text in kinds or () for kind in list_text.split(",") if kind.strip()]
    kind_options: dict[str, Any] = {"kinds": tuple(dict.fromkeys(kind_names))} if kinds else {}
    terms = api.CalibrationTerms(false_alarms, rate=rate, **kind_options)
    settings = api.Settings(seed=seed, workers=workers, services=services)
    opened_corpus = api.read(corpus, source, format=format, limit=limit)
    for warning in opened_corpus.warnings:
        say(f"warning: {warning}")
    tested: dict[str, Any] = {"relations": relation or ["rti"], "system": system, "to": to, "terms": terms}
    with progress() as watch:
        calibration = api.calibrate(
            opened_corpus, **tested, workspace=workspace, settings=settings, config=config, watch=watch
        )
    _print(calibration, config, write, as_json)


def _print(calibration: "Calibration", config: Path, write: bool, as_json: bool) -> None:
    """Print the tables before the configuration is written, so that they appear even if writing fails."""
    from concord.views.calibration import tables

    if not as_json:
        print_tables(tables(calibration))
        for relation in calibration.relations:
            for note in relation.notes:
                say(f"note: {relation.relation}: {note}")
        print(f"\n{_configuration_text(calibration, config, write)}")
    if write:
        api.write_thresholds(calibration, config)
    if as_json:
        print_json({**calibration.plain(), "file": str(config) if write else None})
    elif write:
        print(f"Written to {visible(config)}.")


def _configuration_text(calibration: "Calibration", config: Path, write: bool) -> str:
    lines = [
        f"{table_of(relation.relation)}\n{relation.option} = {relation.value:g}"
        for relation in calibration.relations
        if relation.value is not None
    ]
    file = f"{visible(config)}, which `{program_name()} run` reads"
    head = f"For {file}:" if write else f"In {file}, this would be written (--write does it):"
    return "\n".join([head, *lines]) if lines else "No threshold could be chosen."
