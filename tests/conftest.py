"""What several tests need: the program as a function, a system made of one, and a way to run checks over it."""

from __future__ import annotations

import asyncio
import importlib.util
import random
import selectors
import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest
import typer
from hypothesis import HealthCheck, settings

from concord import plugins
from concord.cli.commands import main
from concord.engine.batching.health import Waits
from concord.engine.run import bind, run
from concord.engine.translate import Translating
from concord.model import Case, Limits, Outcome, Segment, System, Text
from concord.relations._protocol import RelationForm, load_relation
from concord.store import RunRecord, Workspace

T = TypeVar("T")

# No test asserts seconds; where another process has the core, Hypothesis's limits would.
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")

# To build the command line takes longer than most commands do; one serves all calls in a process.
typer.main.get_command = cache(typer.main.get_command)


def pytest_configure(config: pytest.Config) -> None:
    # Tests are no package, so what helps them is loaded by its path.
    spec = importlib.util.spec_from_file_location("concord_tests_memory", Path(__file__).with_name("memory.py"))
    assert spec is not None
    assert spec.loader is not None
    memory = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(memory)
    config.pluginmanager.register(memory)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """A cache folder of the tests' own, in place of the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def helper():
    """`helper(path)`: the module in that file. Tests are no package, so what helps them is loaded by its path."""

    def loaded(path):
        name = f"concord_tests_{path.stem}"
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None
            assert spec.loader is not None
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        return sys.modules[name]

    return loaded


@pytest.fixture
def service(helper):
    """A server: `url`, `requests`, `answer` (a function of a request), `answers(...)`, `reply(...)`.

    `service.answer = lambda request: service.reply({"text": "hola"})` answers with JSON;
    `service.answers("busy", 429, retry_after="7")` says the same to everything. A request has
    `method`, `path`, `query`, `headers` (names in lower case), `body`, `json` and `form`.
    An assertion that fails inside `answer` fails the test.
    """
    with helper(Path(__file__).parent / "translators" / "service.py").serving() as running:
        yield running


@pytest.fixture
def concord(tmp_path, monkeypatch, capsys):
    """Call the program in an empty folder; gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CONCORD_WORKSPACE", raising=False)

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["concord", *words])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture(autouse=True)
def without_language_model(request, monkeypatch):
    """Spare every process the 100 MB of py3langid, but those of large tests."""
    if request.node.get_closest_marker("large") is None:
        monkeypatch.setattr("concord.language.identification._columns", dict)


@pytest.fixture
def toy_languages(monkeypatch):
    """Let systems answer in toy languages, such as capitals, which are not sane."""
    monkeypatch.setattr("concord.engine.job.run_sanity", lambda *_: lambda text, answer: None)


class Local(System):
    """A system that is a function of one text, with a record of every batch it was sent, and when."""

    def __init__(self, one: Callable[[str], Any], limits: Limits, latency: Callable[[], float] | None = None) -> None:
        self.id = "local"
        self.made_up = True
        self.limits = limits
        self.batches: list[list[str]] = []
        self.times: list[float] = []
        self.most_at_once = 0
        self._at_once = 0
        self._one = one
        self._latency = latency

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[Any]:
        self.batches.append(list(texts))
        self.times.append(asyncio.get_running_loop().time())
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self._latency is not None:
                await asyncio.sleep(self._latency())
            return [self._one(text) for text in texts]
        finally:
            self._at_once -= 1

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


class Clock:
    """Virtual time: whoever sleeps joins a queue, and when nobody can go on, it is the time of the first to wake.

    Everything that an event loop does with time goes by it, timeouts included.
    """

    def __init__(self) -> None:
        self.now = 0.0

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        with asyncio.Runner(loop_factory=lambda: _VirtualLoop(self)) as runner:
            return runner.run(main)

    def waits(self) -> Waits:
        return Waits(clock=lambda: self.now, jitter=random.Random(1))


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, clock: Clock) -> None:
        super().__init__(_Jumping(clock))
        self._virtual = clock

    def time(self) -> float:
        return self._virtual.now


class _Jumping(selectors.DefaultSelector):
    """Where a real loop would sleep until its next timer, this one sets the clock to it."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everybody waits, and nobody for a time"
        events = super().select(0)
        if not events:
            self._clock.now += max(0.0, timeout)
        return events


def segments(words: Iterable[str], lang: str = "en") -> list[Segment]:
    return [Segment(f"s{position}", Text(each, lang), position) for position, each in enumerate(words)]


async def round_trip(x: Text, translate: Any, *, to: str) -> list[Any]:
    """The smallest check that asks twice; its one case holds both answers."""
    there = await translate(x, to)
    back = await translate(there, x.lang)
    return [found(there.words, back.words)]


def found(*values: Any) -> Case:
    """A case that carries what a test wants to see."""
    text = Text("", "en")
    return Case(text, text, text, text, (text, text), 0.0, 0.0, evidence={"found": list(values)})


@pytest.fixture
def local() -> Callable[..., Local]:
    def make(one: Callable[[str], Any] = str.upper, *, texts: int = 8, in_flight: int = 2, **more: Any) -> Local:
        latency = more.pop("latency", None)
        return Local(one, Limits(texts=texts, in_flight=in_flight, **more), latency)

    return make


@pytest.fixture(name="found")
def found_fixture() -> Callable[..., Case]:
    return found


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Install a plug-in of another package: its family, its name and its source."""

    def install(family: str, name: str, source: str) -> None:
        folder = tmp_path / f"package-of-{name}"
        metadata = folder / f"{name}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (folder / f"guest_{name}.py").write_text(source)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[concord.{family}]\n{name} = guest_{name}\n")
        monkeypatch.delitem(sys.modules, f"guest_{name}", raising=False)  # another test's plug-in of that name
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("PYTHONPATH", str(folder))

    return install


TRIP = """\
'Trip: the words of a text come back.'
from dataclasses import replace
from concord.relations import rtt
from concord.relations.rtt import check, compare, plan
TRAITS = replace(rtt.TRAITS, compares=True)
"""


@pytest.fixture
def trip(guest: Callable[[str, str, str], None]) -> str:
    """A round trip that the comparator judges, as a guest: its name."""
    guest("relations", "trip", TRIP)
    return "trip"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def new_clock() -> type[Clock]:
    """For tests of many examples, each of which needs its own."""
    return Clock


def relation_of(check: Any, **names: Any) -> RelationForm:
    """A relation whose module defines this check, and whatever else the protocol knows."""
    module = ModuleType("test")
    vars(module).update(check=check, **names)
    return load_relation(module)


@pytest.fixture(name="relation_of")
def relation_maker() -> Callable[..., RelationForm]:
    return relation_of


@pytest.fixture
def checked() -> Callable[..., list[Outcome]]:
    """Run a check (by default a round trip) over texts, by a virtual clock if there is one; outcomes in their order."""

    def go(system: System, words: Iterable[str], check: Any = round_trip, **more: Any) -> list[Outcome]:
        options = {"to": "es", **more.pop("options", {})}
        repetitions = more.pop("repetitions", 1)
        stop = more.pop("stop", None)
        clock = more.pop("clock", None)
        more |= {"waits": clock.waits()} if clock else {}

        async def everything() -> list[Outcome]:
            translate = Translating(system, None, **more)
            start = bind(relation_of(check), options, {"translate": translate}, seed=1)
            stream = run(start, segments(words), [translate.batched], repetitions=repetitions, stop=stop)
            return [outcome async for outcome in stream]

        outcomes = sorted(
            (clock.run if clock else asyncio.run)(everything()),
            key=lambda each: (each.segment.position, each.repetition),
        )
        for outcome in outcomes:
            outcome.cases = [case.evidence["found"] for case in outcome.cases]
        return outcomes

    return go


SOURCE = "The old bridge is closed."
DIRECT = "El puente viejo está cerrado."
DETOUR = "El puente antiguo está cerrado."
SETTINGS = {"rtt": {"metric": "chrf", "threshold": 0.4}, "rti": {"d": 0}}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "w.sqlite") as opened:
        yield opened


@pytest.fixture(scope="session")
def facts() -> Callable[..., dict[str, Any]]:
    """`facts("rti", corpus="two")` is what a run of that relation on that corpus begins with."""

    def told(relation: str = "rtt", **more: Any) -> dict[str, Any]:
        usual = {
            "signature": f"{relation}|en-es",
            "relation": relation,
            "settings": SETTINGS.get(relation, {}),
            "system": "fake",
            "source": "en",
            "target": "es",
            "corpus": "demo#1",
            "seed": 1,
        }
        made = usual | more
        if relation in plugins.names("relations"):
            made.setdefault("facts", load_relation(relation).facts(made["settings"]))
        return made

    return told


@pytest.fixture
def begin(workspace: Workspace) -> Callable[..., RunRecord]:
    def made(**facts: Any) -> RunRecord:
        usual = {
            "signature": "pivot|threshold:0.5|en-es|mt:fake@1|corpus:demo#x|seed:1|v:0.1.0",
            "relation": "pivot",
            "settings": {"threshold": 0.5},
            "system": "fake",
            "source": "en",
            "target": "es",
            "corpus": "demo#x",
            "seed": 1,
        }
        made = usual | facts
        return workspace.begin({"facts": load_relation("pivot").facts(made["settings"]), **made})

    return made


@pytest.fixture
def case() -> Callable[..., Case]:
    """A detour through Catalan; any part can be replaced."""

    def made(**parts: Any) -> Case:
        pivot = Text("El pont vell està tancat.", "ca")
        usual: dict[str, Any] = {
            "source": Text(SOURCE, "en"),
            "follow_up": pivot,
            "source_output": Text(DIRECT, "es"),
            "follow_up_output": Text(DETOUR, "es"),
            "suspicion": 0.59,
            "threshold": 0.5,
            "steps": {"pivot": pivot},
            "scores": {"chrf": 0.41},
            "factors": {"pivot": "ca"},
        }
        usual |= parts
        usual.setdefault("compared", (usual["source_output"], usual["follow_up_output"]))
        return Case(**usual)

    return made


@pytest.fixture
def outcome() -> Callable[..., Outcome]:
    def made(*cases: Case, position: int = 0, error: str | None = None, **facts: Any) -> Outcome:
        usual: dict[str, Any] = {
            "id": f"news-{position}",
            "text": Text(SOURCE, "en"),
            "position": position,
            "domain": "news",
        }
        return Outcome(Segment(**(usual | facts)), cases=list(cases), error=error)

    return made
