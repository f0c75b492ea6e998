"""The command that says how sensitive relations are on a system, and at which thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
)
from concord.cli.output import WORKSPACE, print_json, print_tables, program_name, progress, say, table_of, visible

if TYPE_CHECKING:
    from concord.api.calibration import Calibration


@app.command()
@gathered(services=chosen_services)
def calibrate(
    *,
    corpus: CorpusName = "demo",
    relation: Annotated[
        list[str] | None,
        option("--relation", "-r", metavar="RELATION", help="As for `run`, without its threshold. [default: rti]"),
    ] = None,
    system: SystemName = "apertium",
    to: Into = "es",
    source: From = "en",
    false_alarms: Annotated[float, option(help="The share of clean cases that may be flagged.")] = 0.05,
    kinds: Annotated[
        list[str] | None,
        option("--kinds", metavar="KIND,…", help="Kinds of faults to put in, as of `faulty`. [default: all]"),
    ] = None,
    rate: Annotated[float, option(help="The share of answers that get a fault.")] = 0.3,
    workspace: WorkspaceFile = WORKSPACE,
    format: Format = None,
    limit: Limit = None,
    seed: Annotated[int, option(min=0, help="Fixes every random choice, also which answers get a fault.")] = 12345,
    workers: Workers = 1,
    services: Services,
    config: Config = CONFIGURATION,
    write: Annotated[bool, option("--write", help="Write the thresholds to the configuration.")] = False,
    as_json: AsJson = False,
) -> None:
    """Choose thresholds without labels, and say what relations find of faults put into a system's answers."""
    from concord import api

    named = [each.strip() for words in kinds or () for each in words.split(",") if each.strip()]
    chosen: dict[str, Any] = {"kinds": tuple(dict.fromkeys(named))} if kinds else {}
    terms = api.CalibrationTerms(false_alarms, rate=rate, **chosen)
    how = api.Settings(seed=seed, workers=workers, services=services)
    opened = api.read(corpus, source, format=format, limit=limit)
    for warning in opened.warnings:
        say(f"warning: {warning}")
    what: dict[str, Any] = {"relations": relation or ["rti"], "system": system, "to": to, "terms": terms}
    with progress() as watch:
        found = api.calibrate(opened, **what, workspace=workspace, settings=how, config=config, watch=watch)
    _print(found, config, write, as_json)


def _print(found: Calibration, config: Path, write: bool, as_json: bool) -> None:
    """The tables come first: a configuration that cannot be written takes nothing from them."""
    from concord import api
    from concord.views.calibration import tables

    if not as_json:
        print_tables(tables(found))
        for each in found.relations:
            for note in each.notes:
                say(f"note: {each.relation}: {note}")
        print()
        print(_how(found, config, write))
    if write:
        api.write_thresholds(found, config)
    if as_json:
        print_json({**found.plain(), "file": str(config) if write else None})
    elif write:
        print(f"Written to {visible(config)}.")


def _how(found: Calibration, config: Path, write: bool) -> str:
    lines = [
        f"{table_of(relation.relation)}\n{relation.option} = {relation.value:g}"
        for relation in found.relations
        if relation.value is not None
    ]
    file = f"{visible(config)}, which `{program_name()} run` reads"
    head = f"For {file}:" if write else f"In {file}, they would be (--write writes them there):"
    return "\n".join([head, *lines]) if lines else "No threshold could be chosen."
