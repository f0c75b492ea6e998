"""Relations: one file or folder for each published method, and for each check of ours."""

from concord.plugins import Parameter
from concord.relations._protocol import PAPER, load_relation

__all__ = ["options", "other_forms"]


def options(name: str) -> list[Parameter]:
    """The options of a relation, or of one of its forms such as `rti:paper`."""
    return load_relation(name).options


def other_forms(name: str) -> list[str]:
    """The other forms of a relation, such as `rti:paper` of `rti`."""
    relation = load_relation(name)
    return [f"{name}:{PAPER}"] if relation.traits.paper is not None and not relation.published else []
