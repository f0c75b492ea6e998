"""Tables of a calibration: the thresholds of each relation, and its recall for each kind of injected fault."""

from concord.analyses.calibration.calibration import Calibrated, Calibration
from concord.analyses.calibration.sensitivity import Sensitivity
from concord.views.tables import TextTable, between, figure

FALSE_ALARMS = (
    "Clean cases are the system's own answers. Some may be wrong, so the share of false alarms is at most the share"
    " of flagged cases."
)
COLUMNS = ("fault", "cases", "found", "recall", "95% interval", "AUC", "blamed", "recall now")
CHOSEN, IN_FORCE = "chosen", "now in force"
READING = "blamed: the share of found faults whose most suspicious word is one that the fault changed."


def tables(calibration: Calibration) -> list[TextTable]:
    """A table of thresholds, then one table for each relation."""
    return [_thresholds(calibration), *(_sensitivity(relation) for relation in calibration.relations)]


def _thresholds(calibration: Calibration) -> TextTable:
    tested = f"{calibration.system} {calibration.source}→{calibration.target}"
    title = f"{tested}: at most {calibration.terms.accepted:.3g} of clean cases flagged"
    rows = [row for relation in calibration.relations for row in _levels(relation)]
    return TextTable(
        title, ("relation", "", "threshold", "clean cases", "flagged", "share", "recall"), rows, FALSE_ALARMS
    )


def _levels(calibrated: Calibrated) -> list[tuple[str, ...]]:
    """The chosen threshold, and the one that is now in force."""
    levels = [
        (CHOSEN, calibrated.threshold, calibrated.flagged, calibrated.recall),
        (IN_FORCE, calibrated.in_force, calibrated.flagged_in_force, calibrated.recall_in_force),
    ]
    return [
        (
            calibrated.relation,
            name,
            figure(level, "g"),
            f"{calibrated.clean:,}",
            f"{flagged:,}",
            share,
            figure(recall, ".2f"),
        )
        for name, level, flagged, recall in levels
        for share in [figure(flagged / calibrated.clean if calibrated.clean else None, ".1%")]
    ]


def _sensitivity(calibrated: Calibrated) -> TextTable:
    chosen, now = (figure(threshold, "g") for threshold in (calibrated.threshold, calibrated.in_force))
    title = f"{calibrated.relation}: faults found at {chosen}; now, at {now}"
    note = READING if any(kind.blaming for kind in calibrated.kinds) else ""
    return TextTable(title, COLUMNS, [_row(kind) for kind in calibrated.kinds], note)


def _row(sensitivity: Sensitivity) -> tuple[str, ...]:
    shares = (
        figure(share, ".2f") for share in (sensitivity.auc, sensitivity.blamed_share, sensitivity.recall_in_force)
    )
    recall = (figure(sensitivity.recall, ".2f"), between(sensitivity.interval, ".2f"))
    return (sensitivity.kind, f"{sensitivity.cases:,}", f"{sensitivity.found:,}", *recall, *shares)
