"""Tables of detectors and their overlap, for the terminal and the page."""

from collections.abc import Callable, Iterator, Sequence

from concord.analyses.detection.detectors import Detector, ThresholdEffect
from concord.analyses.detection.ground_truth import CENSUS, CHOSEN, QUEUE
from concord.analyses.detection.measures import Area, Measured
from concord.analyses.detection.overlap import Overlap, Region
from concord.plural import plural
from concord.stats.detection_gains import Gain
from concord.stats.stratified_estimates import EXACT, ShareEstimate
from concord.views.tables import NONE, TextTable, figure

DETECTORS = "Detectors at the thresholds in force"
RANKED = ("score", "AUC", "F", "precision", "recall", "best F", "at")
BASES = {QUEUE: "weighted", CENSUS: "all cases", CHOSEN: "not weighted"}
HELD_OUT = ("f", "precision", "recall")
COUNTED = ("count", "confirmed", "cleared")
LISTED = 40
"""The most combinations that are listed; twelve detectors have thousands."""


def detector_tables(detectors: Sequence[Detector]) -> list[TextTable]:
    """The figures of each detector at its threshold, and its rank beside trivial baselines."""
    if not detectors:
        return []
    return [_in_force(detectors), *_ranked(detectors)]


def overlap_tables(overlap: Overlap) -> list[TextTable]:
    """What detectors flag together: sentences and wrong translations; the bugs of each alone, gains of combinations."""
    return [_regions(overlap), *_wrong(overlap), *_alone(overlap), *_gains(overlap)]


def threshold_texts(point: ThresholdEffect) -> dict[str, str]:
    """The figures of a threshold as the page shows them."""
    measured = point.measured
    measures = {name: share(getattr(measured, name)) for name in ("precision", "recall", "f")}
    labelled = f"{measured.bugs:,} of {measured.labelled:,}" if measured.labelled else "none"
    return {"flagged": f"{point.flagged:,}", **measures, "labelled": labelled}


def share(estimate: ShareEstimate | Area | None) -> str:
    """`0.714 (0.500 … 0.862)`"""
    if estimate is None:
        return NONE
    if isinstance(estimate, ShareEstimate) and estimate.method == EXACT:
        return f"{estimate.value:.3f} (exact)"
    return f"{estimate.value:.3f} ({estimate.low:.3f} … {estimate.high:.3f})"


def _in_force(detectors: Sequence[Detector]) -> TextTable:
    cells: dict[str, Callable[[Detector], str]] = {
        "detector": lambda detector: detector.name,
        "runs": lambda detector: ", ".join(str(run.id) for run in detector.runs),
        "labelled": lambda detector: f"{len(detector.decided):,}",
        "labels": lambda detector: BASES[detector.decided.basis] if len(detector.decided) else NONE,
        "bugs": lambda detector: f"{detector.bugs:,}",
        "base rate": lambda detector: share(detector.base_rate),
        "threshold": lambda detector: figure(detector.in_force.threshold, "g"),
        "flagged": lambda detector: f"{detector.in_force.flagged:,}",
        "precision": lambda detector: share(detector.in_force.measured.precision),
        "recall": lambda detector: share(detector.in_force.measured.recall),
        "F": lambda detector: share(detector.in_force.measured.f),
    }
    note = (
        "The flagged ones are counted among all cases, each once. Confidence intervals (95 %) are Wilson's for a simple"
        " share, else by bootstrap within strata. Base rate: the share of bugs among all cases. Labels of a queue are"
        " weighted; recall by other labels holds for the labelled cases only."
    )
    return TextTable.of(DETECTORS, detectors, cells, note)


def _ranked(detectors: Sequence[Detector]) -> Iterator[TextTable]:
    """Each detector followed by its baselines, on the same labelled cases."""
    rows = []
    for detector in detectors:
        if detector.area is None:
            continue
        best = ("", "") if detector.best is None else (share(detector.best.measured.f), f"{detector.best.threshold:g}")
        rows.append((detector.name, share(detector.area), *_shares(detector.held_out, *HELD_OUT), *best))
        rows += [
            (f"{detector.name}: {rival.name}", share(rival.area), *_shares(rival.held_out, *HELD_OUT), "", "")
            for rival in detector.baselines
        ]
    if rows:
        note = (
            "AUC is the chance that a bug has a higher score than another case; 0.5 is guessing. F, precision and"
            " recall are cross-validated: thresholds come from other sentences (5 folds), also for baselines. The best"
            " F was chosen on these very labels, so it is optimistic."
        )
        yield TextTable("Beside trivial baselines", RANKED, rows, note)


def _shares(measured: Measured | None, *names: str) -> list[str]:
    return [share(None if measured is None else getattr(measured, name)) for name in names]


def _parts(overlap: Overlap, regions: Sequence[Region]) -> list[tuple[str, Sequence[Region]]]:
    """The regions by name; after the most that are listed, the others together."""
    names = (" + ".join(overlap.names[member] for member in region.members) for region in regions)
    parts = [(name or "none", [region]) for name, region in zip(names, regions[:LISTED], strict=False)]
    rest = regions[LISTED:]
    return [*parts, (plural(len(rest), "further combination"), rest)] if rest else [*parts]


def _wrong(overlap: Overlap) -> Iterator[TextTable]:
    if overlap.wrong:
        parts = _parts(overlap, overlap.wrong)
        rows = [(name, f"{sum(region.count for region in regions):,}") for name, regions in parts]
        total = plural(sum(region.count for region in overlap.wrong), "wrong translation")
        note = f"{total} by labels that say which side is wrong. Reported: in a flagged case that says or suspects it."
        title = f"{overlap.name}: wrong translations reported together"
        yield TextTable(title, ("reported by exactly", "translations"), rows, note)


def _regions(overlap: Overlap) -> TextTable:
    rows = [
        (name, *(f"{sum(getattr(region, count) for region in regions):,}" for count in COUNTED))
        for name, regions in _parts(overlap, overlap.regions)
    ]
    total = f"of {plural(overlap.sentences, 'sentence')}"
    note = (
        f"{plural(overlap.flagged, f'{total} is', f'{total} are')} flagged. A sentence is flagged if one of its"
        " cases is; it is confirmed if a label calls one of its cases an error, whichever detector flagged it."
    )
    columns = ("flagged by exactly", "sentences", "confirmed", "labelled and not confirmed")
    return TextTable(f"{overlap.name}: sentences flagged together", columns, rows, note)


def _alone(overlap: Overlap) -> Iterator[TextTable]:
    every = overlap.together
    if every is None:
        return
    rows = [
        (detector.name, f"{detector.flagged:,}", f"{detector.bugs:,}", f"{detector.unique:,}")
        for detector in overlap.alone
    ]
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
    cells: dict[str, Callable[[Gain], str]] = {
        "combination": lambda gain: f"{gain.first} + {gain.second}",
        "flagged": lambda gain: f"{gain.flagged:,}",
        "bugs": lambda gain: f"{gain.bugs:,}",
        "more bugs": lambda gain: f"{gain.more_bugs:+,}",
        "at equal flags": lambda gain: f"{gain.at_equal_flagged:+.1f}",
        "accuracy": lambda gain: f"{gain.accuracy:+.3f}",
        "F": lambda gain: f"{gain.f:+.3f}",
    }
    note = (
        "What the second adds to the first on the labelled sentences that either flags. At equal flags: more bugs"
        " than the first alone finds if its threshold is lowered until it flags as many."
    )
    yield TextTable.of(f"{overlap.name}: gains of combinations", overlap.gains, cells, note)
