"""The functions that users, the command line and the page call: synchronous, while everything inside is not."""

from concord.analyses.experiment import Asked
from concord.analyses.quality.options import QualityTerms
from concord.api.calibration import CalibrationTerms, calibrate, write_thresholds
from concord.api.corpora import corpora, forget_corpus, keep_corpus, open_corpus, remember_request, requests
from concord.api.detection import (
    EvaluationTerms,
    detectors,
    evaluate,
    fit_comparator,
    forget_comparator,
    keep_threshold,
    overlap,
    tune,
    write_evaluation,
)
from concord.api.experiment import (
    analyse,
    analyse_experiment,
    dry_run_experiment,
    report_experiment,
    run_experiment,
)
from concord.api.export import export, exported, exports
from concord.api.findings import case, cases, counts, facets, findings, problems, update_index
from concord.api.labels import export_labels, import_labels, labels
from concord.api.overview import overview
from concord.api.plugins import describe, describe_one
from concord.api.quality import correlate, quality, write_correlation
from concord.api.queues import (
    agreement,
    case_turn,
    desk,
    draw_queue,
    enlarge_queue,
    estimate,
    forget_queue,
    queue_place,
    queues,
    redo_label,
    say,
    turn,
    undo_label,
)
from concord.api.regression import accept, compare_runs, gate, standings
from concord.api.repair import repair
from concord.api.runs import check, dry_run, plan, run
from concord.api.texts import compare_expressions, expressions, prevalence, sample
from concord.api.trial import attempt
from concord.api.workspace import (
    blame,
    faults,
    rows,
    runs,
    show,
    structure,
    thresholds,
    worst,
    write_report,
)
from concord.corpus import read
from concord.language.codes import normalise
from concord.language.sanity import SANE
from concord.model import Text
from concord.plugins import RECOMMENDED
from concord.relations._recommended import SET, with_sane
from concord.runs.config import Configuration
from concord.runs.doctor import apertium_lacks, doctor
from concord.runs.execute import Settings
from concord.runs.judge import judge
from concord.runs.phrases import constructed
from concord.runs.plan import left_out_note
from concord.runs.summary import together
from concord.store.finding_filter import Filter

__all__ = [
    "RECOMMENDED",
    "SANE",
    "SET",
    "Asked",
    "CalibrationTerms",
    "Configuration",
    "EvaluationTerms",
    "Filter",
    "QualityTerms",
    "Settings",
    "Text",
    "accept",
    "agreement",
    "analyse",
    "analyse_experiment",
    "apertium_lacks",
    "attempt",
    "blame",
    "calibrate",
    "case",
    "case_turn",
    "cases",
    "check",
    "compare_expressions",
    "compare_runs",
    "constructed",
    "corpora",
    "correlate",
    "counts",
    "describe",
    "describe_one",
    "desk",
    "detectors",
    "doctor",
    "draw_queue",
    "dry_run",
    "dry_run_experiment",
    "enlarge_queue",
    "estimate",
    "evaluate",
    "export",
    "export_labels",
    "exported",
    "exports",
    "expressions",
    "facets",
    "faults",
    "findings",
    "fit_comparator",
    "forget_comparator",
    "forget_corpus",
    "forget_queue",
    "gate",
    "import_labels",
    "judge",
    "keep_corpus",
    "keep_threshold",
    "labels",
    "left_out_note",
    "normalise",
    "open_corpus",
    "overlap",
    "overview",
    "plan",
    "prevalence",
    "problems",
    "quality",
    "queue_place",
    "queues",
    "read",
    "redo_label",
    "remember_request",
    "repair",
    "report_experiment",
    "requests",
    "rows",
    "run",
    "run_experiment",
    "runs",
    "sample",
    "say",
    "show",
    "standings",
    "structure",
    "thresholds",
    "together",
    "tune",
    "turn",
    "undo_label",
    "update_index",
    "with_sane",
    "worst",
    "write_correlation",
    "write_evaluation",
    "write_report",
    "write_thresholds",
]
