"""Detectors against labels, as tables, charts and a page."""
