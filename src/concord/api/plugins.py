"""The list of plug-ins and their options."""

from collections.abc import Mapping
from typing import Any

from concord import plugins
from concord.errors import UnknownName, UserError
from concord.language.plugin_choice import named
from concord.plugins import FAMILIES, admit, names
from concord.relations import other_forms
from concord.relations._figures import figures
from concord.relations._protocol import load_relation
from concord.relations._recommended import SET
from concord.runs.config import FAMILIES as SERVICE_FAMILIES
from concord.signature import option_text

__all__ = ["FAMILIES", "admit", "describe", "describe_one", "listed_services", "names"]


def listed_services(texts: Mapping[str, str]) -> dict[str, str]:
    """The services that texts such as `zh=stanza en=concord_en` name, if all are installed plug-ins without options.

    A page may name no others: an argument can be a file or an address.
    """
    services = {}
    for service, family in SERVICE_FAMILIES.items():
        entries = named(";".join(texts.get(service, "").split()))
        for entry in entries:
            if entry.text not in names(family):
                raise UnknownName(plugins.FAMILIES[family].singular, entry.text, names(family))
        if entries:
            services[service] = ";".join(map(str, entries))
    return services


def describe(family: str) -> list[dict[str, Any]]:
    """Every plug-in of a family: its purpose, its argument if it takes one, its options and its other forms."""
    return [_listed(family, name) for name in names(family)]


def describe_one(family: str, name: str) -> dict[str, Any]:
    """One plug-in by its name, its form or the path of its file, with its whole documentation."""
    plugins.admit(name)
    name = plugins.parse(family, name).name
    return {**_described(family, name), "documentation": plugins.documentation(family, name)}


def _listed(family: str, name: str) -> dict[str, Any]:
    try:
        plugins.entry(family, name)
    except UserError as error:  # one broken guest must not hide the others
        return {"name": name, "purpose": str(error), "usage": name, "options": [], "keys": []}
    return _described(family, name)


def _described(family: str, name: str) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in plugins.options(family, name)}
    argument = known.pop("argument", None)
    row: dict[str, Any] = {
        "name": name,
        "purpose": plugins.purpose(family, name),
        "usage": f"{name}:ARGUMENT" if argument else name,
        "argument": _option(argument) if argument else None,
        "options": [_option(parameter) for parameter in known.values()],
    }
    if family == "translators":
        row["keys"] = list(plugins.entry(family, name).keys)  # type: ignore[attr-defined]
    if family == "relations":
        finds = load_relation(name).traits.finds
        row |= {"finds": finds, "recommended": name in SET, "measured": dict(figures(name))}
        row["forms"] = [
            {"name": form, "options": [_option(parameter) for parameter in plugins.options(family, form)]}
            for form in other_forms(name)
        ]
    return row


def _option(parameter: plugins.Parameter) -> dict[str, Any]:
    default = "" if parameter.default is None else option_text(parameter.default)
    # That it is a number, the type says.
    ranges = [str(constraint).removeprefix("a number ").removeprefix("of ") for constraint in parameter.constraints]
    return {
        "name": parameter.name,
        "type": plugins.type_name(parameter.kind),
        "range": ", ".join(ranges),
        "default": None if parameter.required else default,
        "help": parameter.help,
    }
