"""Plug-ins: the file's name is the plug-in's name.

Built-in plug-ins are the files of a package, found without importing them. Guests are files that users name by their
path (`./my_relation.py`), or packages with entry points in the groups `concord.relations`, `concord.translators`,
`concord.metrics` and so on, one for each of FAMILIES. The options of a plug-in are the keyword-only parameters of its
one function or class: the annotation of a parameter has its type, its range and one sentence of help.
"""

import dataclasses
import functools
import hashlib
import importlib
import inspect
import math
import re
import sys
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any

from concord.errors import UnknownName, UserError
from concord.model import Limits, Metric, Price, System
from concord.options import Constraint
from concord.signature import option_text
from concord.toml_file import read_toml


@dataclass(frozen=True, slots=True)
class Family:
    """Plug-ins of one kind: what one is called, the package that holds those built in, and what makes a plug-in."""

    singular: str
    package: str
    entries: tuple[str, ...]


FAMILIES = {
    "relations": Family("relation", "relations", ("check",)),
    "translators": Family("translator", "translators", ("Translator",)),
    "metrics": Family("metric", "metrics", ("similarity", "distance")),
    "parsers": Family("parser", "language.parse", ("Parser",)),
    "substitutes": Family("source of substitutes", "language.substitutes", ("Substitutes",)),
    "encoders": Family("encoder", "language.embed", ("Encoder",)),
}
RECOMMENDED = "recommended"
"""Stands for a set wherever relations are named."""
GIVEN_BY_THE_RUN = frozenset({"to"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One option of a plug-in: its type, its default, which values it may have, and what it means."""

    name: str
    kind: Any
    default: Any
    constraints: tuple[Constraint, ...] = ()
    help: str = ""

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def read(self, plugin: str, value: Any) -> Any:
        """The value as the option's type, from text or from Python; refused if it cannot be that."""
        read = coerce(f"{plugin}: {self.name}", value, self.kind)
        for constraint in self.constraints:
            if not constraint.accepts(read):
                raise UserError(f"{plugin}: {self.name} cannot be '{option_text(read)}': {constraint} is expected")
        return read


@dataclass(frozen=True, slots=True)
class Spec:
    """A plug-in and what it is told, as plain data: `name:argument,option=value`."""

    name: str
    argument: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    optional: bool = False
    """Whether a relation is left out, with a note, where a pair of languages cannot have it."""

    def __str__(self) -> str:
        argument = f":{self.argument}" if self.argument else ""
        return f"{self.name}{argument}" + "".join(
            f",{name}={option_text(value)}" for name, value in self.options.items()
        )


def names(family: str) -> list[str]:
    """Every plug-in of the family, built in or guest."""
    return sorted({*_built_in(family), *entry_points(group=f"concord.{family}").names})


def load(family: str, name: str) -> ModuleType:
    """The plug-in's module; only this imports it."""
    name = name.partition(":")[0]  # a form of a relation is of the relation's module
    if name.endswith(".py"):
        return _named_file(Path(name).absolute())
    if name in _built_in(family):
        return importlib.import_module(f"concord.{FAMILIES[family].package}.{name}")
    guest = next(iter(entry_points(group=f"concord.{family}", name=name)), None)
    if guest is None and (family, name) == ("relations", RECOMMENDED):
        raise UserError(
            f"'{name}' is a set of relations, which takes no options. `concord relations` marks its members"
        )
    if guest is None:
        raise UnknownName(FAMILIES[family].singular, name, names(family))
    return _load_guest(guest)


_ADMITTED: set[Path] = set()
"""The files that a user has named. A path that data or a workspace name loads nothing."""


def admit(*texts: str) -> None:
    """Allow the Python files that a user names in these texts to be loaded."""
    _ADMITTED.update(Path(found).absolute() for text in texts for found in re.findall(r"[^\s,:=]+\.py", text))


def _named_file(path: Path) -> ModuleType:
    """The module of a user's own file, anew if the file has changed."""
    if path not in _ADMITTED:
        raise UserError(f"{path} is not loaded, as nobody has named it in this command: a plug-in file runs its code")
    if not path.is_file():
        raise UserError(f"there is no file {path}. A plug-in is named, or given as the path of a Python file")
    return _load_file(path, path.read_bytes())


def fingerprint(path: str | Path) -> str:
    """A hash of a file's content, for signatures."""
    return _digest(Path(path).read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=4).hexdigest()


@functools.cache
def _load_file(path: Path, content: bytes) -> ModuleType:
    # Compiled here: of an edit within the same second, Python would take the bytecode of before.
    module = ModuleType(f"concord.guests.{_digest(content)}.{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up by its name
    try:
        exec(compile(content, path, "exec"), vars(module))
    except Exception as error:  # a stranger's module can fail in any way
        del sys.modules[module.__name__]
        raise UserError(f"{path} cannot be loaded ({type(error).__name__}: {error})") from error
    return module


def _load_guest(guest: EntryPoint) -> ModuleType:
    try:
        return typing.cast(ModuleType, guest.load())
    except Exception as error:  # a stranger's module can fail in any way
        package = guest.dist.name if guest.dist else "the package that brings it"
        why = f"{type(error).__name__}: {error}"
        raise UserError(
            f"the plug-in '{guest.name}' of {package} cannot be loaded ({why}). Reinstall {package}"
        ) from error


def entry(family: str, name: str) -> Callable[..., Any]:
    """The one function or class that makes the module a plug-in."""
    module = load(family, name)
    for attribute in FAMILIES[family].entries:
        if hasattr(module, attribute):
            return typing.cast(Callable[..., Any], getattr(module, attribute))
    raise UserError(
        f"the {FAMILIES[family].singular} '{name}' is not a plug-in: its module has no"
        f" {' or '.join(FAMILIES[family].entries)}"
    )


def purpose(family: str, name: str) -> str:
    """The first sentence of the plug-in's documentation."""
    return documentation(family, name).split("\n\n")[0].replace("\n", " ")


def documentation(family: str, name: str) -> str:
    """Everything that the plug-in says of itself."""
    return inspect.getdoc(load(family, name)) or ""


def options(family: str, name: str) -> list[Parameter]:
    """The options of a plug-in; a family whose plug-ins have several forms says itself which a form has."""
    package = importlib.import_module(f"concord.{FAMILIES[family].package}")
    if hasattr(package, "options"):
        return typing.cast(list[Parameter], package.options(name))
    return parameters(entry(family, name))


def parameters(target: Callable[..., Any]) -> list[Parameter]:
    """The keyword-only parameters that a user may set."""
    target = target.__init__ if inspect.isclass(target) else target
    written = target.func if isinstance(target, functools.partial) else target
    try:
        hints = typing.get_type_hints(written, include_extras=True)
    except (NameError, TypeError) as error:
        raise UserError(f"{written.__module__}: an annotation of an option cannot be read ({error})") from error
    keywords = [
        p
        for p in inspect.signature(target).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name not in GIVEN_BY_THE_RUN
    ]
    described = [_parameter(p.name, hints.get(p.name, _kind_of(p.default)), p.default) for p in keywords]
    return [parameter for parameter in described if _writable(parameter.kind)]


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    metadata = getattr(hint, "__metadata__", ())
    return Parameter(
        name,
        _settable(hint.__origin__ if metadata else hint),
        default,
        tuple(item for item in metadata if isinstance(item, Constraint)),
        next((item for item in metadata if isinstance(item, str)), ""),
    )


def _kind_of(default: Any) -> Any:
    """The type of an option that says nothing of it."""
    if default is inspect.Parameter.empty or default is None:
        return str
    if isinstance(default, tuple):
        kind = type(default[0]) if default else str
        return tuple[kind, ...]  # type: ignore[valid-type]
    return type(default)


def _settable(kind: Any) -> Any:
    """What a user who sets an option may say: of `float | None`, which stands for "not set" as well, a float."""
    choices = [choice for choice in typing.get_args(kind) if choice is not type(None)]
    return choices[0] if isinstance(kind, UnionType) and len(choices) == 1 else kind


def parse(family: str, text: str) -> Spec:
    """Read `name:argument,option=value`; values become what the signature asks for.

    What follows the colon is an argument of the plug-in, or the form of a relation, which belongs to its name.
    """
    head = re.match(r"[^:,]*(:[^,]*)?" if family == "relations" else r"[^:,]*", text)
    name = head.group() if head else ""
    return spec(family, name, *_split(name, text[len(name) :], {p.name for p in options(family, name)}))


def spec(family: str, name: str, argument: str | None = None, settings: Mapping[str, Any] | None = None) -> Spec:
    """A spec with its options checked against the plug-in's signature."""
    known = {p.name: p for p in options(family, name)}
    if known.pop("argument", None) is None and argument is not None:
        raise UserError(f"the {FAMILIES[family].singular} '{name}' takes no argument, but was given '{argument}'")
    checked = {}
    for option, value in (settings or {}).items():
        if option not in known:
            raise UnknownName(f"option of {name}", option, known)
        checked[option] = known[option].read(name, value)
    return Spec(name, argument or "", checked)


def settings(family: str, chosen: Spec) -> dict[str, Any]:
    """Every option of the plug-in with the value it has in this spec, defaults included."""
    known = {p.name: p for p in options(family, chosen.name)}
    argument = known.pop("argument", None)
    missing = [p.name for p in known.values() if p.required and p.name not in chosen.options]
    if missing or (argument and argument.required and not chosen.argument):
        template = f"{chosen.name}:{chosen.argument or '…'}" if argument else chosen.name
        template += "".join(f",{name}=…" for name in missing)
        raise UserError(f"{chosen.name} must be told: {', '.join(missing) or 'its argument'}. Write: {template}")
    return {name: chosen.options.get(name, p.default) for name, p in known.items()}


def create(family: str, chosen: Spec, **services: Any) -> Any:
    """The plug-in that a spec describes, with what only the engine can give it."""
    settings(family, chosen)  # refuses a spec that lacks an option
    argument = {"argument": chosen.argument} if chosen.argument else {}
    return entry(family, chosen.name)(**argument, **chosen.options, **services)


def system(text: str) -> System:
    """The system that a text such as `apertium` or `faulty:apertium,rate=0.2` describes, or a file `my-model.toml`."""
    made = _described_by(Path(text)) if text.endswith(".toml") else _made(parse("translators", text))
    made.given = text
    return made


def _described_by(file: Path) -> System:
    """A file says `translator = "command"`, its `argument` and options, and under which `name` to report it.

    A table `[limits]` sets what the user's plan or server bears, in place of the adapter's own limits, and
    `price` and `currency` what a million characters cost.
    """
    facts = read_toml(file)
    limits, price = facts.pop("limits", {}), facts.pop("price", None)
    if "translator" not in facts:
        raise UserError(f'{file} must say which translator it is about, such as: translator = "command"')
    translator = _text(file, "translator", facts.pop("translator"))
    admit(translator)
    name = _text(file, "name", facts.pop("name", file.stem))
    argument, currency = (
        _text(file, key, facts.pop(key)) if key in facts else None for key in ("argument", "currency")
    )
    chosen = spec("translators", translator, argument, facts)
    made = _made(chosen)
    # The name is for people; what tells one configuration from another must stand in the id as well.
    made.id = f"{name}#{hashlib.blake2b(str(chosen).encode(), digest_size=3).hexdigest()}"
    made.limits = _limited(file, made.limits, limits)
    if price is not None:
        made.price = _priced(file, price, currency)
    return made


def _text(file: Path, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{file}: {name} is a text that is not empty, not {value!r}")
    return value


def _priced(file: Path, price: Any, currency: str | None) -> Price:
    if not currency:
        raise UserError(f'{file}: a price needs its currency, such as: currency = "EUR"')
    return Price(0.0 if price == 0 else _positive(file, "price", price), currency, "", str(file))


def _limited(file: Path, own: Limits, limits: Any) -> Limits:
    limit_names = [limit.name for limit in dataclasses.fields(Limits)]
    if not isinstance(limits, dict):
        raise UserError(f"{file}: limits is a table, written as [limits] with a line such as: per_second = 5")
    for name, value in limits.items():
        if name not in limit_names:
            raise UnknownName("limit", name, limit_names)
        _positive(file, name, value, whole=name not in ("seconds", "per_second", "throttled_for"))
    return dataclasses.replace(own, **limits)


def _positive(file: Path, name: str, value: Any, *, whole: bool = False) -> float:
    kinds = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 < value < math.inf:
        raise UserError(f"{file}: {name} is a {'whole ' * whole}number above 0, not {value!r}")
    return value


def _made(chosen: Spec) -> System:
    made = create("translators", chosen)
    if not isinstance(made, System):
        raise UserError(f"the translator '{chosen.name}' is not a plug-in: its Translator is not a concord.System")
    made.id = made.id or str(chosen)
    made.account = made.account or chosen.name
    if chosen.name.endswith(".py") and type(made).version is System.version:
        content = fingerprint(chosen.name)
        made.version = lambda source, target: content  # type: ignore[method-assign]
    return made


def metric(text: str) -> tuple[ModuleType, dict[str, Any]]:
    """The metric and the options that a text such as `bleu:variant=paper` names."""
    name, *written = text.split(":")
    chosen = spec("metrics", name, settings=_once(name, [option.partition("=")[::2] for option in written]))
    settings("metrics", chosen)  # refuses a metric that lacks an option
    return load("metrics", name), dict(chosen.options)


def coerce(where: str, value: Any, kind: Any) -> Any:
    """The value as the annotated type, from text or from Python."""
    origin = typing.get_origin(kind)
    if kind is Metric:
        metric(str(value))
        return str(value)
    if origin is typing.Literal:
        choices = typing.get_args(kind)
        if value not in choices:
            raise UserError(f"{where} cannot be '{value}'. Choose one of: {', '.join(map(str, choices))}")
        return value
    if origin is tuple and isinstance(value, str | list | tuple):
        items = value.split(",") if isinstance(value, str) else value
        made = tuple(coerce(where, item, typing.get_args(kind)[0]) for item in items if item != "")
        if not made and typing.get_args(kind)[0] is Metric:
            raise UserError(f"{where} must name at least one metric of: {', '.join(names('metrics'))}")
        return made
    if kind is bool:
        if str(value).lower() not in {"true", "false"}:
            raise UserError(f"{where} cannot be '{value}'. Choose one of: true, false")
        return str(value).lower() == "true"
    try:
        # Python would take true for 1, 2.5 for 2 and a list for a text.
        fraction = kind is int and isinstance(value, float) and not value.is_integer()
        if fraction or origin is tuple or isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        made = kind(value)
    except (ValueError, OverflowError):
        raise UserError(f"{where} cannot be '{value}': a value of type {type_name(kind)} is expected") from None
    if isinstance(made, float) and not math.isfinite(made):
        raise UserError(f"{where} cannot be '{value}': a finite number is expected")
    return made


def type_name(kind: Any) -> str:
    """A type as users read it: `number`, `a|b|c`, `text,…`."""
    if typing.get_origin(kind) is typing.Literal:
        return "|".join(map(str, typing.get_args(kind)))
    if typing.get_origin(kind) is tuple:
        return f"{type_name(typing.get_args(kind)[0])},…"
    return {Metric: "metric", str: "text", int: "integer", float: "number", bool: "true|false"}[kind]


def _split(plugin: str, rest: str, known: Collection[str]) -> tuple[str | None, dict[str, str]]:
    """Argument and options. An argument may hold commas: only a known option's name ends it."""
    has_argument = rest.startswith(":")
    bounds = [m for m in re.finditer(r",(\w+)=", rest) if not has_argument or m.group(1) in known]
    head = rest[: bounds[0].start()] if bounds else rest
    if not has_argument and head:
        raise UserError(f"options are written as ,name=value; '{head.strip(',') or head}' is not")
    ends = [m.start() for m in bounds[1:]] + [len(rest)]
    settings = _once(plugin, [(m.group(1), rest[m.end() : end]) for m, end in zip(bounds, ends, strict=False)])
    return head[1:] if has_argument else None, settings


def _once(plugin: str, pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Options with their values; refused if an option is given twice."""
    settings = dict(pairs)
    if len(settings) < len(pairs):
        twice = next(name for name in settings if [name for name, _ in pairs].count(name) > 1)
        raise UserError(f"{plugin}: {twice} is given twice")
    return settings


def _writable(kind: Any) -> bool:
    """Whether a value of this type can be written on a command line."""
    if typing.get_origin(kind) is typing.Literal:
        return True
    if typing.get_origin(kind) is tuple:
        return _writable(typing.get_args(kind)[0])
    return kind in (Metric, str, int, float, bool)


def _built_in(family: str) -> list[str]:
    if family not in FAMILIES:
        raise UnknownName("family of plug-ins", family, FAMILIES)
    folder = Path(__file__).parent.joinpath(*FAMILIES[family].package.split("."))
    # `iterdir` raises where `pkgutil` would find nothing, such as without a descriptor to spare.
    modules = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return [path.stem for path in modules if not path.name.startswith("_")]
