"""Exit codes of the program."""

OK = 0
FAILED = 1
USAGE = 2
"""Wrong usage: an unknown name, a missing file, options that exclude each other."""
GATE_FAILED = 3
INTERRUPTED = 130
