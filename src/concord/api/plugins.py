"""The list of plug-ins and their options."""

from __future__ import annotations

from typing import Any

from concord import plugins
from concord.errors import UserError
from concord.plugins import FAMILIES, names
from concord.signature import option_text

__all__ = ["FAMILIES", "describe", "names"]


def describe(family: str) -> list[dict[str, Any]]:
    """Every plug-in of a family: its purpose, whether it takes an argument, and the options of its signature."""
    return [_described(family, name) for name in names(family)]


def _described(family: str, name: str) -> dict[str, Any]:
    try:
        plugins.entry(family, name)
    except UserError as error:  # one broken guest must not hide the others
        return {"name": name, "purpose": str(error), "usage": name, "options": [], "keys": []}
    parameters = plugins.options(family, name)
    return {
        "name": name,
        "purpose": plugins.purpose(family, name),
        "usage": f"{name}:ARGUMENT" if any(option.name == "argument" for option in parameters) else name,
        "options": [_option(option) for option in parameters if option.name != "argument"],
        **({"keys": list(plugins.entry(family, name).keys)} if family == "translators" else {}),  # type: ignore[attr-defined]
    }


def _option(parameter: plugins.Parameter) -> dict[str, Any]:
    default = None if parameter.required else option_text(parameter.default)
    return {"name": parameter.name, "type": plugins.type_name(parameter.kind), "default": default}
