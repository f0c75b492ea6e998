"""A calibration as tables: the thresholds of each relation, and what they find of each kind of fault."""

from __future__ import annotations

from concord.analyses.calibration.calibration import Calibrated, Calibration
from concord.analyses.calibration.sensitivity import Sensitivity
from concord.views.tables import TextTable, between, figure

HONEST = (
    "Clean cases are answers of the system itself. Some may be wrong in earnest, so false alarms are at most the share"
    " of cases that is flagged."
)
COLUMNS = ("fault", "cases", "found", "recall", "95% interval", "AUC", "blamed", "recall now")
CHOSEN, IN_FORCE = "chosen", "now in force"
READING = "blamed: of the found cases, those whose most suspicious word is one that the fault changed."


def tables(found: Calibration) -> list[TextTable]:
    """The thresholds first, then one table for each relation."""
    return [_thresholds(found), *(_sensitivity(relation) for relation in found.relations)]


def _thresholds(found: Calibration) -> TextTable:
    title = f"{found.system} {found.source}→{found.target}: at most {found.terms.accepted:.3g} of clean cases flagged"
    rows = [row for relation in found.relations for row in _levels(relation)]
    return TextTable(title, ("relation", "", "threshold", "clean cases", "flagged", "share", "recall"), rows, HONEST)


def _levels(each: Calibrated) -> list[tuple[str, ...]]:
    """The threshold that was chosen, and the one that runs have now."""
    levels = [
        (CHOSEN, each.threshold, each.flagged, each.recall),
        (IN_FORCE, each.in_force, each.flagged_in_force, each.recall_in_force),
    ]
    return [
        (each.relation, name, figure(level, "g"), f"{each.clean:,}", f"{flagged:,}", share, figure(recall, ".2f"))
        for name, level, flagged, recall in levels
        for share in [figure(flagged / each.clean if each.clean else None, ".1%")]
    ]


def _sensitivity(found: Calibrated) -> TextTable:
    title = f"{found.relation}: faults found at {figure(found.threshold, 'g')}; now, at {figure(found.in_force, 'g')}"
    note = READING if any(kind.blaming for kind in found.kinds) else ""
    return TextTable(title, COLUMNS, [_row(kind) for kind in found.kinds], note)


def _row(each: Sensitivity) -> tuple[str, ...]:
    shares = (figure(share, ".2f") for share in (each.auc, each.blamed_share, each.recall_in_force))
    found = (figure(each.recall, ".2f"), between(each.interval, ".2f"))
    return (each.kind, f"{each.cases:,}", f"{each.found:,}", *found, *shares)
