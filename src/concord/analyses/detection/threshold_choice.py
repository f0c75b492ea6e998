"""Choosing a relation's threshold by labels, and writing it to a configuration file for later runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from concord import plugins
from concord.analyses.detection.labelled_rows import SUSPICION, LabelledRows, one_scale
from concord.errors import UserError
from concord.plain_data import PlainData
from concord.relations._protocol import load_relation
from concord.runs.config import configured_options, read_configuration, write_configuration
from concord.runs.plan import refusal
from concord.signature import option_text
from concord.stats.best_threshold import Choice, best_f, for_precision
from concord.stats.detection import Floats, Score
from concord.store import RunRecord

ABOVE = 2.0
"""A threshold that every relation refuses whose suspicion is from 0 to 1."""
WANTS = "f, or precision=SHARE such as precision=0.9"


@dataclass(frozen=True, slots=True)
class Tuned(PlainData):
    """A relation's options with the chosen threshold, its effect, and the file that now has it."""

    relation: str
    options: Mapping[str, Any]
    score: str
    want: str
    choice: Choice
    file: Path
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenThreshold(PlainData):
    """A relation's options with the threshold that somebody chose, and the file that now has it."""

    relation: str
    options: Mapping[str, Any]
    threshold: float
    file: Path
    notes: tuple[str, ...] = ()


def precision_goal(want: str) -> float | None:
    """The precision that `--want` asks for, or None for the best F."""
    name, _, value = want.replace(" ", "").partition("=")
    if (name, value) == ("f", ""):
        return None
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if name != "precision" or not 0 < share < 1:
        raise UserError(f"--want cannot be '{want}'. Choose one of: {WANTS}")
    return share


def tuned(labelled: LabelledRows, relation: str, want: str, file: Path) -> Tuned:
    """Choose a threshold and write it; for runs, together with their options that are not the relation's defaults."""
    share = precision_goal(want)
    spec = plugins.parse("relations", relation or labelled.relation) if relation or labelled.relation else None
    if spec is None:
        raise UserError("a file does not say which relation its scores are of. Name it: --relation rtt")
    if labelled.relation and spec.name != labelled.relation:
        raise UserError(f"these runs are of {labelled.relation}, not of {spec.name}. Leave --relation out")
    option = _option(spec, labelled.settings)
    if option in spec.options:
        raise UserError(f"{option} is what is chosen here. Leave it out of --relation {relation}")
    score = _the_score(labelled)
    _on_scale(spec, option, score)
    suspicion, bug = _suspicion(score), labelled.bug[score.has_value]
    choice = _useful(best_f(suspicion, bug), score, file) if share is None else for_precision(suspicion, bug, share)
    remark = f"concord tune --want {want.replace(' ', '')}: {choice.found} of {choice.flagged} flagged were bugs"
    new = _NewThreshold(option, choice.threshold, remark, "these labels recommend {}, which cannot be used")
    options, present, stays = _written(spec, labelled.settings, new, file)
    worst = "only labelled cases count: whoever labels the worst alone learns about the worst"
    notes = [*labelled.notes, *([worst] if labelled.relation else []), *stays]
    notes += _other_metric(plugins.spec("relations", spec.name, settings={**present, **options}), score)
    return Tuned(spec.name, options, score.name, want, choice, file, tuple(notes))


def write_threshold(runs: Sequence[RunRecord], threshold: float, file: Path) -> WrittenThreshold:
    """Write a threshold that somebody chose for the relation of runs, together with the options that it is for."""
    one_scale(runs)
    spec = plugins.parse("relations", runs[0].relation)
    new = _NewThreshold(_option(spec, runs[0].settings), threshold, "concord tune --at", "{} cannot be used")
    options, _, stays = _written(spec, runs[0].question, new, file)
    return WrittenThreshold(spec.name, options, threshold, file, tuple(stays))


@dataclass(frozen=True, slots=True)
class _NewThreshold:
    """A threshold with its option, a remark to write beside it, and a template of the message if it is refused."""

    option: str
    threshold: float
    remark: str
    refusal: str


def _written(
    spec: plugins.Spec, settings: Mapping[str, Any], new: _NewThreshold, file: Path
) -> tuple[dict[str, Any], Mapping[str, Any], list[str]]:
    """Write a threshold; returns all options written with it, those that the file had, and a note on those it keeps."""
    option = new.option
    present = read_configuration(file).get(spec.name, {})
    configured_options(spec.name, {spec.name: {name: value for name, value in present.items() if name != option}})
    merged = {**_changed(spec.name, settings, present), **spec.options}
    # Options that only select one of several thresholds do not belong into the configuration.
    options = {name: value for name, value in merged.items() if name not in load_relation(spec.name).deciding()}
    options[option] = new.threshold
    _accepted(plugins.Spec(spec.name, spec.argument, options), new)
    write_configuration(file, spec.name, options, {option: new.remark})
    stays = [f"{name} = {value}" for name, value in present.items() if name not in options]
    return options, present, [f"{file} keeps {', '.join(stays)} beside it"] if stays else []


def _the_score(labelled: LabelledRows) -> Score:
    by_name = {score.name: score for score in labelled.scores}
    if labelled.relation:
        if SUSPICION not in by_name:
            raise UserError(
                "runs are tuned by their suspicion, which is what a threshold applies to. Leave --score out"
            )
        return by_name[SUSPICION]
    if len(by_name) > 1:
        raise UserError(f"a threshold is for one score. Choose with --score: {', '.join(by_name)}")
    return next(iter(by_name.values()))


def _suspicion(score: Score) -> Floats:
    """The scores as suspicions: a similarity becomes 1 − similarity."""
    values = score.values[score.has_value]
    if score.rule != "≤":
        return values
    if values.min() < 0 or values.max() > 1:
        raise UserError(
            f"{score.name} is worse when lower and not within 0…1, so its suspicion is not known. If higher is worse,"
            f" say so: --score {score.name}:higher-is-worse"
        )
    # Rounded, since 1 - 0.9 is not exactly 0.1.
    return np.round(1 - values, 12)


def _on_scale(spec: plugins.Spec, option: str, score: Score) -> None:
    """UserError if the score is a similarity and the relation's suspicion is not on a scale from 0 to 1."""
    above = plugins.Spec(spec.name, spec.argument, {**spec.options, option: ABOVE})
    if score.rule == "≤" and refusal(above) == "":
        raise UserError(
            f"{score.name} is taken for a similarity from 0 to 1, but {spec.name} measures in units of its own: its"
            f" {option} may be above 1. Tune it by labelled runs, or by a score in its units that is higher where it is"
            " worse: --score NAME:higher-is-worse"
        )


def _other_metric(spec: plugins.Spec, score: Score) -> list[str]:
    """A note if the score is a metric, and the relation compares by another one."""
    if score.name.partition(":")[0] not in plugins.names("metrics"):
        return []
    settings = plugins.settings("relations", spec)
    return [
        f"the score is {score.name}, but {spec.name} has {name} = {option_text(settings[name])}. A threshold is for one"
        f" metric; if it is meant: --relation {spec.name},{name}={score.name}"
        for name in ("metric", "metrics")
        if name in settings and option_text(settings[name]) != score.name
    ]


def _option(spec: plugins.Spec, settings: Mapping[str, Any]) -> str:
    """The option that is the relation's threshold; of several, the one that judges these cases."""
    effective = {**plugins.settings("relations", spec), **settings, **spec.options}
    facts = load_relation(spec.name).facts(effective)
    if effective.keys().isdisjoint(facts.thresholds):
        raise UserError(
            f"the relation '{spec.name}' has no threshold to tune. Its options: {', '.join(effective) or 'none'}"
        )
    names, by = facts.judging, " and ".join(sorted(load_relation(spec.name).deciding()))
    if by and len(names) > 1:
        raise UserError(
            f"{spec.name} has several thresholds here: {', '.join(names)}. One is tuned at a time, by the cases that it"
            f" judges: choose runs, or --relation {spec.name},{by}=…, that name one of the {by}"
        )
    return names[0]


def _accepted(spec: plugins.Spec, new: _NewThreshold) -> None:
    """UserError if a run would refuse the threshold.

    A refusal that the default threshold would get too, such as of a language, does not count.
    """
    usual = {name: value for name, value in spec.options.items() if name != new.option}
    why = refusal(spec)
    if why and why != refusal(plugins.Spec(spec.name, spec.argument, usual)):
        raise UserError(f"{new.refusal.format(f'{new.option} = {new.threshold:g}')}: {why}")


def _changed(relation: str, settings: Mapping[str, Any], present: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are written with a threshold: those that are not defaults, or that the file has."""
    defaults = {parameter.name: parameter.default for parameter in plugins.options("relations", relation)}
    return {
        name: value
        for name, value in settings.items()
        if name in defaults
        and value is not None
        and (name in present or option_text(value) != option_text(defaults[name]))
    }


def _useful(choice: Choice, score: Score, file: Path) -> Choice:
    """Return the choice; UserError if its F is no better than that of flagging every row."""
    all_flagged = 2 * choice.bugs / (choice.rows + choice.bugs)
    if all_flagged >= choice.f:
        raise UserError(
            f"nothing is written to {file}: the best threshold of {score.name} has F {choice.f:.3f}, and flagging every"
            f" row would have {all_flagged:.3f}, no less, so that it hardly tells bugs apart. Label more cases, also"
            " unflagged ones, or ask for a precision: --want precision=0.9"
        )
    return choice
