"""All commands of the program, gathered."""

from __future__ import annotations

from importlib import import_module

from concord.cli.app import app, main

__all__ = ["app", "main"]

# Each adds its commands to the program, which lists them in this order.
for _commands in (
    "running",
    "looking",
    "comparing",
    "serving",
    "trying",
    "labelling",
    "queueing",
    "evaluating",
    "calibrating",
    "correlating",
    "experimenting",
    "sampling",
    "constructing",
    "expressions",
    "judging",
    "repairing",
    "listing",
):
    import_module(f"concord.cli.{_commands}")
