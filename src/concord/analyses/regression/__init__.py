"""Runs compared with earlier runs: cases that are newly or no longer flagged, significance tests, and the gate."""
