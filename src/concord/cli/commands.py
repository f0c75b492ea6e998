"""Import every module that defines commands, so that the application has them all."""

from importlib import import_module

from concord.cli.app import app, main

__all__ = ["app", "main"]

# Each module adds its commands on import; --help lists them in this order.
for _commands in (
    "run",
    "findings",
    "regression",
    "serve",
    "trial",
    "labels",
    "queues",
    "detection",
    "calibration",
    "quality",
    "experiment",
    "sample",
    "phrases",
    "expressions",
    "judge",
    "repair",
    "plugins",
):
    import_module(f"concord.cli.{_commands}")
