"""Tables of an evaluation, for the terminal and the page."""

from collections.abc import Iterator

from concord.analyses.detection.evaluation import Evaluation, Metric, by_thresholds
from concord.labels.labels import KINDS
from concord.plural import plural
from concord.stats.detection import MEASURES
from concord.views.tables import NONE, TextTable, between

DOTS = 10
GAINS = {
    "more_bugs": ("More bugs found", "d"),
    "at_equal_flagged": ("More bugs than the first alone if it flagged as many rows", ".1f"),
    "accuracy": ("Gain in accuracy", ".2f"),
    "f": ("Gain in F", ".2f"),
}
CHOSEN_BY = {"product": "true positives × true negatives", "f": "F", "accuracy": "accuracy"}


def tables(evaluation: Evaluation) -> list[TextTable]:
    """All tables of an evaluation, the overall ones first."""
    return [
        _measures(evaluation),
        _best(evaluation),
        *_held_out(evaluation),
        *_dots(evaluation),
        *_combined(evaluation),
        *_kinds(evaluation),
        *_mix(evaluation),
    ]


def _measures(evaluation: Evaluation) -> TextTable:
    """Table 2 of the paper."""
    missing = any(metric.missing for metric in evaluation.metrics)
    measures = ("F" if measure == "f" else measure for measure in MEASURES)
    columns = ("score", "flagged if", "thresholds", "rows", *(("missing",) if missing else ()), *measures)
    rows = [
        (
            metric.score.name,
            f"{metric.score.rule} threshold",
            _thresholds(metric),
            f"{metric.rows:,}",
            *((f"{metric.missing:,}",) if missing else ()),
            *(f"{metric.mean(measure):.2f} / {metric.best(measure):.2f}" for measure in MEASURES),
        )
        for metric in evaluation.metrics
    ]
    total = f"of {plural(evaluation.rows, 'row')}"
    bugs = plural(evaluation.bugs, f"{total} is a bug", f"{total} are bugs")
    note = f"{bugs}. Where nothing is flagged, precision and F count as 0."
    return TextTable(f"{evaluation.name}: mean / best over thresholds", columns, rows, note)


def _best(evaluation: Evaluation) -> TextTable:
    columns = ("score", "AUC", "95% interval", *(f"best {c}" for c in ("F", "accuracy")))
    columns = (*columns[:4], "95% interval", "at", columns[4], "95% interval", "at")
    rows = [
        (
            metric.score.name,
            f"{metric.auc:.3f}",
            between(metric.auc_interval),
            *_peak(metric, "f"),
            *_peak(metric, "accuracy"),
        )
        for metric in evaluation.metrics
    ]
    share = evaluation.bugs / evaluation.rows
    note = (
        f"Flagging every row has F {2 * share / (1 + share):.3f} and accuracy {share:.3f}; an AUC of 0.5 is guessing."
        " Thresholds are in the score's own units. The best was chosen on the same rows: see --split and --folds."
    )
    return TextTable(f"{evaluation.name}: areas and best thresholds", columns, rows, note)


def _peak(metric: Metric, measure: str) -> tuple[str, ...]:
    ends = metric.intervals[measure]["best"]
    return f"{metric.best(measure):.3f}", between(ends), f"{metric.threshold(measure):.4g}"


def _held_out(evaluation: Evaluation) -> Iterator[TextTable]:
    rows = [
        (
            metric.score.name,
            ", ".join(f"{threshold:.3g}" for threshold in held.thresholds),
            f"{held.chosen_f:.3f}",
            f"{held.f:.3f}",
            f"{held.accuracy:.3f}",
            between(held.accuracy_interval),
            f"{held.precision:.3f} ({held.found}/{held.flagged})",
            between(held.precision_interval),
            f"{held.recall:.3f} ({held.found}/{held.bugs})",
            between(held.recall_interval),
        )
        for metric in evaluation.metrics
        for held in [metric.held_out]
        if held is not None
    ]
    if rows:
        columns = ("score", "threshold", "F (other rows)", "F", "accuracy", "95%", "precision", "95%", "recall", "95%")
        split = f"{evaluation.terms.folds} folds" if evaluation.terms.folds else f"split {evaluation.terms.split:g}"
        note = "Thresholds are those of the best F on other rows than those that they are evaluated on."
        yield TextTable(
            f"{evaluation.name}: on held-out rows ({split}, seed {evaluation.terms.seed})", columns, rows, note
        )


def _dots(evaluation: Evaluation) -> Iterator[TextTable]:
    """Figure 6: flagged rows and precision at eleven thresholds; scores with the same thresholds share a table."""
    for metrics in by_thresholds(evaluation.metrics):
        thresholds = sorted(metrics[0].curve.thresholds.tolist())
        thresholds = thresholds[:: max(1, -(-(len(thresholds) - 1) // DOTS))]
        rows = []
        for metric in metrics:
            by_threshold = {point["threshold"]: point for point in metric.points()}
            points = [by_threshold[threshold] for threshold in thresholds]
            cells = [f"{p['flagged']:,}: {p['precision']:.2f}" if p["flagged"] else NONE for p in points]
            rows.append((metric.score.name, *cells))
        columns = ("score", *(f"{threshold:.3g}" for threshold in thresholds))
        yield TextTable(f"{evaluation.name}: rows flagged and precision, by threshold", columns, rows)


def _combined(evaluation: Evaluation) -> Iterator[TextTable]:
    if evaluation.together is None:
        return
    own = {metric.score.name: metric.score for metric in evaluation.metrics}
    rows = [
        (e.name, f"{own[e.name].own(e.threshold):.4g}", f"{e.flagged:,}", f"{e.bugs:,}", f"{e.unique:,}")
        for e in evaluation.alone
    ]
    every = evaluation.together
    note = (
        f"{_thresholded(evaluation)}. All together (a row is flagged if one of them flags it): {every.bugs:,} of"
        f" {plural(every.all_bugs, 'bug')} among {every.flagged:,} flagged; precision {every.precision:.3f},"
        f" F {every.f:.3f} ({every.f_gain:+.3f} over the best one)."
    )
    columns = ("score", "threshold", "flagged", "bugs", "found by it alone")
    yield TextTable(f"{evaluation.name}: bugs found by each score", columns, rows, note)
    names = [detector.name for detector in evaluation.alone]
    gains = {(gain.first, gain.second): gain for gain in evaluation.gains}
    for field, (title, form) in GAINS.items():
        cells = [
            (a, *(NONE if (a, b) not in gains else format(getattr(gains[a, b], field), f"+{form}") for b in names))
            for a in names
        ]
        yield TextTable(f"{title}: a row's score combined with a column's", ("", *names), cells)


def _thresholded(evaluation: Evaluation) -> str:
    return f"Each score at its threshold of the best {CHOSEN_BY[evaluation.terms.combine_at]}"


def _kinds(evaluation: Evaluation) -> Iterator[TextTable]:
    """Table 4 of the paper."""
    if evaluation.kinds:
        names = list(evaluation.kinds[0].found)
        rows = [
            (f"– {row.kind}" if row.kind in KINDS else row.kind, f"{row.bugs:,}", *(f"{row.found[n]:,}" for n in names))
            for row in evaluation.kinds
        ]
        note = f"{_thresholded(evaluation)}. A bug of several kinds counts for each of them."
        yield TextTable(f"{evaluation.name}: bugs found, by kind of error", ("kind", "bugs", *names), rows, note)


def _mix(evaluation: Evaluation) -> Iterator[TextTable]:
    if not evaluation.mix:
        return
    rows = [
        (
            f"{share:g}",
            f"{mixture.auc:.3f}",
            *(f"{mixture.mean(m):.3f} / {mixture.best(m):.3f}" for m in ("accuracy", "f")),
            f"{mixture.threshold('f'):.4g}",
        )
        for share, mixture in evaluation.mix.items()
    ]
    first, second = (name.strip() for name in evaluation.terms.mix.split(","))
    columns = ("K", "AUC", "accuracy (mean / best)", "F (mean / best)", "threshold of the best F")
    yield TextTable(f"{evaluation.name}: K × {first} + (1 − K) × {second}", columns, rows)


def _thresholds(metric: Metric) -> str:
    thresholds = sorted(metric.curve.thresholds.tolist())
    step = f" by {thresholds[1] - thresholds[0]:.3g}" if len(thresholds) > 1 else ""
    range_text = f"{thresholds[0]:.4g}…{thresholds[-1]:.4g}{step}"
    if metric.score.scale is None:
        return range_text
    low, high = metric.score.scale
    return f"{range_text}, normalised from {low:.3g}…{high:.3g}"
