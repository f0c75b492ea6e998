"""Concord tests any machine-translation system without reference translations.

import concord

summaries = concord.run("sentences.txt", systems=["apertium"], to=["es"])
for case in concord.worst("concord.sqlite", [summary.run.id for summary in summaries], limit=10):
    print(case["suspicion"], case["text"])
"""

__version__ = "0.1.0"
__all__ = [
    "Case",
    "Limits",
    "Metric",
    "Outcome",
    "Plan",
    "Segment",
    "Settings",
    "System",
    "Text",
    "Traits",
    "Translate",
    "check",
    "judge",
    "read",
    "run",
    "worst",
]

TYPE_CHECKING = False  # as in `typing`, which would delay the moment Ctrl-C is heard
if TYPE_CHECKING:
    from concord.api import Settings, check, judge, read, run, worst
    from concord.model import Case, Limits, Metric, Outcome, Plan, Segment, System, Text, Traits, Translate

del TYPE_CHECKING

_API = ("Settings", "check", "judge", "read", "run", "worst")


def __getattr__(name: str):  # type: ignore[no-untyped-def]
    # Loaded when first used, so that `concord --help` does not wait for the engine.
    from importlib import import_module

    if name in __all__:
        return getattr(import_module("concord.api" if name in _API else "concord.model"), name)
    raise AttributeError(f"module 'concord' has no attribute '{name}'")
