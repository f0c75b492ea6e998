"""`python -m concord.cli` is the program `concord`."""

from concord.cli import main

main()
