"""Findings and problems of several runs: flagged cases grouped by the blamed translation, and by the wrong word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import NamedTuple

import numpy as np

from concord.store.index.columns import LOCATION, SUSPECTS, Array, Booleans, Columns
from concord.store.index.filter import Ordered
from concord.store.records import RunRecord

EXAMPLES = 5
"""The most examples of a problem."""


class CaseGroups(NamedTuple):
    """The findings and problems of flagged cases and, where either translation may be wrong, the other; 0 is none."""

    finding: Array
    problem: Array
    other: Array


def groups(runs: Sequence[Columns]) -> dict[int, CaseGroups]:
    """The groups of each run's flagged cases, by rank; a translation is blamed for the cases of all these runs."""
    if not runs:
        return {}
    blamed, problem, against, rival, rival_problem, rival_against = (
        joined((columns[name] for columns in runs), np.uint64) for name in SUSPECTS
    )
    whole, wrong = np.concatenate([blamed, rival]), np.concatenate([problem, rival_problem])
    _, distinct = np.unique(np.concatenate([against, rival_against]), return_index=True)
    words = (whole ^ wrong)[distinct]
    # What contradicts a translation without naming a word counts against each of its words.
    votes = _counts(whole ^ wrong, words) + _counts(whole, words) * (wrong > 0).reshape(2, -1)
    cases = _counts(whole, whole)
    is_tied = (votes[0] == votes[1]) & (rival > 0)
    is_rival = ((votes[1] > votes[0]) | (is_tied & (cases[1] > cases[0]))) & (rival > 0)
    # Where nothing tells which of two words is wrong, the problem is that of both; see `problems_of`.
    of_both = is_tied & (problem != rival_problem) & (problem > 0) & (rival_problem > 0)
    columns = (
        np.where(is_rival, rival, blamed),
        np.select([of_both, is_rival], [problem ^ rival_problem, rival_problem], problem),
        np.where(is_rival, blamed, rival) * is_tied,
    )
    ends = np.cumsum([len(run[SUSPECTS[0]]) for run in runs])[:-1]
    parts = zip(*(np.split(column, ends) for column in columns), strict=True)
    return dict(zip((run.run for run in runs), starmap(CaseGroups, parts), strict=True))


@dataclass(frozen=True, slots=True)
class CountedProblem:
    """The number of a problem, how much it touches, and the examples of its findings as indices of `GroupedCases`."""

    number: int
    sentences: int
    findings: int
    cases: int
    examples: Sequence[int]


CASE = np.dtype([
    ("run", "i8"), ("rank", "i8"), ("position", "i8"), ("repetition", "i4"), ("number", "i4"), ("sentence", "i8"),
    ("finding", "u8"), ("problem", "u8"), ("other", "u8"),
])  # fmt: skip


class GroupedCases:
    """The flagged cases of several lists, by which findings and problems are counted without the index.

    `cases` has the run, the rank in it and the location of each, the number of its sentence, and its `CaseGroups`.
    """

    def __init__(
        self, lists: Sequence[Ordered], groups: Mapping[int, CaseGroups], records: Sequence[RunRecord]
    ) -> None:
        self.records = {record.id: record for record in records}
        self._lists = lists
        self._groups = groups
        corpora: dict[str, int] = {}
        numbers = {record.id: corpora.setdefault(record.corpus, len(corpora)) for record in records}
        parts = (_grouped(ordered, groups[ordered.columns.run], numbers[ordered.columns.run]) for ordered in lists)
        self.cases = np.concatenate([np.zeros(0, CASE), *parts])
        self._by_rank = np.lexsort((self.cases["run"], self.cases["rank"]))

    def finding_of(self, number: int, case: int) -> int:
        """The number of the finding of a case in a list."""
        columns = self._lists[number].columns
        return int(self._groups[columns.run].finding[columns.ranks(True)[case] - 1])

    def first_of_findings(self) -> list[Ordered]:
        """The lists with only the first case of each finding, in the order of their pages."""
        is_first: Booleans = np.zeros(len(self.cases), dtype=bool)
        is_first[self._firsts()] = True
        parts = np.split(is_first, np.cumsum([len(each.cases) for each in self._lists])[:-1])
        return [
            Ordered(each.columns, each.major[part], each.cases[part], each.sign)
            for each, part in zip(self._lists, parts, strict=False)
        ]

    def findings(self) -> Array:
        """The numbers of all findings, in the order of their pages."""
        return self.cases["finding"][self._firsts()]

    def _firsts(self) -> Array:
        """The first case of each finding, in the order of their pages."""
        if not self._lists:
            return self._by_rank
        major, cases = (joined((getattr(each, name) for each in self._lists), float) for name in ("major", "cases"))
        order = np.lexsort((cases, self._lists[0].sign * self.cases["run"], major))
        return order[np.sort(np.unique(self.cases["finding"][order], return_index=True)[1])]

    def members(self, findings: Array) -> Iterator[Array]:
        """The cases of each of these findings as indices, the worst first."""
        of_finding = self.cases["finding"]
        members = self._by_rank[np.isin(of_finding[self._by_rank], findings)]
        members = members[np.argsort(of_finding[members], kind="stable")]
        starts, ends = (np.searchsorted(of_finding[members], findings, side) for side in ("left", "right"))
        return (members[start:end] for start, end in zip(starts, ends, strict=True))

    def problems(self, start: int = 0, limit: int | None = None) -> tuple[int, Iterator[CountedProblem]]:
        """How many problems there are, and some of them: by how many sentences they touch, then by their findings.

        A finding is of the problem of each of its cases.
        """
        by_rank = self._by_rank[self.cases["problem"][self._by_rank] > 0]
        cases = self.cases[by_rank]
        numbers, begin, index = np.unique(cases["problem"], return_index=True, return_inverse=True)
        (of_sentence, _), (of_finding, worst) = (_distinct(index, cases[name]) for name in ("sentence", "finding"))
        groups = (of_sentence, of_finding, index)
        sentences, findings, count = (np.bincount(group, minlength=len(numbers)) for group in groups)
        ends = np.cumsum(findings)
        order = np.lexsort((begin, -findings, -sentences))
        return len(order), (
            CountedProblem(
                number=int(numbers[which]),
                sentences=int(sentences[which]),
                findings=int(findings[which]),
                cases=int(count[which]),
                examples=by_rank[np.sort(worst[ends[which] - findings[which] : ends[which]])[:EXAMPLES]].tolist(),
            )
            for which in order[start : None if limit is None else start + limit]
        )


def _grouped(ordered: Ordered, groups: CaseGroups, corpus: int) -> Array:
    """The cases of a list, which are flagged ones of one run."""
    columns, cases = ordered.columns, ordered.sign * ordered.cases
    grouped = np.zeros(len(cases), CASE)
    grouped["run"], grouped["rank"] = columns.run, columns.ranks(True)[cases]
    for name in LOCATION:
        grouped[name] = columns[name][cases]
    grouped["sentence"] = (corpus << 32) + grouped["position"]
    for name, column in groups._asdict().items():
        grouped[name] = column[grouped["rank"] - 1]
    return grouped


def _counts(of: Array, among: Array) -> Array:
    """How often each number occurs in an array; in two rows, for the two halves of the numbers."""
    numbers, counts = np.unique(among, return_counts=True)
    start, end = (np.searchsorted(numbers, of, side) for side in ("left", "right"))
    return np.append(counts, 0)[start].reshape(2, -1) * (end > start).reshape(2, -1)


def _distinct(group: Array, value: Array) -> tuple[Array, Array]:
    """The different values of each group: the group of each, in ascending order, and where the value occurs first."""
    values, index = np.unique(value, return_inverse=True)
    pairs, first = np.unique(group * np.int64(len(values)) + index, return_index=True)
    return pairs // max(1, len(values)), first


def joined(parts: Iterable[Array], dtype: type = np.int64) -> Array:
    """Arrays one after the other; none of them are an empty one."""
    return np.concatenate([np.zeros(0, dtype=dtype), *parts])
