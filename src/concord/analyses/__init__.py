"""Analyses of runs, labels and references: regression, detection, calibration, quality, experiment, repair."""
