"""The table of relations: what each of them finds, what it asks, and what was measured of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from concord.views.tables import TextTable, figure

COLUMNS = ("relation", "what it finds", "texts", "tests", "recall", "false alarms", "set")
READING = (
    "texts: translated for each sentence. tests: the share of sentences with a case.",
    "recall: the share of cases with an injected fault that are flagged. set: the recommended one.",
    "false alarms: the share of cases without an injected fault that are flagged; some are real errors.",
)
Row = Mapping[str, Any]


def relations_table(rows: Sequence[Row]) -> TextTable:
    """A row for each relation, those of the recommended set first, and how to read the figures."""
    ordered = sorted(rows, key=lambda row: not row.get("recommended"))
    return TextTable("", COLUMNS, [_cells(row) for row in ordered], "\n".join(_note(ordered)))


def measured_text(measured: Row) -> str:
    """What was measured of one relation, in a sentence; empty if nothing was."""
    if "unmeasured" in measured:
        return f"Not measured: {measured['unmeasured']}."
    if not measured:
        return ""
    tested, recall, alarms, recall_at_5 = (
        figure(measured.get(name), ".0%") for name in ("tested", "recall", "false_alarms", "recall_at_5")
    )
    return (
        f"On {_source(measured)}, it asks {measured['texts']:.1f} texts a sentence and tests {tested} of the sentences."
        f" By default it flags {recall} of {measured['faulty']} cases with {_fault(measured)} and {alarms} of"
        f" {measured['clean']} cases without; at the threshold that flags 5% of those, {recall_at_5}."
    )


def _cells(row: Row) -> list[str]:
    measured = row.get("measured", {})
    return [
        f"{row['name']} *" if "of" in measured else row["name"],
        row.get("finds") or row["purpose"],
        *(figure(measured.get(name), form) for name, form in (("texts", ".1f"), ("tested", ".2f"), ("recall", ".2f"))),
        figure(measured.get("false_alarms"), ".3f"),
        "yes" if row.get("recommended") else "",
    ]


def _note(rows: Sequence[Row]) -> list[str]:
    measured = {row["name"]: row["measured"] for row in rows if row.get("measured")}
    if not measured:
        return []
    special = [f"{name}: {_fault(figures)}" for name, figures in measured.items() if "of" in figures]
    missing = [
        f"{name}: not measured, {figures['unmeasured']}."
        for name, figures in measured.items()
        if "unmeasured" in figures
    ]
    return [
        f"Measured on {_source(next(iter(measured.values())))}, at the default thresholds.",
        *READING,
        *([f"* by one kind of fault: {'; '.join(special)}."] if special else []),
        *missing,
    ]


def _source(measured: Row) -> str:
    return f"{measured['system']} {measured['direction']} and {measured['corpus']} ({measured['sentences']} sentences)"


def _fault(measured: Row) -> str:
    return str(measured.get("of", "an injected fault"))
