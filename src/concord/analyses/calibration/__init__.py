"""Calibration: how sensitive relations are to injected faults on one system and language pair, without labels."""
