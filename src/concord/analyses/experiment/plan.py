"""The experiment file: what is compared, over which languages, on which sentences.

source = "en"
corpus = "demo"
systems = ["apertium", "faulty:apertium,kind=drop_word,rate=0.2"]
targets = ["es", "ca"]
pivots = ["es", "ca", "gl"]
allocation = "factorial"
replications = 50
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Literal, get_type_hints

from concord import plugins
from concord.errors import UnknownName, UserError
from concord.language.codes import normalise
from concord.model import Metric
from concord.toml_file import read_toml

SEED = 12345
RESAMPLES = 1_000
NARROWEST = 1e-6
MOST_OBSERVATIONS = 10_000_000
Allocation = Literal["factorial", "random"]


@dataclass(frozen=True, slots=True)
class Experiment:
    """What an experiment file says.

    `allocation` is `factorial`, where every path (pivot→target) gets `replications` (the 2018 design), or `random`,
    where every target gets them and each draws its pivot (the 2017 algorithm). Sentences are drawn with replacement,
    the same ones for every system. `pivots` are the targets unless they are named. `tokens` is `language` or `paper`:
    words between blanks for every language, as the papers had them. A target that is the source itself makes a round
    trip.
    """

    name: str
    systems: tuple[str, ...]
    targets: tuple[str, ...]
    source: str = "en"
    pivots: tuple[str, ...] = ()
    corpus: str = "demo"
    allocation: Allocation = "factorial"
    replications: int = 50
    seed: int = SEED
    metrics: tuple[Metric, ...] = (Metric("levenshtein"), Metric("bleu"), Metric("cosine"))
    tokens: Literal["language", "paper"] = "language"

    def __post_init__(self) -> None:
        for field in ("systems", "targets"):
            if not getattr(self, field):
                raise UserError(f'the experiment {self.name} must name at least one of its {field}: {field} = ["…"]')
        for field in ("targets", "pivots"):
            object.__setattr__(self, field, tuple(dict.fromkeys(map(normalise, getattr(self, field)))))
        object.__setattr__(self, "source", normalise(self.source))
        if self.replications < 1:
            raise UserError(f"replications must be at least 1, not {self.replications}")
        if self.seed < 0:
            raise UserError(f"the seed must not be negative, as {self.seed} is")
        lonely = [target for target in self.targets if not self.pivots_to(target)]
        if lonely:
            choices = ", ".join(self.pivots or self.targets)
            default = "" if self.pivots else " (the targets, since no pivots are named)"
            rule = f"a pivot is neither target nor source. Pivots: {choices}{default}"
            raise UserError(f"there is no pivot into {', '.join(lonely)}: {rule}")
        if self.replications * len(self.paths) > MOST_OBSERVATIONS:
            raise UserError(f"more than {MOST_OBSERVATIONS:,} observations a system: take fewer replications or paths")

    def pivots_to(self, target: str) -> tuple[str, ...]:
        """The pivots that lead to a target."""
        return tuple(pivot for pivot in self.pivots or self.targets if pivot not in (self.source, target))

    @property
    def paths(self) -> tuple[tuple[str, str], ...]:
        """Every (pivot, target)."""
        return tuple((pivot, target) for target in self.targets for pivot in self.pivots_to(target))

    @property
    def relation(self) -> plugins.Spec:
        """The relation that every observation is a check of."""
        options = {"pivots": self.pivots or self.targets, "metrics": self._with_tokens()}
        # Pivots are drawn beforehand; the relation has this option only for the reader of the signature.
        allocation = "every" if self.allocation == "factorial" else "random"
        return plugins.spec("relations", "pivot", settings={**options, "allocation": allocation})

    def _with_tokens(self) -> tuple[str, ...]:
        """The metrics, with the option `tokens` for those that have it and that do not set it themselves."""
        return tuple(f"{metric}:tokens={self.tokens}" if _cuts(metric) else metric for metric in self.metrics)


@dataclass(frozen=True, slots=True)
class Asked:
    """Options of an analysis: the level of intervals and tests, draws for the ranking, and a file of human scores.

    With `width`, the analysis also estimates how many replications would make the intervals that narrow.
    """

    level: float = 0.95
    resamples: int = RESAMPLES
    human: str | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise UserError(f"the level must be between 0 and 1, such as 0.95, not {self.level:g}")
        if self.width is not None and not NARROWEST <= self.width < inf:
            raise UserError(f"the width of an interval must be at least {NARROWEST:g}, not {self.width:g}")


def _cuts(metric: str) -> bool:
    parameters = plugins.options("metrics", metric.partition(":")[0])
    return any(parameter.name == "tokens" for parameter in parameters) and ":tokens=" not in metric


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file; files that it names are looked for beside it."""
    file = Path(path)
    facts = read_toml(file)
    types = get_type_hints(Experiment)
    for name in facts:
        if name not in types:
            raise UnknownName("setting of an experiment", name, types)
    missing = [field for field in ("systems", "targets") if field not in facts]
    if missing:
        raise UserError(f'{file} must say its {" and ".join(missing)}, such as: targets = ["es", "ca"]')
    values = {name: _coerced(file, name, value, types[name]) for name, value in facts.items()}
    return Experiment(**{"name": file.stem, **values, **_resolved_paths(file.parent, values)})


def _coerced(file: Path, name: str, value: Any, kind: Any) -> Any:
    # A single text counts as a list of one; no other type is converted, since it is likely a mistake.
    listed = str(kind).startswith("tuple")
    if listed and isinstance(value, str):
        value = [value]
    if listed != isinstance(value, list) or (listed and not all(isinstance(text, str) and text for text in value)):
        raise UserError(f"{file}: {name} must be {'a list of texts' if listed else 'a single value'}, not {value!r}")
    if kind is int and (isinstance(value, bool) or not isinstance(value, int)):
        raise UserError(f"{file}: {name} must be a whole number, not {value!r}")
    return plugins.coerce(f"{file}: {name}", tuple(value) if listed else value, kind)


def _resolved_paths(folder: Path, values: Mapping[str, Any]) -> dict[str, Any]:
    """The corpus and the systems, with paths relative to the experiment's folder where such files exist."""
    corpus = values.get("corpus", "demo")
    systems = tuple(
        str(folder / system) if system.endswith(".toml") and (folder / system).exists() else system
        for system in values["systems"]
    )
    return {"corpus": str(folder / corpus) if (folder / corpus).exists() else corpus, "systems": systems}
