"""The thresholds of a calibration as options for `concord.toml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from concord.analyses.calibration.calibration import Calibration
from concord.errors import UserError
from concord.plural import plural
from concord.relations._protocol import load_relation
from concord.runs.config import write_configuration


def write(calibration: Calibration, file: Path) -> dict[str, Mapping[str, Any]]:
    """Write the thresholds to a configuration, with the options that they are for; returns what was written.

    A relation for which no threshold could be chosen is left out.
    """
    names = [relation.relation for relation in calibration.relations]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(
            f"a configuration has one threshold for {', '.join(twice)}. Calibrate it with one set of options at a time"
        )
    how = f"concord calibrate on {calibration.system} {calibration.source}-{calibration.target}"
    written: dict[str, Mapping[str, Any]] = {}
    for calibrated in calibration.relations:
        if calibrated.value is not None:
            # Options that only select one of several thresholds do not belong into the configuration.
            selecting = load_relation(calibrated.relation).deciding()
            options = {name: value for name, value in calibrated.options.items() if name not in selecting}
            written[calibrated.relation] = options | {calibrated.option: calibrated.value}
            cases = f"of {plural(calibrated.clean, 'clean case')}"
            remark = f"{how}: {plural(calibrated.flagged, f'{cases} is', f'{cases} are')} flagged"
            write_configuration(file, calibrated.relation, written[calibrated.relation], {calibrated.option: remark})
    return written
