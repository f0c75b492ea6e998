"""`concord.toml`: default options of relations, used where the command line does not set them.

    [relations.rtt]
    threshold = 0.42

A table for each relation, with its options. Options on the command line take precedence. A threshold belongs to the
other options in its table: a command that changes one of those does not use it.

The table `[gate]` has the rules of `concord gate`, and in `[gate.max]` the limits of relations:

    [gate]
    no_new = true
    accepted = "accepted.jsonl"
    [gate.max]
    rti = 0.05

Other tables are those of other tools, or of later versions, and are passed over, unless their names are so near to
`relations` or `gate`, or to the name of a relation, that they are likely to be meant for us.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord import plugins
from concord.atomic import atomic_write
from concord.errors import CONFIGURATION, Missing, UnknownName, UserError
from concord.relations._protocol import load_relation
from concord.signature import option_text
from concord.toml_file import BOM, parse_toml, toml_text

TABLE = "relations"
GATE = "gate"
_NEAR = 0.8
"""How alike a name must be to one of ours to be taken for a misspelling: `relation` is, `translations` is not."""
Tables = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file and the options of each relation in it, read once for a command."""

    path: Path
    tables: Tables

    @classmethod
    def read(cls, path: str | Path) -> Configuration:
        """The configuration of a file, which must be there if it is not the usual one."""
        if Path(path) != Path(CONFIGURATION) and not Path(path).is_file():
            raise UserError(f"there is no configuration {path}. `concord tune` writes one")
        return cls(Path(path), read_configuration(path))

    def unused_thresholds(self, relations: Sequence[str]) -> list[str]:
        """What to tell the user of configured thresholds that runs of these relations leave out."""
        with self.named(relations):
            return left_out(relations, self.tables)

    @contextlib.contextmanager
    def named(self, relations: Iterable[str]) -> Iterator[None]:
        """Have an error that may come of options that the file has for these relations, and nobody typed, name it."""
        try:
            yield
        except UserError as error:
            for text in relations:
                told = self._untyped(text)
                if told and (isinstance(error, Missing) or _names(str(error), told)):
                    name, listed = (
                        text.partition(",")[0],
                        ", ".join(f"{name} = {value}" for name, value in told.items()),
                    )
                    raise UserError(
                        f"{error} ({self.path} has {listed} for {name}; what the command says wins:"
                        f" --relation {name},{next(iter(told))}=…)"
                    ) from None
            raise

    def _untyped(self, text: str) -> dict[str, str]:
        """The options of a relation that only the file has."""
        given = plugins.parse("relations", text)
        told = self.tables.get(given.name, {})
        unsaid = told.keys() - given.options.keys()
        with contextlib.suppress(UserError):  # an option of the file that the relation refuses is among them
            unsaid &= relation(text, self.tables).options.keys()
        return {name: option_text(value) for name, value in told.items() if name in unsaid}


def read_configuration(path: str | Path = CONFIGURATION) -> Tables:
    """The options of each relation in a file; none where there is no such file."""
    path = Path(path)
    return _tables(path, parse_toml(path, toml_text(path, missing="")))


def read_gate(path: str | Path = CONFIGURATION) -> Mapping[str, Any]:
    """The rules of the table [gate] of a file; none where there is no such table or file."""
    path = Path(path)
    every = parse_toml(path, toml_text(path, missing=""))
    _tables(path, every)
    found: Mapping[str, Any] = every.get(GATE, {})
    return found


def relation(text: str, tables: Tables) -> plugins.Spec:
    """The relation that a text describes, with the configured options that it does not name itself."""
    given = plugins.parse("relations", text)
    told = told_by(given.name, tables)
    left = load_relation(given.name).thresholds if _changed(given, told) else ()
    used = {name: value for name, value in told.items() if name not in left}
    return plugins.Spec(given.name, given.argument, {**used, **given.options})


def left_out(texts: Iterable[str], tables: Tables) -> list[str]:
    """What to tell the user of configured thresholds that `relation` leaves out for these relations."""
    found = []
    for text in texts:
        given = plugins.parse("relations", text)
        told = told_by(given.name, tables)
        changed = _changed(given, told)
        for name in told.keys() & set(load_relation(given.name).thresholds) - given.options.keys() if changed else ():
            found.append(
                f"the configured {name} = {option_text(told[name])} of {given.name} is for other options than"
                f" {', '.join(changed)}, and is not used. Name one: {text},{name}=…"
            )
    return found


def _names(words: str, told: Mapping[str, str]) -> bool:
    """Whether one of the options, or what it is set to, is spoken of."""
    return any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", words) for pair in told.items() for each in pair if each)


def told_by(name: str, tables: Tables) -> Mapping[str, Any]:
    """The configured options of a relation, known to be such as it has."""
    try:
        return plugins.spec("relations", name, settings=tables.get(name, {})).options
    except UserError as error:
        raise UserError(f"[relations.{name}] of the configuration: {error}") from None


def _changed(given: plugins.Spec, told: Mapping[str, Any]) -> list[str]:
    """The options of a command, besides thresholds, that differ from the configured ones or else the defaults."""
    usual = {parameter.name: parameter.default for parameter in plugins.options("relations", given.name)}
    usual.update(told)
    free = load_relation(given.name).deciding().union(load_relation(given.name).thresholds)
    return [
        f"{name}={option_text(value)}"
        for name, value in given.options.items()
        if name not in free and option_text(value) != option_text(usual[name])
    ]


def write_configuration(path: str | Path, name: str, options: Mapping[str, Any], remarks: Mapping[str, str]) -> None:
    """Set options of a relation, some with a remark; everything else in the file stays as it is, comments too."""
    path = Path(path)
    text = toml_text(path, missing="")
    before = parse_toml(path, text)
    tables = _tables(path, before)
    # TOML has no word for an option that is not set; leaving it out says the same.
    given = {option: value for option, value in options.items() if value is not None}
    plain = {option: list(value) if isinstance(value, tuple) else value for option, value in given.items()}
    wanted = {**tables, name: {**tables.get(name, {}), **plain}}
    # A new table may not stand among dotted keys, where it would take in those that follow it.
    edits = (_edited(text, name, plain, remarks, inline=inline) for inline in (False, True))
    edited = next((edit for edit in edits if _says(edit, wanted, before)), None)
    if edited is None:
        lines = ", ".join(f"{option} = {option_text(value)}" for option, value in given.items())
        raise UserError(f"{path} cannot be edited safely: nothing was written. Set in [{TABLE}.{name}]: {lines}")
    with atomic_write(path) as part:
        part.write_text(edited, encoding="utf-8", newline="")


def _says(text: str, relations: Tables, before: Mapping[str, Any]) -> bool:
    """Whether an edited text has these tables of relations, and everything else as it was."""
    try:
        after = parse_toml(Path(), text)
    except UserError:
        return False
    # By their texts: what is not a number is not equal to itself.
    others = [{name: value for name, value in each.items() if name != TABLE} for each in (before, after)]
    return after.get(TABLE) == relations and repr(others[0]) == repr(others[1])


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
    """An edited text with the mark and the ends of lines that the file had."""
    ends = re.sub(r"(?<!\r)\n", "\r\n", edited) if "\r\n" in before else edited
    return BOM + ends if before.startswith(BOM) else ends


def _tables(path: Path, found: Mapping[str, Any]) -> Tables:
    for name, value in found.items():
        if name != TABLE and not (name == GATE and isinstance(value, dict)):
            _foreign(path, name, value)
    tables = found.get(TABLE, {})
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise UserError(
            f"{path}: options stand in a table such as [relations.rtt], with lines such as: threshold = 0.4"
        )
    for name in tables:
        if name.partition(":")[0] not in plugins.names("relations"):
            raise UnknownName(f"relation for {path} to configure", name, plugins.names("relations"))
    return tables


def _foreign(path: Path, name: str, value: Any) -> None:
    """Refuse what is at the top of the file and likely to be meant for us; anything else is none of our business."""
    if not all(isinstance(each, dict) for each in (value if isinstance(value, list) else [value])):
        raise UserError(
            f"{path}: '{name}' stands outside of all tables, where nothing is read. Options stand in a table such as"
            " [relations.rtt]"
        )
    near = difflib.get_close_matches(name.lower(), (TABLE, GATE, *plugins.names("relations")), n=1, cutoff=_NEAR)
    if near:
        meant = near[0] if near[0] in (TABLE, GATE) else f"{TABLE}.{near[0]}"
        raise UserError(f"{path} has a table [{name}], which is not read. Did you mean [{meant}]?")
