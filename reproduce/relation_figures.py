"""What each relation finds of injected faults, how often it flags clean translations, and what it asks.

    python reproduce/relation_figures.py [--system apertium] [--to es] [--corpus demo] [--seed 12345]
                                         [--relations sane,literals,…] [--folder FOLDER] [--write]

Runs `concord calibrate` on every relation, counts the texts that it would send to a system of which nothing is cached,
and asks which sentences a set of relations flags. A folder keeps the workspace: the same command again, or with more
relations, continues and runs nothing twice. `--write` writes the figures that `concord relations` shows.

Prints the tables of docs/comparator.md: recall, AUC and blamed words by kind of fault, the figures of each relation,
and those of some sets of relations.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from concord import api, plugins
from concord.analyses.calibration.calibration import Calibrated
from concord.analyses.calibration.options import KINDS
from concord.analyses.calibration.sensitivity import Sensitivity
from concord.errors import UserError
from concord.model import ROLES
from concord.store import Workspace

FILE = Path(__file__).parents[1] / "src" / "concord" / "relations" / "_figures.toml"
RELATIONS = (
    "sane", "literals", "sit", "cat", "transrepair", "rti", "concatenation", "rtt", "pivot", "patinv", "semmt", "mgmt",
    "untranslated",
)  # fmt: skip
TESTS = {"mgmt": [f"mgmt,granularities={name}" for name in ("sentence", "phrase", "word")]}
"""Relations of several tests, each with a threshold of its own."""
ABOUT = {"sane": ("copy_source", "copied answers"), "literals": ("change_number", "changed numbers")}
"""Relations that are about one kind of fault."""
SETS = (
    ("sane", "literals", "sit", "rti"),
    ("sane", "literals", "sit", "cat", "rti"),
    ("sane", "literals", "sit", "transrepair", "rti"),
    ("sane", "literals", "sit", "cat", "transrepair", "rti"),
    ("sane", "literals", "sit", "cat"),
    ("sane", "literals", "cat", "rti"),
    ("sane", "literals", "concatenation"),
    ("sane", "literals", "sit", "cat", "concatenation"),
    ("sane", "literals", "sit", "cat", "rti", "concatenation"),
)
CLEAN = ""
"""The system without faults, among the kinds of faults."""


def main(words: Sequence[str]) -> int:
    options = arguments(words)
    relations = options.relations.split(",")
    with tempfile.TemporaryDirectory() as folder:
        experiment = Experiment(
            options.corpus, options.system, options.to, options.seed, options.folder or Path(folder)
        )
        figures, unmeasured = [], {}
        for relation in relations:
            try:
                figures.append(experiment.figures(relation))
            except UserError as error:
                unmeasured[relation] = str(error).removeprefix(f"{relation}: ")
                print(f"{relation}: {unmeasured[relation]}", file=sys.stderr)
        print_kinds(figures)
        print_figures(figures, experiment.size)
        print_sets([names for names in SETS if set(names) <= set(relations)], figures, experiment)
        if options.write:
            FILE.write_text(shipped(figures, unmeasured, experiment))
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--system", default="apertium")
    parser.add_argument("--to", default="es")
    parser.add_argument("--corpus", default="demo")
    parser.add_argument("--seed", type=int, default=12345)
    parser.add_argument("--relations", default=",".join(RELATIONS))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(words)


# -- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of a relation.

    `texts` are those that it asks, `tested` the sentences of which it makes a case. `flagged` has, for each kind of
    fault, the sentences that it flags because of a case with a fault in their own translation, and for `CLEAN` those
    that it flags without any fault.
    """

    relation: str
    tests: Sequence[Calibrated]
    texts: int
    tested: frozenset[int]
    flagged: dict[str, frozenset[int]]

    @property
    def clean(self) -> int:
        return sum(test.clean for test in self.tests)

    @property
    def alarms(self) -> float | None:
        """The share of clean cases that are flagged by default."""
        return share(sum(test.flagged_in_force for test in self.tests), self.clean)

    @property
    def faulty(self) -> int:
        return self._faulty(lambda kind: kind.cases)

    @property
    def recall(self) -> float | None:
        """The share of faulty cases that are flagged by default."""
        return share(self._faulty(lambda kind: kind.found_in_force), self.faulty)

    @property
    def recall_at_5(self) -> float | None:
        """The share of faulty cases that are flagged at the threshold that flags 5 % of the clean ones."""
        return share(self._faulty(lambda kind: kind.found), self.faulty)

    def _faulty(self, count: Callable[[Sensitivity], int]) -> int:
        kinds = ABOUT[self.relation][:1] if self.relation in ABOUT else KINDS
        return sum(count(kind) for test in self.tests for kind in test.kinds if kind.kind in kinds)


class Experiment:
    """The runs of one system, direction and corpus."""

    def __init__(self, corpus: str, system: str, to: str, seed: int, folder: Path) -> None:
        self.corpus, self.system, self.to, self.seed = api.read(corpus, "en"), system, to, seed
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._workspace = folder / "figures.sqlite"
        self._positions = {segment.text.words: segment.position for segment in self.corpus}

    @property
    def size(self) -> int:
        return self.corpus.size

    @property
    def version(self) -> str:
        return plugins.system(self.system).version("en", self.to) or "unknown"

    def figures(self, relation: str) -> Figures:
        tests = [self._calibrated(text) for text in TESTS.get(relation, [relation])]
        with Workspace(self._workspace) as store:
            clean = [row for row in store.rows([test.run for test in tests]) if "case" in row]
            runs = {kind: [test.kinds[index].run for test in tests] for index, kind in enumerate(KINDS)}
            flagged = {kind: frozenset(self._caught(store, numbers)) for kind, numbers in runs.items()}
        flagged[CLEAN] = frozenset(row["position"] for row in clean if row["flagged"])
        return Figures(relation, tests, self.texts([relation]), frozenset(row["position"] for row in clean), flagged)

    def texts(self, relations: Sequence[str]) -> int:
        """The texts that these relations ask together, each once."""
        options = {"systems": [self.system], "to": [self.to], "settings": api.Settings(seed=self.seed)}
        nothing = {"workspace": self._folder / "none.sqlite", "config": self._folder / "none.toml"}
        return sum(run.texts for run in api.dry_run(self.corpus, relations=relations, **options, **nothing))

    def faulty(self, run: int) -> dict[int, str]:
        """The sentences that have a fault in their own translation, by position, with that translation."""
        with Workspace(self._workspace) as store:
            return self._faulty(store, run)

    def _faulty(self, store: Workspace, run: int) -> dict[int, str]:
        notes = [note for note in store.notes(store.run(run).system) if "fault" in note]
        own = [note for note in notes if note["text"] in self._positions and note["target_lang"] == self.to]
        return {self._positions[note["text"]]: note["answer"] for note in own}

    def _caught(self, store: Workspace, runs: Sequence[int]) -> Iterator[int]:
        faulty = self._faulty(store, runs[0])
        for row in store.rows(runs):
            flagged = "case" in row and row["flagged"]
            if flagged and faulty.get(row["position"]) in [row[role]["words"] for role in ROLES]:
                yield row["position"]

    def _calibrated(self, relation: str) -> Calibrated:
        options = {"system": self.system, "to": self.to, "settings": api.Settings(seed=self.seed)}
        files = {"workspace": self._workspace, "config": self._folder / "none.toml"}
        (calibrated,) = api.calibrate(self.corpus, relations=[relation], **options, **files).relations
        print(f"{relation}: measured", file=sys.stderr)
        return calibrated


# -- tables --------------------------------------------------------------------------------------


def print_kinds(figures: Sequence[Figures]) -> None:
    """Recall at the threshold that flags 5 % of clean cases; AUC and the share of found cases that blame a right word.

    Relations of several tests have a column for each test.
    """
    tests = [test for relation in figures for test in relation.tests]
    names = [f"`{text}`" for relation in figures for text in TESTS.get(relation.relation, [relation.relation])]
    kinds = {kind: [test.kinds[index] for test in tests] for index, kind in enumerate(KINDS)}
    print_head("", names)
    print_row("threshold", [number(test.threshold, ".3g") for test in tests])
    print_row("clean cases", [str(test.clean) for test in tests])
    print_row("of these flagged", [str(test.flagged) for test in tests])
    for name, row in kinds.items():
        print_row(f"`{name}`", [f"{number(kind.recall)} of {kind.cases}" if kind.cases else "–" for kind in row])
    print_row("all kinds", [number(test.recall) for test in tests])
    print_row("threshold by default, now in force", [number(test.in_force, "g") for test in tests])
    print_row("clean cases flagged by it", [str(test.flagged_in_force) for test in tests])
    print_row("found by it, all kinds", [number(test.recall_in_force) for test in tests])
    print_head("AUC, blamed", names)
    for name, row in kinds.items():
        shares = [[number(value) for value in (kind.auc, kind.blamed_share) if value is not None] for kind in row]
        print_row(f"`{name}`", [", ".join(cell) or "–" for cell in shares])


def print_figures(figures: Sequence[Figures], sentences: int) -> None:
    """The figures that are shipped."""
    print_head(
        "", ["texts a sentence", "sentences tested", "clean cases", "flagged", "faulty cases", "found", "at 5 %"]
    )
    for row in figures:
        cells = [number(row.tested and len(row.tested) / sentences), str(row.clean), number(row.alarms, ".3f")]
        about = f" ({ABOUT[row.relation][1]})" if row.relation in ABOUT else ""
        shares = [str(row.faulty) + about, number(row.recall), number(row.recall_at_5)]
        print_row(f"`{row.relation}`", [f"{row.texts / sentences:.1f}", *cells, *shares])


def print_sets(sets: Sequence[Sequence[str]], figures: Sequence[Figures], experiment: Experiment) -> None:
    """Which sentences with a fault in their own translation a set flags, and how many without any fault."""
    by_name = {row.relation: row for row in figures}
    print_head("", ["texts a sentence", "clean sentences", *(f"`{kind}`" for kind in KINDS), "all kinds"])
    for names in sets:
        faulty = [len(experiment.faulty(kind.run)) for kind in by_name[names[0]].tests[0].kinds]
        caught, clean = ([len(_flagged(by_name, names, kind)) for kind in kinds] for kinds in (KINDS, [CLEAN]))
        cells = [f"{number(share(*pair))} of {pair[1]}" for pair in zip(caught, faulty, strict=True)]
        texts = f"{experiment.texts(names) / experiment.size:.1f}"
        total = number(share(sum(caught), sum(faulty)))
        print_row(", ".join(f"`{name}`" for name in names), [texts, str(clean[0]), *cells, total])


def _flagged(by_name: dict[str, Figures], names: Iterable[str], kind: str) -> frozenset[int]:
    """The sentences that any of the relations flags."""
    return frozenset().union(*(by_name[name].flagged[kind] for name in names))


def shipped(figures: Sequence[Figures], unmeasured: Mapping[str, str], experiment: Experiment) -> str:
    """The file of the figures."""
    lines = [
        "# Written by `python reproduce/relation_figures.py --write`.",
        f'system = "{experiment.system}"',
        f'version = "{experiment.version}"',
        f'direction = "en→{experiment.to}"',
        f'corpus = "the {experiment.corpus.name} corpus"',
        f"sentences = {experiment.size}",
        f"seed = {experiment.seed}",
    ]
    for row in figures:
        lines += ["", f"[relations.{row.relation}]", f"texts = {row.texts / experiment.size:.1f}"]
        lines += [f"tested = {len(row.tested) / experiment.size:.2f}", f"clean = {row.clean}", f"faulty = {row.faulty}"]
        shares = {"false_alarms": row.alarms, "recall": row.recall, "recall_at_5": row.recall_at_5}
        lines += [f"{name} = {value:.3f}" for name, value in shares.items() if value is not None]
        lines += [f'of = "{ABOUT[row.relation][1]}"'] if row.relation in ABOUT else []
    for name, why in unmeasured.items():
        lines += ["", f"[relations.{name}]", f"unmeasured = {json.dumps(why, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"


def share(count: int, of: int) -> float | None:
    return count / of if of else None


def number(value: float | None, digits: str = ".2f") -> str:
    return "–" if value is None else f"{value:{digits}}".removeprefix("0") if digits == ".2f" else f"{value:{digits}}"


def print_head(first: str, columns: Sequence[str]) -> None:
    print()
    print_row(first, columns)
    print("|---|" + "---:|" * len(columns))


def print_row(first: str, cells: Sequence[str]) -> None:
    print(f"| {' | '.join([first, *cells])} |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
