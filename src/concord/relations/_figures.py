"""What was measured of the relations, on one system and corpus; reproduce/relation_figures.py writes the table."""

from collections.abc import Mapping
from typing import Any

from concord.language import word_tables


def figures(name: str) -> Mapping[str, Any]:
    """What was measured of a relation, and on what; empty if nothing is known, as of a guest."""
    tables = word_tables(__file__)
    common = {key: value for key, value in tables.items() if key != "relations"}
    own = tables["relations"].get(name)
    return {**common, **own} if own else {}
