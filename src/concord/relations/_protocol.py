"""The protocol of relations: every name that the module of a relation may define. Only this file reads them.

`check`        `async check(x, SERVICES, *, to, OPTIONS) -> list[Case]`: the method. Its positional parameters name the
               services that it asks: translate, rng, parse, analyse, depend, substitutes, embed, or sanity, which
               says why an answer is no translation. Its keyword-only parameters are options.
`compare`      `compare(source, follow_up, source_output, follow_up_output, *, OPTIONS) -> Case`: the published
               comparison of one pair, by which `concord judge` judges pairs of files.
`plan`         `plan(source, *, to, between, OPTIONS) -> Plan`: the directions and files that a run will need, and
               notes for its user. It raises UserError for what cannot work. By default: one direction.
`services`     `services(*, OPTIONS) -> {name: what is left out without it, or None}`: the services that are asked with
               these options; a service with None is indispensable. By default: all that `check` names, with None.
`thresholds`   `thresholds(*, OPTIONS) -> names`: which of several thresholds judge with these options.
`select`       `select(cases, *, OPTIONS) -> cases`: which of the judged cases of a text are kept. By default: all.
`construct`    `construct(x, tree, rng, *, OPTIONS) -> pairs`: what `concord phrases` lists.
`TRAITS`       a `concord.model.Traits`: everything else that the product must know.

Each function receives the options that it names. With `compares=True` in the traits, our comparator judges the cases
that `check` returns: their own suspicion becomes their score `paper`, and only the form `NAME:paper` has the options of
`compare`.
"""

import contextlib
import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random
from types import ModuleType
from typing import Annotated, Any

from concord import plugins
from concord.errors import MALFORMED, UnknownName, UserError
from concord.language.trees import Tree
from concord.model import FLAGS, ROLES, Case, Plan, RelationFacts, Text, Traits
from concord.options import Share
from concord.plugins import Parameter
from concord.relations._judgement import DEFAULT_THRESHOLD, Explain, explained
from concord.relations._plans import one_way

PAPER = "paper"
"""The form of a relation that is judged as published."""
SERVICES = frozenset({"parse", "analyse", "depend", "substitutes", "embed"})
EXPLAIN = "explain"
"""The service of the comparator."""
SANITY = "sanity"
"""The service that says why an answer is no translation. A relation that asks it sees failed answers, too."""
ALWAYS = ("translate", "rng", SANITY)
"""The services that every run has."""
SIDES = ("source", "target")
Check = Callable[..., Coroutine[Any, Any, list[Case]]]
Limit = Annotated[Share, "Largest suspicion, the probability of an error, that is not flagged."]


def load_relation(name: str | ModuleType) -> "RelationForm":
    """The relation of a name such as `rti` or `rti:paper`, or of a module."""
    if isinstance(name, ModuleType):
        return RelationForm(name.__name__.rpartition(".")[2], name)
    base, _, form = name.partition(":")
    relation = RelationForm(name, plugins.load("relations", base))
    plugins.entry("relations", base)
    if not inspect.iscoroutinefunction(relation.check):
        raise UserError(f"{name}: check is a coroutine function: write async def check")
    has_paper = relation.traits.paper is not None
    if ":" in name and (form != PAPER or not has_paper):
        choices = f"{base} or {base}:{PAPER}" if has_paper else f"{base}, which has no other form"
        raise UserError(f"there is no relation '{name}'. Choose {choices}")
    return relation


def check_name(name: str, purpose: str, *also: str) -> None:
    """Refuse what is neither a relation that is installed, nor one of its forms, nor a file."""
    base = name.partition(":")[0]
    if base not in plugins.names("relations") and not base.endswith(".py"):
        raise UnknownName(f"relation {purpose}", name, [*also, *plugins.names("relations")])
    if ":" in name and not base.endswith(".py"):
        load_relation(name)


@dataclass(frozen=True)
class RelationForm:
    """A relation in one of its forms: judged by our comparator or as published."""

    name: str
    module: ModuleType

    @property
    def check(self) -> Check:
        """The method."""
        check: Check = self.module.check
        return check

    @cached_property
    def traits(self) -> Traits:
        traits = getattr(self.module, "TRAITS", Traits())
        if not isinstance(traits, Traits):
            raise UserError(f"{self.name}: TRAITS is a concord.Traits, not {traits!r}")
        if traits.operator not in FLAGS:
            raise UserError(
                f"{self.name}: the operator cannot be {traits.operator!r}. Choose one of: {', '.join(FLAGS)}"
            )
        if not isinstance(traits.parses, tuple) or not set(traits.parses) <= set(SIDES):
            raise UserError(f"{self.name}: parses is a tuple of 'source' and 'target', not {traits.parses!r}")
        return traits

    @property
    def base(self) -> str:
        """The name without the form."""
        return self.name.partition(":")[0]

    @property
    def published(self) -> bool:
        """Whether this is the form `NAME:paper`."""
        return self.name.endswith(f":{PAPER}")

    @property
    def compares(self) -> bool:
        """Whether our comparator judges."""
        return self.traits.compares and not self.published

    @property
    def repetitions(self) -> int:
        """How often each check is repeated unless the user says otherwise."""
        return self.traits.repetitions if self.published else 1

    @property
    def thresholds(self) -> tuple[str, ...]:
        """The options that judge cases; nothing that is asked depends on them."""
        return ("threshold",) if self.compares else self.traits.thresholds

    @cached_property
    def options(self) -> list[Parameter]:
        """The options that a user may set."""
        own = plugins.parameters(self.check)
        if self.published:
            free = [option for option in own if option.name not in (self.traits.paper or {})]
            return [replace(option, default=self.traits.published.get(option.name, option.default)) for option in free]
        if not self.compares:
            return own
        return [
            *(option for option in own if option.name not in self._compare_options),
            *plugins.parameters(_comparator),
        ]

    @cached_property
    def _compare_options(self) -> frozenset[str]:
        """The options of the module's `compare`, which is the published comparison."""
        compare = getattr(self.module, "compare", None)
        return frozenset(option.name for option in plugins.parameters(compare)) if compare else frozenset()

    def arguments(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The options of `check` for the settings of a run."""
        own = {name: value for name, value in settings.items() if not (self.compares and name == "threshold")}
        return {**self._fixed, **own}

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        """The options of `check` that users of this form cannot set."""
        if self.published:
            return dict(self.traits.paper or {})
        hidden = {option.name: option.default for option in plugins.parameters(self.check)}
        return {name: value for name, value in hidden.items() if self.compares and name in self._compare_options}

    @cached_property
    def asks(self) -> list[str]:
        """The services that `check` names, in its order, `translate` and `rng` among them."""
        parameters = inspect.signature(self.check).parameters.values()
        return [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD][1:]

    def services(self, settings: Mapping[str, Any]) -> dict[str, str | None]:
        """The services besides those of every run that a run asks, each with what is left out without it."""
        every = dict.fromkeys(name for name in self.asks if name not in ALWAYS)
        needed = self._call("services", settings) if hasattr(self.module, "services") else every
        if unknown := {*every, *needed} - SERVICES:
            raise UserError(
                f"{self.name}: there is no service '{min(unknown)}'."
                f" Services: {', '.join((*ALWAYS, *sorted(SERVICES)))}"
            )
        services: dict[str, str | None] = {name: needed[name] for name in every if name in needed}
        return services | ({EXPLAIN: None} if self.compares else {})

    @property
    def compares_backward(self) -> bool:
        """Whether the comparator reads translations from the target language into the source language."""
        return self.traits.langs[ROLES.index(self.traits.compared[2])] == "source"

    def parsed(self, source: str, target: str) -> tuple[str, ...]:
        """The languages whose texts are parsed."""
        return tuple(dict.fromkeys(source if side == "source" else target for side in self.traits.parses))

    def plan(self, source: str, to: str, between: Callable[..., Sequence[str]], settings: Mapping[str, Any]) -> Plan:
        """What a run will need."""
        if not hasattr(self.module, "plan"):
            return one_way(source, to)
        plan: Plan = self._call("plan", {**settings, "to": to, "between": between}, source)
        return plan

    async def judged(self, cases: Iterable[Case], explain: Explain | None, settings: Mapping[str, Any]) -> list[Case]:
        """The cases of a text, judged by the comparator if this form has it, and selected by the relation."""
        cases = list(cases)
        if explain is not None and self.compares:
            threshold = settings.get("threshold", DEFAULT_THRESHOLD)
            cases = await explained(cases, explain, threshold, self.traits.compared)
        return list(self._call("select", settings, cases)) if hasattr(self.module, "select") else cases

    @property
    def selects(self) -> bool:
        """Whether `judged` changes the cases that `check` returns."""
        return self.compares or hasattr(self.module, "select")

    def comparison(self, settings: Mapping[str, Any]) -> Callable[[Text, Text, Text, Text], Case]:
        """The published comparison of one pair, with its options set."""
        if not hasattr(self.module, "compare"):
            raise UserError(f"the relation '{self.name}' cannot judge a pair by itself: its verdict needs more texts")
        return partial(self._call, "compare", settings)

    def construct(self, x: Text, tree: Tree, rng: Random, settings: Mapping[str, Any]) -> list[Any]:
        """The pairs that a text is tested with; nothing is translated."""
        if not hasattr(self.module, "construct"):
            raise UserError(f"the relation '{self.name}' has no phrases: it translates whole texts")
        return list(self._call("construct", settings, x, tree, rng))

    def deciding(self) -> frozenset[str]:
        """The options that say which of several thresholds judge."""
        thresholds = getattr(self.module, "thresholds", None)
        return frozenset(_keywords(thresholds)) if thresholds else frozenset()

    def facts(self, settings: Mapping[str, Any]) -> RelationFacts:
        """The properties of the relation with these settings, as the record of a run has them."""
        judging: Iterable[str] = self.thresholds
        if hasattr(self.module, "thresholds"):
            with contextlib.suppress(*MALFORMED):  # a damaged run may lack the option that says which
                judging = self._call("thresholds", settings)
        names = [name for name in settings if name in judging and isinstance(settings[name], int | float | None)]
        return RelationFacts(
            distinct=self.traits.distinct,
            answered=self.traits.answered,
            thresholds=self.thresholds,
            judging=tuple(names),
            operator=self.traits.operator,
            worse_when_higher=self.traits.worse_when_higher,
            better_when_higher=(*plugins.names("metrics"), *plugin_files(settings)),
        )

    def _call(self, name: str, settings: Mapping[str, Any], *positional: Any) -> Any:
        """Call a function of the module with the options that it names."""
        function = getattr(self.module, name)
        keywords = _keywords(function)
        options = self.arguments(settings) if name != "select" else {**self._fixed, **settings}
        return function(*positional, **{option: value for option, value in options.items() if option in keywords})


def plugin_files(settings: Mapping[str, Any]) -> list[str]:
    """The plug-ins among the settings that are files of the user, without their options."""
    values = [item for value in settings.values() for item in (value if isinstance(value, tuple | list) else [value])]
    names = [value.partition(":")[0] for value in values if isinstance(value, str)]
    return [name for name in names if name.endswith(".py")]


def _keywords(function: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


def _comparator(*, threshold: Limit = DEFAULT_THRESHOLD) -> None:
    """The options that a relation has where our comparator judges."""
