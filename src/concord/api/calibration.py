"""Calibrating relations on a system, by faults put into its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concord import plugins
from concord.analyses.calibration.options import CalibrationTerms
from concord.api._common import asked_for, now
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
) -> Calibration:
    """How sensitive relations are on a system and a language pair, and at which thresholds; no label is needed.

    Each relation is run on the system as it is, which gives the threshold, and again with each kind of fault put
    into some of its answers. The system is asked nothing that the workspace knows; what was run is not run again.
    """
    from concord.analyses.calibration.calibration import RunContext, calibrated

    opened = corpus if isinstance(corpus, Corpus) else read(corpus, source)
    how, wanted = settings or Settings(), terms or CalibrationTerms()
    if how.max_characters is not None or how.max_cost is not None:
        raise UserError(
            "a calibration keeps to no budget of its own. Run the relations under it first: what the workspace knows"
            " is not sent again, and only round trips and detours of faulty answers are new"
        )
    for text in relations:
        _untold(text)
    found, systems, targets = asked_for(relations, [system], [to], config)
    if len(systems) > 1:
        raise UserError(f"a calibration takes one sample of a text, not {len(systems)}: leave `samples` out")
    specs = [_judged(each) for each in found]
    with Workspace(workspace) as store:
        store.claim()
        ways = RunContext(store, how, watch or (lambda progress: None))
        return now(calibrated(opened, specs, systems[0], targets[0], wanted, ways))


def write_thresholds(found: Calibration, config: str | Path = CONFIGURATION) -> dict[str, Mapping[str, Any]]:
    """Write the thresholds of a calibration where `run` finds them; gives the options of each relation."""
    from concord.analyses.calibration.config_lines import write

    return write(found, Path(config))


def _untold(text: str) -> None:
    spec = plugins.parse("relations", text)
    for name in spec.options.keys() & set(load_relation(spec.name).thresholds):
        raise UserError(f"{name} is what is chosen here. Leave it out of --relation {text}")


def _judged(spec: plugins.Spec) -> plugins.Spec:
    """The relation, once it is sure that one threshold judges all its cases."""
    bare = plugins.Spec(spec.name, spec.argument, load_relation(spec.name).facts({}).without_thresholds(spec.options))
    found = load_relation(spec.name).facts(plugins.settings("relations", bare)).judging
    by = " and ".join(sorted(load_relation(spec.name).deciding()))
    if by and len(found) > 1:
        raise UserError(
            f"{spec.name} has several thresholds here: {', '.join(found)}. One is chosen at a time:"
            f" --relation {spec.name},{by}=… with one of the {by}"
        )
    return spec
