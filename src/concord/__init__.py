"""Concord tests any machine-translation system without reference translations."""

__version__ = "0.1.0"
