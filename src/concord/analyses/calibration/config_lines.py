"""The thresholds of a calibration as lines of `concord.toml`, and into the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from concord.analyses.calibration.calibration import Calibrated, Calibration
from concord.errors import UserError
from concord.plural import plural
from concord.relations._protocol import load_relation
from concord.runs.config import write_configuration


def settable(found: Calibration) -> dict[str, Mapping[str, Any]]:
    """The options of each relation that later runs are to be told; none where no threshold could be chosen."""
    named = [relation.relation for relation in found.relations]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise UserError(
            f"a configuration has one threshold for {', '.join(twice)}. Calibrate it with one set of options at a time"
        )
    return {relation.relation: _options(relation) for relation in found.relations if relation.value is not None}


def write(found: Calibration, file: Path) -> dict[str, Mapping[str, Any]]:
    """Set the thresholds in a configuration, beside the options that they are for; gives what was written."""
    options = settable(found)
    by_name = {relation.relation: relation for relation in found.relations}
    for name, told in options.items():
        each = by_name[name]
        how = f"concord calibrate on {found.system} {found.source}-{found.target}"
        of = f"of {plural(each.clean, 'clean case')}"
        remark = f"{how}: {plural(each.flagged, f'{of} is', f'{of} are')} flagged"
        write_configuration(file, name, told, {each.option: remark})
    return options


def _options(each: Calibrated) -> dict[str, Any]:
    # What only says which of several thresholds is meant is not what later runs are to be told.
    told = {name: value for name, value in each.options.items() if name not in load_relation(each.relation).deciding()}
    return {**told, each.option: each.value}
