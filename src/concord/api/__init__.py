"""What users, the command line and the page call. One synchronous door; everything inside is asynchronous."""

from __future__ import annotations

from concord.api.calibrating import calibrate, write_thresholds
from concord.api.correlating import correlate, quality, write_correlation
from concord.api.experiments import (
    analyse,
    analyse_experiment,
    dry_run_experiment,
    need_png,
    report_experiment,
    run_experiment,
)
from concord.api.labelling import (
    evaluate,
    export_labels,
    fit_comparator,
    forget_comparator,
    import_labels,
    labels,
    tune,
    write_evaluation,
)
from concord.api.listing import describe
from concord.api.looking import (
    blame,
    compare,
    export,
    faults,
    groups,
    rows,
    runs,
    show,
    thresholds,
    worst,
    write_report,
)
from concord.api.repairing import repair
from concord.api.running import check, dry_run, plan, run
from concord.api.texts import compare_expressions, expressions, prevalence, sample
from concord.constructing import constructed
from concord.corpus import read
from concord.doctor import apertium_lacks, doctor
from concord.experiment import Asked
from concord.judging import judge
from concord.report.summary import Progress
from concord.running import Settings

__all__ = [
    "Asked",
    "Progress",
    "Settings",
    "analyse",
    "analyse_experiment",
    "apertium_lacks",
    "blame",
    "calibrate",
    "check",
    "compare",
    "compare_expressions",
    "constructed",
    "correlate",
    "describe",
    "doctor",
    "dry_run",
    "dry_run_experiment",
    "evaluate",
    "export",
    "export_labels",
    "expressions",
    "faults",
    "fit_comparator",
    "forget_comparator",
    "groups",
    "import_labels",
    "judge",
    "labels",
    "need_png",
    "plan",
    "prevalence",
    "quality",
    "read",
    "repair",
    "report_experiment",
    "rows",
    "run",
    "run_experiment",
    "runs",
    "sample",
    "show",
    "thresholds",
    "tune",
    "worst",
    "write_correlation",
    "write_evaluation",
    "write_report",
    "write_thresholds",
]
