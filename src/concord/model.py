"""The nouns: a text, a segment of a corpus, a checked case, a system under test."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import ge, gt
from typing import Any, ClassVar, Literal, NewType, Protocol

from concord.errors import ServiceError

Roles = tuple[str, str, str, str]
ROLES: Roles = ("source", "follow_up", "source_output", "follow_up_output")

Direction = tuple[str, str]
Metric = NewType("Metric", str)
"""The name of a metric, with options where it takes some: `chrf`, `bleu:variant=paper`."""
Operator = Literal[">", ">="]
FLAGS: Mapping[Operator, Callable[[Any, Any], Any]] = {">": gt, ">=": ge}
"""What each operator says of a suspicion and its threshold, both numbers or both arrays."""
Worse = Literal["higher-is-worse", "lower-is-worse"]
PAPER = "paper"
"""The score under which a case keeps the suspicion that the paper's comparison has of it."""
PROBABILITY = "probability"
"""The score under which a case keeps how likely our comparison holds it to be wrong."""


@dataclass(frozen=True, slots=True)
class Text:
    """Running text in a language (a normalised BCP-47 code)."""

    words: str
    lang: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One line of a corpus; `position` keeps it aligned with the file it came from.

    `told` are options of the relation that hold for this segment alone, in place of the run's.
    """

    id: str
    text: Text
    position: int
    domain: str = ""
    reference: str | None = None
    told: tuple[tuple[str, Any], ...] = ()


@dataclass(slots=True)
class Case:
    """One checked pair with its evidence. Suspicion: higher is always worse.

    A relation that flags what is at its threshold, too, says so by `operator`, in its cases and as its `OPERATOR`.
    """

    source: Text
    follow_up: Text
    source_output: Text
    follow_up_output: Text
    compared: tuple[Text, Text]
    suspicion: float
    threshold: float
    steps: dict[str, Text] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    factors: dict[str, str] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    operator: Operator = ">"

    @property
    def violated(self) -> bool:
        return bool(FLAGS[self.operator](self.suspicion, self.threshold))


@dataclass(frozen=True, slots=True)
class RelationFacts:
    """What a relation says of its cases. The record of a run has it, so that no plug-in is needed to read the rows.

    In a `distinct` relation the texts of a case say all that it asks, whatever the options and wherever it stands in a
    corpus. `answered` are the factors that come out of the answers. `thresholds` are the options that do not change
    what is asked (`d` is that of Purity's paper), and `judging` those of them that judge the cases of this run, by
    `operator`. The scores of the last two are worse or better when higher; metrics are all similarities. The facts are
    not `known` where an older workspace did not have them and the relation was not installed any more.
    """

    distinct: bool = False
    answered: tuple[str, ...] = ()
    thresholds: tuple[str, ...] = ("threshold", "d")
    judging: tuple[str, ...] = ()
    operator: Operator = ">"
    worse_when_higher: tuple[str, ...] = ()
    better_when_higher: tuple[str, ...] = ()
    known: bool = True

    def without_thresholds(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that make two runs ask the same."""
        return {name: value for name, value in settings.items() if name not in self.thresholds}

    def worse(self, score: str) -> Worse | None:
        """Which way a score is worse; None where nobody says."""
        if score in (PAPER, PROBABILITY) or score in self.worse_when_higher:
            return "higher-is-worse"
        return "lower-is-worse" if score.partition(":")[0] in self.better_when_higher else None

    def directions(self, scores: Iterable[str]) -> dict[str, Worse]:
        """Which way each of the scores is worse, as far as that is said."""
        return {score: worse for score in scores if (worse := self.worse(score))}


@dataclass(frozen=True, slots=True)
class Traits:
    """What a relation's module says of it, under the name `TRAITS`."""

    distinct: bool = False
    """The texts of a case say all that it asks: a pair is one case wherever it stands, whatever the options."""
    answered: tuple[str, ...] = ()
    """The factors that come out of the answers, and so are no part of the question."""
    thresholds: tuple[str, ...] = ("threshold",)
    """The options that judge cases and do not change what is asked."""
    operator: Operator = ">"
    """`>=` in a relation that also flags a case whose suspicion equals the threshold."""
    worse_when_higher: tuple[str, ...] = ()
    """The relation's own scores that are worse when higher."""
    langs: Roles = ("source", "source", "target", "target")
    """The language of each role."""
    reads: tuple[str, ...] = ROLES
    """The roles that `compare` reads."""
    parses: tuple[str, ...] = ("source",)
    """The sides whose texts are parsed: `source`, `target`."""
    compared: Roles = ROLES
    """The roles that our comparator reads: two texts, and the translation of each."""
    compares: bool = False
    """Our comparator judges the cases; the published comparison does so in the form `NAME:paper`."""
    paper: Mapping[str, Any] | None = None
    """The options that the published form fixes; None where there is no form `NAME:paper`."""
    repetitions: int = 1
    """How often the published form repeats each check."""


@dataclass(slots=True)
class Outcome:
    """What became of one check: its cases, or the error that stands in their place."""

    segment: Segment
    repetition: int = 0
    cases: list[Case] = field(default_factory=list)
    error: str | None = None


class Noted(str):
    """An answer with a remark on how it came about, kept beside it in the store."""

    note: Mapping[str, Any]

    def __new__(cls, words: str, note: Mapping[str, Any]) -> Noted:
        made = super().__new__(cls, words)
        made.note = note
        return made

    def __reduce__(self) -> tuple[type[Noted], tuple[str, Mapping[str, Any]]]:
        return Noted, (str(self), self.note)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may hold, how many may be in flight or be sent a second, and how long one may take.

    `per_month` is how many characters the plan allows in a calendar month. `throttled_for` is how many seconds a
    service may only throttle, without one answer and without saying when to come back, before it is given up.
    """

    texts: int = 32
    characters: int = 20_000
    in_flight: int = 4
    seconds: float = 60.0
    per_second: float | None = None
    per_month: int | None = None
    throttled_for: float = 120.0


@dataclass(frozen=True, slots=True)
class Price:
    """What a service takes, with the day and the place it was read."""

    per_million_characters: float
    currency: str
    day: str
    where: str


class System(ABC):
    """A translator under test. An adapter writes `translate`, for one batch; the engine does the rest.

    The rest is: batching, retries, concurrency, duplicates, the cache and error rows. `id` names the system
    in workspaces and reports; systems that answer differently need different ids or versions.
    Languages arrive as BCP-47 codes; an adapter maps those that its service spells differently.
    Constructor parameters are keyword-only and become options on the command line; a parameter
    named `argument` takes what follows the colon in `--system NAME:ARGUMENT`.
    """

    id: str = ""
    account: str = ""
    """Whom its limits per second and per month belong to; by default the translator's name."""
    given: str = ""
    """How the user wrote it, for a system that was described in words."""
    limits: Limits = Limits()
    keys: ClassVar[tuple[str, ...]] = ()
    """The environment variables that it reads its keys from."""
    price: Price | None = None
    dictionaries: str = ""
    """The installed dictionaries that it translates by, as users name them: they are no evidence on its answers."""
    deterministic: bool = False
    """Whether asking again always gives the same answer; if so, a bad answer is not asked for again."""

    @abstractmethod
    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        """One answer per text, in order; an error in place of an answer concerns that text alone."""

    def version(self, source: str, target: str) -> str | None:
        """What the answers depend on besides the text; None for a service that does not tell."""
        return None

    async def directions(self) -> Collection[tuple[str, str]] | None:
        """The pairs (source, target) it can do, or None if it does not say."""
        return None

    def lacks(self, source: str, target: str, known: Collection[tuple[str, str]]) -> str:
        """The message for a direction that is not among the known ones."""
        here = ", ".join(sorted(b for a, b in known if a == source)) or "nothing"
        sources = ", ".join(sorted({a for a, _ in known})) or "none"
        return f"{self.id} cannot translate {source}-{target}. From {source} into: {here}. Sources: {sources}"

    def each(self) -> Sequence[System]:
        """The systems that this stands for: itself, or one for each of several samples per text."""
        return (self,)

    async def close(self) -> None:
        """Give back processes and connections. The system can be used again afterwards."""
        return None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a relation will need, known before anything is sent: directions, and what the user should know.

    A relation may have a function `plan(source, *, to, between, **options) -> Plan`; it raises UserError for
    what cannot work. `between` is the one of `Translate`. What stands in `files` is read by the relation, so
    that its cases depend on them.
    """

    directions: Collection[Direction] = ()
    notes: Sequence[str] = ()
    files: Sequence[str] = ()


class Translate(Protocol):
    """The verb that relations are given."""

    def __call__(self, x: Text, to: str) -> Awaitable[Text]: ...

    def each(self, xs: Sequence[Text], to: str) -> Awaitable[list[Text]]: ...

    def between(self, source: str, target: str) -> tuple[str, ...]:
        """The languages that a detour from source to target can take; empty if the system does not say."""
