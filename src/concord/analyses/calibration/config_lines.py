"""The thresholds of a calibration as options for `concord.toml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from concord.analyses.calibration.calibration import Calibrated, Calibration
from concord.errors import UserError
from concord.plural import plural
from concord.relations._protocol import load_relation
from concord.runs.config import write_configuration


def settable(calibration: Calibration) -> dict[str, Mapping[str, Any]]:
    """The options of each relation for later runs; without relations for which no threshold could be chosen."""
    names = [relation.relation for relation in calibration.relations]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(
            f"a configuration has one threshold for {', '.join(twice)}. Calibrate it with one set of options at a time"
        )
    return {relation.relation: _options(relation) for relation in calibration.relations if relation.value is not None}


def write(calibration: Calibration, file: Path) -> dict[str, Mapping[str, Any]]:
    """Write the thresholds to a configuration, with the options that they are for; returns what was written."""
    options = settable(calibration)
    by_name = {relation.relation: relation for relation in calibration.relations}
    for name, values in options.items():
        calibrated = by_name[name]
        how = f"concord calibrate on {calibration.system} {calibration.source}-{calibration.target}"
        cases = f"of {plural(calibrated.clean, 'clean case')}"
        remark = f"{how}: {plural(calibrated.flagged, f'{cases} is', f'{cases} are')} flagged"
        write_configuration(file, name, values, {calibrated.option: remark})
    return options


def _options(relation: Calibrated) -> dict[str, Any]:
    # Options that only select one of several thresholds do not belong into the configuration.
    options = {
        name: value
        for name, value in relation.options.items()
        if name not in load_relation(relation.relation).deciding()
    }
    return {**options, relation.option: relation.value}
