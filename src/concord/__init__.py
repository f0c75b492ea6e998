"""Concord tests any machine-translation system without reference translations.

import concord

summaries = concord.run("sentences.txt", relations=["rtt"], systems=["apertium"], to=["es"])
for case in concord.worst("concord.sqlite", [summaries[0].run.id], limit=10):
    print(case["suspicion"], case["text"])
"""

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


def __getattr__(name: str):  # type: ignore[no-untyped-def]  # `typing` would delay the moment Ctrl-C is heard
    # Loaded when first used, so that `concord --help` does not wait for the engine.
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'concord' has no attribute '{name}'")
