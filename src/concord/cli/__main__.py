"""`python -m concord.cli` is the program `concord`."""

from concord.cli import program

program()
