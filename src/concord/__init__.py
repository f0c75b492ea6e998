"""Concord tests any machine-translation system without reference translations.

import concord

summaries = concord.run("sentences.txt", relations=["rtt"], systems=["apertium"], to=["es"])
for case in concord.worst("concord.sqlite", [summaries[0].run.id], limit=10):
    print(case["suspicion"], case["text"])
"""

from importlib import import_module as _import_module
from typing import Any as _Any

__version__ = "0.1.0"
__all__ = [
    "Case",
    "Limits",
    "Outcome",
    "Segment",
    "Settings",
    "System",
    "Text",
    "check",
    "judge",
    "read",
    "run",
    "worst",
]

_HOMES = {
    "concord.model": ("Case", "Limits", "Outcome", "Segment", "System", "Text"),
    "concord.api": ("Settings", "check", "judge", "read", "run", "worst"),
}


def __getattr__(name: str) -> _Any:
    # Loaded when first used, so that `concord --help` does not wait for the engine.
    for home, names in _HOMES.items():
        if name in names:
            return getattr(_import_module(home), name)
    raise AttributeError(f"module 'concord' has no attribute '{name}'")
