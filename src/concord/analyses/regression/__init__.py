"""Runs beside earlier runs: what fails newly, what no longer, whether chance explains it, and a gate for it."""
