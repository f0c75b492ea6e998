"""What runs, labels and references say: regressions, detectors, calibration, quality, experiments, repair."""
