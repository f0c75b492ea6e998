"""Import every module that defines commands, so that the application has them all."""

import sys
from importlib import import_module
from importlib.util import LazyLoader, find_spec, module_from_spec

from concord.cli.app import app, main

__all__ = ["app", "main"]


def import_when_used(package: str, name: str) -> None:
    """Import a module of a package when one of its names is first used, so that `--help` does not wait for it."""
    spec = find_spec(f"{package}.{name}")
    if spec is None or spec.loader is None or spec.name in sys.modules:
        return
    spec.loader = LazyLoader(spec.loader)
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    setattr(sys.modules[package], name, module)


import_when_used("concord", "api")

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
