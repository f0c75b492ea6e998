"""Detectors and their overlap as tables, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from concord.analyses.detection.detectors import Detector, ThresholdEffect
from concord.analyses.detection.ground_truth import CENSUS, CHOSEN, QUEUE
from concord.analyses.detection.measures import Area, Measured
from concord.analyses.detection.overlap import Overlap
from concord.plural import plural
from concord.stats.stratified_estimates import EXACT, ShareEstimate
from concord.views.tables import NONE, TextTable, figure

DETECTORS = "Detectors at the thresholds in force"
COLUMNS = (
    "detector",
    "runs",
    "labelled",
    "labels",
    "bugs",
    "base rate",
    "threshold",
    "findings",
    "precision",
    "recall",
    "F",
)
RANKED = ("score", "AUC", "F", "precision", "recall", "best F", "at")
BASES = {QUEUE: "weighted", CENSUS: "all cases", CHOSEN: "not weighted"}
HELD_OUT = ("f", "precision", "recall")
COUNTED = ("count", "confirmed", "cleared")
LISTED = 40
"""So many ways to be flagged are listed; twelve detectors have thousands."""


def detector_tables(detectors: Sequence[Detector]) -> list[TextTable]:
    """How far each detector can be trusted, and how it ranks beside trivial baselines."""
    if not detectors:
        return []
    return [_in_force(detectors), *_ranked(detectors)]


def overlap_tables(overlap: Overlap) -> list[TextTable]:
    """Who flags what together, what each finds alone, and what combinations add."""
    return [_regions(overlap), *_alone(overlap), *_gains(overlap)]


def shown(at: ThresholdEffect) -> dict[str, str]:
    """What a threshold does in words, as the page has it."""
    found = at.measured
    measures = {name: share(getattr(found, name)) for name in ("precision", "recall", "f")}
    labelled = f"{found.bugs:,} of {found.labelled:,}" if found.labelled else "none"
    return {"findings": f"{at.findings:,}", **measures, "labelled": labelled}


def share(estimate: ShareEstimate | Area | None) -> str:
    """`0.714 (0.500 … 0.862)`"""
    if estimate is None:
        return NONE
    if isinstance(estimate, ShareEstimate) and estimate.method == EXACT:
        return f"{estimate.value:.3f} (exact)"
    return f"{estimate.value:.3f} ({estimate.low:.3f} … {estimate.high:.3f})"


def _in_force(detectors: Sequence[Detector]) -> TextTable:
    rows = [
        (
            detector.name,
            ", ".join(str(run.id) for run in detector.runs),
            f"{len(detector.decided):,}",
            BASES[detector.decided.basis] if len(detector.decided) else NONE,
            f"{detector.bugs:,}",
            share(detector.base_rate),
            figure(detector.in_force.threshold, "g"),
            f"{detector.in_force.findings:,}",
            *_shares(detector.in_force.measured, "precision", "recall", "f"),
        )
        for detector in detectors
    ]
    note = (
        "Findings are counted among all cases, each once. Intervals are of 95 %: Wilson's for a simple share, else"
        " of draws within strata. Base rate: the share of bugs among all cases. Labels that a queue drew are"
        " weighted; what others say of recall holds for the labelled cases alone."
    )
    return TextTable(DETECTORS, COLUMNS, rows, note)


def _ranked(detectors: Sequence[Detector]) -> Iterator[TextTable]:
    """Each detector above its baselines, on the same labelled cases."""
    rows = []
    for each in detectors:
        if each.area is None:
            continue
        best = ("", "") if each.best is None else (share(each.best.measured.f), f"{each.best.threshold:g}")
        rows.append((each.name, share(each.area), *_shares(each.held_out, *HELD_OUT), *best))
        rows += [
            (f"{each.name}: {rival.name}", share(rival.area), *_shares(rival.held_out, *HELD_OUT), "", "")
            for rival in each.baselines
        ]
    if rows:
        note = (
            "AUC is the chance that a bug looks worse than another case; 0.5 is guessing. F, precision and recall are"
            " at thresholds that come from other sentences (5 parts), for detectors and baselines alike. The best F was"
            " chosen on these very labels, which flatters."
        )
        yield TextTable("Next to trivial baselines", RANKED, rows, note)


def _shares(found: Measured | None, *names: str) -> list[str]:
    return [share(None if found is None else getattr(found, name)) for name in names]


def _regions(overlap: Overlap) -> TextTable:
    parts = [
        (" + ".join(overlap.names[member] for member in region.members), [region])
        for region in overlap.regions[:LISTED]
    ]
    if rest := overlap.regions[LISTED:]:
        parts.append((plural(len(rest), "further combination"), list(rest)))
    rows = [(name, *(f"{sum(getattr(each, count) for each in some):,}" for count in COUNTED)) for name, some in parts]
    of = f"of {plural(overlap.sentences, 'sentence')}"
    note = (
        f"{plural(overlap.flagged, f'{of} is', f'{of} are')} flagged. A sentence is if one of its cases is"
        " violated; it is confirmed if people call one of its cases an error, whichever detector flagged it."
    )
    columns = ("flagged by exactly", "sentences", "confirmed", "labelled and not confirmed")
    return TextTable(f"{overlap.name}: sentences flagged together", columns, rows, note)


def _alone(overlap: Overlap) -> Iterator[TextTable]:
    every = overlap.together
    if every is None:
        return
    rows = [(each.name, f"{each.flagged:,}", f"{each.bugs:,}", f"{each.unique:,}") for each in overlap.alone]
    rows.append(("any of them", f"{every.flagged:,}", f"{every.bugs:,}", ""))
    note = (
        f"On {plural(overlap.labelled, 'labelled sentence')}, {overlap.bugs:,} of them with bugs. Any of them:"
        f" precision {every.precision:.3f}, recall {every.recall:.3f}, F {every.f:.3f} ({every.f_gain:+.3f} over the"
        " best one). Labelled sentences are no random sample of all."
    )
    yield TextTable(f"{overlap.name}: bugs found", ("detector", "flagged", "bugs", "found by it alone"), rows, note)


def _gains(overlap: Overlap) -> Iterator[TextTable]:
    if not overlap.gains:
        return
    rows = [
        (
            f"{gain.first} + {gain.second}",
            f"{gain.flagged:,}",
            f"{gain.bugs:,}",
            f"{gain.more_bugs:+,}",
            f"{gain.at_equal_flagged:+.1f}",
            f"{gain.accuracy:+.3f}",
            f"{gain.f:+.3f}",
        )
        for gain in overlap.gains
    ]
    columns = ("combination", "flagged", "bugs", "more bugs", "at equal flags", "accuracy", "F")
    note = (
        "What the second adds to the first on the labelled sentences, where either flags. At equal flags: more bugs"
        " than the first alone if its threshold were lowered until it flags as many."
    )
    yield TextTable(f"{overlap.name}: gains of combinations", columns, rows, note)
