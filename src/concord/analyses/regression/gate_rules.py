"""The rules of a gate: limits by relation, no worse than an earlier run, no new finding, few errors, sane answers."""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concord.analyses.regression.run_pairs import RunPair, paired, side
from concord.errors import UnknownName, UserError
from concord.language.sanity import SANE
from concord.plural import plural
from concord.relations._protocol import check_name
from concord.runs.config import read_gate
from concord.runs.select import Chosen, select
from concord.store import RunRecord, Workspace
from concord.store.insane_answers import sane_runs

EVERY = "*"
"""Stands for every relation."""
_HOW = "a share such as 0.05 or 5%, or a number of cases such as 3"


@dataclass(frozen=True, slots=True)
class Limit:
    """How many cases of a relation may be flagged: a proportion (`share`), or a number."""

    relation: str
    most: float
    share: bool

    def __str__(self) -> str:
        return f"{100 * self.most:g} %" if self.share else plural(self.most, "case")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that must hold. With `upper`, a limit applies to the upper end of Wilson's interval.

    `no_worse_than` names earlier runs: the rule fails if the sentences are significantly worse than in these (`alpha`)
    and by at least `min_difference` of the sentences. `no_new` allows no finding that these runs do not have or,
    without such runs, none that is not accepted. `max_insane` is the largest share of a system's sentences with an
    answer that is not sane, by default `LARGEST_SHARE`; there is no gate without that rule.
    """

    limits: tuple[Limit, ...] = ()
    upper: bool = False
    no_worse_than: str = ""
    no_new: bool = False
    alpha: float = 0.05
    min_difference: float = 0.0
    max_errors: float | None = None
    max_insane: float | None = None
    accepted: str = ""

    def __post_init__(self) -> None:
        for name in ("alpha", "min_difference", "max_errors", "max_insane"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise UserError(f"{name} is a share from 0 to 1, not {value:g}")

    @property
    def any(self) -> bool:
        is_share = self.max_errors is not None or self.max_insane is not None
        return bool(self.limits or self.no_worse_than or self.no_new or is_share)

    def limit(self, relation: str) -> Limit | None:
        """The limit for a relation: its own before the one for every relation."""
        by_relation = {limit.relation: limit for limit in reversed(self.limits)}
        return by_relation.get(relation) or by_relation.get(EVERY)


def limit(relation: str, value: Any) -> Limit:
    """A limit as it is written: `0.05` and `"5%"` are shares, `3` is a number of cases.

    >>> print(limit("rti", "5%"), limit("rti", 3), sep=", ")
    5 %, 3 cases
    """
    if relation != EVERY:
        check_name(relation, "to limit", EVERY)
    written = f"{value:.12f}" if isinstance(value, float) else str(value).replace(" ", "")
    if re.fullmatch(r"\d{1,12}", written):
        return Limit(relation, int(written), share=False)
    match = re.fullmatch(r"(\d{1,12}(?:\.\d*)?|\.\d+)(%?)", written)
    most = float(match[1]) / (100 if match[2] else 1) if match else 2.0
    if most > 1:
        raise UserError(f"the limit '{value}' of {relation} is not {_HOW}")
    return Limit(relation, most, share=True)


def limits(written: Iterable[str]) -> tuple[Limit, ...]:
    """Limits as written on the command line: `rti=0.05`, or `0.05` for every relation."""
    by_relation = {}
    for text in written:
        name, equals, value = text.rpartition("=")
        parsed = limit(name.strip() if equals else EVERY, value)
        by_relation[parsed.relation] = parsed
    return tuple(by_relation.values())


def configured(table: Mapping[str, Any], file: str | Path) -> Rules:
    """The rules of the table `[gate]` of a configuration."""
    names = {field.name for field in dataclasses.fields(Rules)} - {"limits"} | {"max"}
    for name in table:
        if name not in names:
            raise UnknownName(f"rule in [gate] of {file}", name, names)
    values = dict(table)
    tables = values.pop("max", {})
    try:
        most = tables if isinstance(tables, dict) else {EVERY: tables}
        values["limits"] = tuple(limit(name, value) for name, value in most.items())
        if "no_worse_than" in values:
            runs = values["no_worse_than"]
            values["no_worse_than"] = ",".join(map(str, runs)) if isinstance(runs, list) else str(runs)
        for name, value in values.items():
            _typed(name, value)
        return Rules(**values)
    except UserError as error:
        raise UserError(f"[gate] of {file}: {error}") from None


def merged(rules: Rules, typed: Mapping[str, Any]) -> Rules:
    """Rules with the options of a command; its limits replace those of the same relations."""
    # 0 is a value; None, False and "" mean that the option was not given.
    values = {name: value for name, value in typed.items() if value is not None and value is not False and value != ""}
    own = values.pop("limits", ())
    relations = {limit.relation for limit in own}
    every = (*own, *(limit for limit in rules.limits if limit.relation not in relations))
    return dataclasses.replace(rules, limits=every, **values)


def rules_for(store: Workspace, runs: Chosen, config: str | Path, typed: dict[str, Any]) -> tuple[Rules, list[str]]:
    """The rules by configuration and command line, and notes on limits that apply to no run."""
    own = limits(typed.pop("limits", None) or ())
    base = configured(read_gate(config), config)
    rules = merged(base, {**typed, "limits": own})
    if not rules.any:
        raise UserError(
            "a gate needs a rule: --max rti=0.05, --no-worse-than RUN, --no-new, --max-errors 0.01 or --max-insane"
            f" 0.05, or the same in the table [gate] of {config}"
        )
    if rules.no_new and not (rules.no_worse_than or rules.accepted):
        raise UserError("what is new is told by an earlier run, --no-worse-than RUN, or by a file, --accepted FILE")
    present = {run.relation for run in chosen(store, runs)}
    idle = [limit for limit in rules.limits if limit.relation not in (*present, EVERY)]
    if any(limit in own for limit in idle) or (idle and not runs):
        names = ", ".join(limit.relation for limit in idle)
        raise UserError(f"there is a limit for {names}, and no run of it. Run it, or take the limit out")
    return rules, [f"the limit for {limit.relation} is not asked: none of these runs is one of it" for limit in idle]


def gated_runs(store: Workspace, runs: Chosen, rules: Rules) -> tuple[list[RunRecord], list[RunPair], list[str]]:
    """The runs to check, and their pairs with earlier runs; an earlier run is checked itself only if it is named."""
    records = chosen(store, runs)
    if not rules.no_worse_than:
        return records, [], []
    before = side(store, rules.no_worse_than)
    if not runs:
        earlier = {run.id for run in before}
        records = [run for run in records if run.id not in earlier]
        if not records:
            raise UserError(f"there is no run but {rules.no_worse_than}, which is the one to be compared with")
    judged = {run.id for run in records}
    before += [run for run in sane_runs(store, before) if run.id not in judged]
    # The rule `sane` is enough for answers that have nothing to be compared with.
    known = any(run.relation == SANE for run in before)
    return (records, *paired(before, [run for run in records if known or run.relation != SANE]))


def chosen(store: Workspace, runs: Chosen) -> list[RunRecord]:
    """The runs to check, and those of `sane` that belong to them."""
    records = [store.run(number) for number in dict.fromkeys(select(store, runs))]
    return [*sane_runs(store, records), *records]


_TYPES: Mapping[str, tuple[Sequence[type], str]] = {
    "upper": ((bool,), "true or false"),
    "no_new": ((bool,), "true or false"),
    "alpha": ((int, float), "a number"),
    "min_difference": ((int, float), "a number"),
    "max_errors": ((int, float), "a number"),
    "max_insane": ((int, float), "a number"),
    "accepted": ((str,), "the name of a file"),
}


def _typed(name: str, value: Any) -> None:
    types, expected = _TYPES.get(name, ((object,), ""))
    if not isinstance(value, tuple(types)) or (isinstance(value, bool) and bool not in types and object not in types):
        raise UserError(f"{name} = {value!r} is not {expected}")
