"""Comparisons of runs and gates, as tables, charts and JUnit XML."""
