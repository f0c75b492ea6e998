"""Exit codes of the program."""

OK = 0
FAILED = 1
USAGE = 2
"""What was asked for cannot be done: an unknown name, a file that is not there."""
GATE_FAILED = 3
INTERRUPTED = 130
