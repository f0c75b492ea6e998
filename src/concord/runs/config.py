"""`concord.toml`, the project file: options of relations that a command does not set itself.

    [relations.rtt]
    threshold = 0.42

Each relation has a table with its options. An option that a command sets wins. A threshold holds for the other options
in its table: a command that changes one of those does not use the configured threshold.

The table `[gate]` has the rules of `concord gate`, and in `[gate.max]` the limits of relations:

    [gate]
    no_new = true
    accepted = "accepted.jsonl"
    [gate.max]
    rti = 0.05

The table `[services]` names plug-ins for languages, or for all that they know:

    [services]
    parser.zh = "stanza"
    substitutes = ["de=masked:FOLDER"]

What the command names comes before these. Other tables belong to other tools or to later versions and are ignored,
unless their names look like misspellings of `relations`, of `gate`, of `services` or of the name of a relation.
"""

import contextlib
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from concord import plugins
from concord.atomic import atomic_write
from concord.errors import CONFIGURATION, Missing, UnknownName, UserError
from concord.language.plugin_choice import OPTIONS, check_setting, joined
from concord.relations._protocol import check_name, load_relation
from concord.relations._recommended import expanded
from concord.signature import option_text
from concord.toml_file import BOM, parse_toml, toml_text

TABLE = "relations"
GATE = "gate"
SERVICES = "services"
FAMILIES = {"parse": "parsers", "substitutes": "substitutes", "embed": "encoders"}
"""The family of the plug-ins behind each service."""
_NEAR = 0.8
"""The least similarity to one of our names of a misspelling: `relation` is one, `translations` is not."""
Tables = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Configuration:
    """The project file, the options of each relation in it and its services, read once for a command."""

    path: Path
    tables: Tables
    services: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path) -> "Configuration":
        """The configuration in a file, which must exist unless it is the default one."""
        if Path(path) != Path(CONFIGURATION) and not Path(path).is_file():
            raise UserError(f"there is no configuration {path}. `concord tune` writes one")
        return cls(Path(path), read_configuration(path), read_services(path))

    def unused_thresholds(self, relations: Sequence[str]) -> list[str]:
        """Notes on the configured thresholds that runs of these relations do not use."""
        notes = []
        with self.named_in_errors(relations):
            for text in expanded(relations):
                typed = plugins.parse("relations", text)
                configured = configured_options(typed.name, self.tables)
                thresholds = configured.keys() & set(load_relation(typed.name).thresholds) - typed.options.keys()
                changed = _changed(typed, configured)
                notes += [
                    f"the configured {name} = {option_text(configured[name])} of {typed.name} is for other options than"
                    f" {', '.join(changed)}, and is not used. Name one: {text},{name}=…"
                    for name in thresholds
                    if changed
                ]
        return notes

    @contextlib.contextmanager
    def named_in_errors(self, relations: Iterable[str]) -> Iterator[None]:
        """Name the file in errors that may be due to options of these relations that only the file sets."""
        try:
            yield
        except UserError as error:
            for text in expanded(relations):
                options = self._untyped(text)
                if options and (isinstance(error, Missing) or _mentions(str(error), options)):
                    relation = text.partition(",")[0]
                    listed = ", ".join(f"{name} = {value}" for name, value in options.items())
                    raise UserError(
                        f"{error} ({self.path} has {listed} for {relation}; what the command says wins:"
                        f" --relation {relation},{next(iter(options))}=…)"
                    ) from None
            raise

    def _untyped(self, text: str) -> dict[str, str]:
        """The options of a relation that only the file sets."""
        typed = plugins.parse("relations", text)
        table = self.tables.get(typed.name, {})
        untyped = table.keys() - typed.options.keys()
        with contextlib.suppress(UserError):  # the file may have an option that the relation refuses
            untyped &= configured_relation(text, self.tables).options.keys()
        return {name: option_text(value) for name, value in table.items() if name in untyped}


def read_configuration(path: str | Path = CONFIGURATION) -> Tables:
    """The options of each relation in a file; none if the file does not exist."""
    path = Path(path)
    return _tables(path, parse_toml(path, toml_text(path, missing="")))


def read_gate(path: str | Path = CONFIGURATION) -> Mapping[str, Any]:
    """The rules of the table [gate] of a file; none if there is no such table or file."""
    path = Path(path)
    document = parse_toml(path, toml_text(path, missing=""))
    _tables(path, document)
    rules: Mapping[str, Any] = document.get(GATE, {})
    return rules


def read_services(path: str | Path = CONFIGURATION) -> dict[str, str]:
    """The plug-ins that the table [services] of a file names, by service; none if there is no such table or file."""
    path = Path(path)
    document = parse_toml(path, toml_text(path, missing=""))
    _tables(path, document)
    options = {OPTIONS[family].removeprefix("--"): service for service, family in FAMILIES.items()}
    services: dict[str, str] = {}
    for name, value in document.get(SERVICES, {}).items():
        if name not in options:
            raise UnknownName(f"service in {path}", name, options)
        texts = [f"{lang}={text}" for lang, text in value.items()] if isinstance(value, dict) else value
        texts = [texts] if isinstance(texts, str) else texts
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise UserError(f'{path}: [{SERVICES}] {name} names plug-ins, such as: {name}.zh = "NAME"')
        services[options[name]] = ";".join(texts)
    plugins.admit(*services.values())
    return services


def all_services(named: Mapping[str, str], config: str | Path | Configuration | None) -> dict[str, str]:
    """The services that a command names and, after them, those of the configuration."""
    configured = config.services if isinstance(config, Configuration) else read_services(config) if config else {}
    plugins.admit(*named.values())
    both = {
        service: joined(family, *(settings[service] for settings in (named, configured) if service in settings))
        for service, family in FAMILIES.items()
        if service in {*named, *configured}
    }
    return {**named, **both}


def chosen_plugins(named: Mapping[str, str], config: str | Path) -> dict[str, str]:
    """The same by family, for metrics and comparisons outside of runs; a plug-in that does not exist is refused."""
    services = all_services(named, config)
    for service, family in FAMILIES.items():
        check_setting(family, services.get(service, ""))
    return {family: services[service] for service, family in FAMILIES.items() if services.get(service)}


def configured_relation(text: str, tables: Tables) -> plugins.Spec:
    """The relation that a text describes, with the configured options that the text does not set."""
    typed = plugins.parse("relations", text)
    configured = configured_options(typed.name, tables)
    unused = load_relation(typed.name).thresholds if _changed(typed, configured) else ()
    used = {name: value for name, value in configured.items() if name not in unused}
    return plugins.Spec(typed.name, typed.argument, {**used, **typed.options})


def _mentions(message: str, options: Mapping[str, str]) -> bool:
    """Whether a message has the name or the value of one of the options."""
    words = (word for option in options.items() for word in option if word)
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) for word in words)


def configured_options(name: str, tables: Tables) -> Mapping[str, Any]:
    """The configured options of a relation; one that it does not have is refused."""
    try:
        return plugins.spec("relations", name, settings=tables.get(name, {})).options
    except UserError as error:
        raise UserError(f"[relations.{name}] of the configuration: {error}") from None


def _changed(typed: plugins.Spec, configured: Mapping[str, Any]) -> list[str]:
    """The options of a command, besides thresholds, that differ from the configured ones or else from the defaults."""
    usual = {parameter.name: parameter.default for parameter in plugins.options("relations", typed.name)}
    usual.update(configured)
    free = load_relation(typed.name).deciding().union(load_relation(typed.name).thresholds)
    return [
        f"{name}={option_text(value)}"
        for name, value in typed.options.items()
        if name not in free and option_text(value) != option_text(usual[name])
    ]


def write_configuration(path: str | Path, name: str, options: Mapping[str, Any], remarks: Mapping[str, str]) -> None:
    """Set options of a relation, some with a remark; everything else in the file stays as it is, comments too."""
    path = Path(path)
    text = toml_text(path, missing="")
    before = parse_toml(path, text)
    tables = _tables(path, before)
    # TOML has no null: an option that is not set is left out.
    present = {option: value for option, value in options.items() if value is not None}
    plain = {option: list(value) if isinstance(value, tuple) else value for option, value in present.items()}
    expected = {**tables, name: {**tables.get(name, {}), **plain}}
    # A new table among dotted keys would take in the keys that follow it.
    edits = (_edited(text, name, plain, remarks, inline=inline) for inline in (False, True))
    edited = next((edit for edit in edits if _has_tables(edit, expected, before)), None)
    if edited is None:
        lines = ", ".join(f"{option} = {option_text(value)}" for option, value in present.items())
        raise UserError(f"{path} cannot be edited safely: nothing was written. Set in [{TABLE}.{name}]: {lines}")
    with atomic_write(path) as part:
        part.write_text(edited, encoding="utf-8", newline="")


def _has_tables(text: str, relations: Tables, before: Mapping[str, Any]) -> bool:
    """Whether an edited text has these tables of relations and everything else as before."""
    try:
        after = parse_toml(Path(), text)
    except UserError:
        return False
    # Compared by their texts, since NaN is not equal to itself.
    foreign = [repr({name: value for name, value in tables.items() if name != TABLE}) for tables in (before, after)]
    return after.get(TABLE) == relations and foreign[0] == foreign[1]


def _edited(text: str, name: str, options: Mapping[str, Any], remarks: Mapping[str, str], *, inline: bool) -> str:
    """The text with these options; `inline` writes a new table as `{option = value}`."""
    import tomlkit
    from tomlkit.items import InlineTable

    document = tomlkit.parse(text.removeprefix(BOM))
    relations: Any = document.setdefault(TABLE, tomlkit.table(is_super_table=True))
    in_one_line = inline or isinstance(relations, InlineTable)
    table: Any = relations.setdefault(name, tomlkit.inline_table() if in_one_line else tomlkit.table())
    for option, value in options.items():
        table[option] = value
        if option in remarks and not isinstance(table, InlineTable) and not in_one_line:
            table[option].comment(remarks[option])
    return _like(text, tomlkit.dumps(document))


def _like(before: str, edited: str) -> str:
    """An edited text with the byte-order mark and the line ends that the file had."""
    ends = re.sub(r"(?<!\r)\n", "\r\n", edited) if "\r\n" in before else edited
    return BOM + ends if before.startswith(BOM) else ends


def _tables(path: Path, document: Mapping[str, Any]) -> Tables:
    for name, value in document.items():
        if name != TABLE and not (name in (GATE, SERVICES) and isinstance(value, dict)):
            _refuse_misspelt(path, name, value)
    tables = document.get(TABLE, {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise UserError(
            f"{path}: options stand in a table such as [relations.rtt], with lines such as: threshold = 0.4"
        )
    for name in tables:
        check_name(name, f"for {path} to configure")
        plugins.admit(*(str(value) for value in tables[name].values()))
    return tables


def _refuse_misspelt(path: Path, name: str, value: Any) -> None:
    """Refuse a top-level entry that is likely to be meant for us; any other belongs to another tool."""
    if not all(isinstance(entry, dict) for entry in (value if isinstance(value, list) else [value])):
        raise UserError(
            f"{path}: '{name}' stands outside of all tables, where nothing is read. Options stand in a table such as"
            " [relations.rtt]"
        )
    near = difflib.get_close_matches(
        name.lower(), (TABLE, GATE, SERVICES, *plugins.names("relations")), n=1, cutoff=_NEAR
    )
    if near:
        meant = near[0] if near[0] in (TABLE, GATE, SERVICES) else f"{TABLE}.{near[0]}"
        raise UserError(f"{path} has a table [{name}], which is not read. Did you mean [{meant}]?")
