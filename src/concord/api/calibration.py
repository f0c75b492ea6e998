"""Calibrating relations on a system by injecting faults into its answers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord import plugins
from concord.analyses.calibration.options import CalibrationTerms
from concord.api._common import now, resolve_names, with_services
from concord.corpus import Corpus, read
from concord.errors import CONFIGURATION, WORKSPACE, UserError
from concord.model import System
from concord.relations._protocol import load_relation
from concord.runs.execute import Settings
from concord.runs.summary import Progress
from concord.store import Workspace

if TYPE_CHECKING:  # it brings numpy along, which only a calibration should wait for
    from concord.analyses.calibration.calibration import Calibration

__all__ = ["Calibration", "CalibrationTerms", "calibrate", "write_thresholds"]


def calibrate(
    corpus: Corpus | str | Path,
    *,
    relations: Sequence[str],
    system: str | System,
    to: str,
    source: str = "en",
    terms: CalibrationTerms | None = None,
    workspace: str | Path = WORKSPACE,
    settings: Settings | None = None,
    config: str | Path = CONFIGURATION,
    watch: Callable[[Progress], None] | None = None,
) -> "Calibration":
    """Measure how sensitive relations are on a system and a direction, and at which thresholds; no label is needed.

    Each relation is run on the system as it is, which gives the threshold, and again with each kind of fault injected
    into some of its answers. Cached answers are not requested again, and finished runs are not repeated.
    """
    from concord.analyses.calibration.calibration import RunContext, calibrated

    opened = corpus if isinstance(corpus, Corpus) else read(corpus, source)
    how = with_services(settings, config)
    if how.max_characters is not None or how.max_cost is not None:
        raise UserError(
            "a calibration keeps to no budget of its own. Run the relations under it first: what the workspace knows"
            " is not sent again, and only round trips and detours of faulty answers are new"
        )
    for text in relations:
        _check_no_threshold(text)
    specs, systems, targets = resolve_names(relations, [system], [to], config)
    if len(systems) > 1:
        raise UserError(f"a calibration takes one sample of a text, not {len(systems)}: leave `samples` out")
    for spec in specs:
        _check_one_threshold(spec)
    with Workspace(workspace) as store:
        store.claim()
        ways = RunContext(store, how, watch or (lambda progress: None))
        return now(calibrated(opened, specs, systems[0], targets[0], terms or CalibrationTerms(), ways))


def write_thresholds(calibration: "Calibration", config: str | Path = CONFIGURATION) -> dict[str, Mapping[str, Any]]:
    """Write the thresholds of a calibration into the configuration of `run`; return the options of each relation."""
    from concord.analyses.calibration.config_lines import write

    return write(calibration, Path(config))


def _check_no_threshold(text: str) -> None:
    spec = plugins.parse("relations", text)
    for name in spec.options.keys() & set(load_relation(spec.name).thresholds):
        raise UserError(f"a calibration chooses {name} itself. Leave it out of --relation {text}")


def _check_one_threshold(spec: plugins.Spec) -> None:
    """Refuse a relation whose cases have several thresholds."""
    known = load_relation(spec.name)
    bare = plugins.Spec(spec.name, spec.argument, known.facts({}).without_thresholds(spec.options))
    thresholds = known.facts(plugins.settings("relations", bare)).judging
    by = " and ".join(sorted(known.deciding()))
    if by and len(thresholds) > 1:
        raise UserError(
            f"{spec.name} has several thresholds here: {', '.join(thresholds)}. One is chosen at a time:"
            f" --relation {spec.name},{by}=… with one of the {by}"
        )
