"""The basic data types: a text, a segment of a corpus, a checked case, a system under test."""

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
"""Whether a suspicion is flagged at a threshold, by operator; both are numbers, or both arrays."""
Worse = Literal["higher-is-worse", "lower-is-worse"]
PAPER = "paper"
"""The name of the score that holds the suspicion by the paper's comparison."""
PROBABILITY = "probability"
"""The name of the score that holds the probability of an error by our comparison."""


@dataclass(frozen=True, slots=True)
class Text:
    """Running text in a language (a normalised BCP-47 code)."""

    words: str
    lang: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence of a corpus; `position` is its number in the file.

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

    A relation that also flags a suspicion equal to its threshold says so by `operator`, in its cases, and `OPERATOR`.
    """

    source: Text
    follow_up: Text
    source_output: Text
    follow_up_output: Text
    compared: tuple[Text, Text]
    suspicion: float = 0.0
    threshold: float = 0.0
    steps: dict[str, Text] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    factors: dict[str, str] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    operator: Operator = ">"

    @property
    def flagged(self) -> bool:
        return bool(FLAGS[self.operator](self.suspicion, self.threshold))


@dataclass(frozen=True, slots=True)
class RelationFacts:
    """What a relation says of its cases. It is stored with a run, so that no plug-in is needed to read the rows.

    In a `distinct` relation the texts of a case identify it, whatever the options and its position in a corpus.
    `answered` are the factors that depend on the answers. `thresholds` are the options that do not change what is asked
    (`d` is that of Purity's paper), and `judging` those of them that judge the cases of this run, by `operator`. The
    last two tuples name the scores that are worse or better when higher; metrics are all similarities. The facts are
    not `known` where an older workspace lacked them and the relation was no longer installed.
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
        """The settings that decide what a run asks."""
        return {name: value for name, value in settings.items() if name not in self.thresholds}

    def worse(self, score: str) -> Worse | None:
        """Whether a score is worse when higher or when lower; None where it is unknown."""
        if score in (PAPER, PROBABILITY) or score in self.worse_when_higher:
            return "higher-is-worse"
        return "lower-is-worse" if score.partition(":")[0] in self.better_when_higher else None

    def directions(self, scores: Iterable[str]) -> dict[str, Worse]:
        """Whether each of the scores is worse when higher or when lower, where that is known."""
        return {score: worse for score in scores if (worse := self.worse(score))}


@dataclass(frozen=True, slots=True)
class Traits:
    """What a relation's module says of it, under the name `TRAITS`."""

    finds: str = ""
    """What it finds, in half a sentence, which `concord relations` lists."""
    distinct: bool = False
    """The texts of a case determine it: a pair is one case wherever it occurs, whatever the options."""
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
    published: Mapping[str, Any] = field(default_factory=dict)
    """The options that have another default in the published form."""
    repetitions: int = 1
    """How often the published form repeats each check."""


@dataclass(slots=True)
class Outcome:
    """The result of one check: its cases, or the error in their place; some cases may be judged and others not.

    `untested` says why there is neither, if the relation knows.
    """

    segment: Segment
    repetition: int = 0
    cases: list[Case] = field(default_factory=list)
    error: str | None = None
    untested: str = ""


class Noted(str):
    """An answer with a note on how it was made, which is stored with it."""

    note: Mapping[str, Any]

    def __new__(cls, words: str, note: Mapping[str, Any]) -> Noted:
        noted = super().__new__(cls, words)
        noted.note = note
        return noted

    def __reduce__(self) -> tuple[type[Noted], tuple[str, Mapping[str, Any]]]:
        return Noted, (str(self), self.note)


def revised(answer: str, words: str) -> str:
    """An answer with other words, and the note that it had."""
    return Noted(words, answer.note) if isinstance(answer, Noted) else words


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a request (texts, characters, seconds), and how many may be in flight or be sent a second.

    `per_month` is how many characters the plan allows in a calendar month. `throttled_for` is how many seconds a
    service may throttle without any answer or any time to retry before it is given up.
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
    """The price of a service, with the day and the source it was read from."""

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
    """The account that its limits per second and per month belong to; by default the translator's name."""
    given: str = ""
    """What the user wrote for this system, such as `apertium` or a file."""
    limits: Limits = Limits()
    keys: ClassVar[tuple[str, ...]] = ()
    """The environment variables that it reads its keys from."""
    price: Price | None = None
    dictionaries: str = ""
    """The installed dictionaries it translates with, by their names: they are no evidence about its answers."""
    made_up: bool = False
    """Whether its languages are made up, so that nobody can tell a wrong one."""
    deterministic: bool = False
    """Whether the same text always gets the same answer; if so, a bad answer is not retried."""

    @abstractmethod
    async def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | ServiceError]:
        """One answer per text, in order; an error in place of an answer concerns that text alone."""

    def version(self, source: str, target: str) -> str | None:
        """The version of the system, on which its answers depend; None for a service that does not say."""
        return None

    async def directions(self) -> Collection[tuple[str, str]] | None:
        """The pairs (source, target) it can do, or None if it does not say."""
        return None

    def lacks(self, source: str, target: str, directions: Collection[tuple[str, str]]) -> str:
        """The message for a direction that is not among those of the system."""
        targets = ", ".join(sorted(b for a, b in directions if a == source)) or "nothing"
        sources = ", ".join(sorted({a for a, _ in directions})) or "none"
        return f"{self.id} cannot translate {source}-{target}. From {source} into: {targets}. Sources: {sources}"

    def each(self) -> Sequence[System]:
        """The systems that this stands for: itself, or one for each of several samples per text."""
        return (self,)

    async def close(self) -> None:
        """Close processes and connections. The system can be used again afterwards."""
        return None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a relation needs, known before anything is sent: directions, and notes for the user.

    A relation may have a function `plan(source, *, to, between, **options) -> Plan`, which raises UserError for
    options that cannot work. `between` is that of `Translate`. The relation reads `files`, so its cases depend on them.
    """

    directions: Collection[Direction] = ()
    notes: Sequence[str] = ()
    files: Sequence[str] = ()


class Translate(Protocol):
    """The function `translate` that relations are given."""

    def __call__(self, x: Text, to: str) -> Awaitable[Text]: ...

    def each(self, xs: Sequence[Text], to: str) -> Awaitable[list[Text]]: ...

    def between(self, source: str, target: str) -> tuple[str, ...]:
        """The pivot languages between source and target; empty if the system does not say."""
