"""Findings and problems of several runs: flagged cases grouped by the blamed translation, and by the wrong word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from concord.store.index.columns import SUSPECTS, Array, Booleans, Columns
from concord.store.index.filter import Ordered

Pair = Sequence[Array]
EXAMPLES = 5
"""The most examples of a problem."""


def groups(runs: Sequence[Columns]) -> dict[int, Pair]:
    """By run, the findings and the problems of its flagged cases, by rank; a problem of 0 is none.

    A translation is blamed for the cases of all these runs.
    """
    if not runs:
        return {}
    blamed, problem, rival, rival_problem = (
        joined((columns[name] for columns in runs), np.uint64) for name in SUSPECTS
    )
    numbers, index = np.unique(np.concatenate([blamed, rival]), return_inverse=True)
    cases = np.bincount(index, minlength=len(numbers))
    cases[numbers == 0] = 0
    cases_of_blamed, cases_of_rival = cases[index[: len(blamed)]], cases[index[len(blamed) :]]
    other = cases_of_rival > cases_of_blamed
    # Where nothing tells which of two words is wrong, the problem is that of both; see `problems_of`.
    both = (cases_of_rival == cases_of_blamed) & (problem != rival_problem) & (problem > 0) & (rival_problem > 0)
    problem = np.select([other, both], [rival_problem, problem ^ rival_problem], problem)
    ends = np.cumsum([len(columns[SUSPECTS[0]]) for columns in runs])[:-1]
    findings = np.split(np.where(other, rival, blamed), ends)
    problems = np.split(problem, ends)
    return {run.run: pair for run, *pair in zip(runs, findings, problems, strict=True)}


@dataclass(frozen=True, slots=True)
class CountedProblem:
    """The number of a problem, how much it touches, and the examples of its findings as indices of `GroupedCases`."""

    number: int
    sentences: int
    findings: int
    cases: int
    examples: Sequence[int]


class GroupedCases:
    """The flagged cases of several lists as arrays, with the finding, the problem and the sentence of each."""

    def __init__(self, lists: Sequence[Ordered], groups: Mapping[int, Pair], corpora: Mapping[int, int]) -> None:
        self.lists = lists
        self._groups = groups
        pairs = [(ordered.columns, ordered.sign * ordered.cases) for ordered in lists]
        ranks = [columns.ranks(True)[cases] for columns, cases in pairs]
        numbered = [(groups[columns.run], rank - 1) for (columns, _), rank in zip(pairs, ranks, strict=True)]
        self.list = joined(np.full(len(cases), number) for number, (_, cases) in enumerate(pairs))
        self.case = joined(cases for _, cases in pairs)
        self.run = joined(np.full(len(cases), columns.run) for columns, cases in pairs)
        self.sentence = joined((corpora[columns.run] << 32) + columns["position"][cases] for columns, cases in pairs)
        self._finding = joined((findings[index] for (findings, _), index in numbered), np.uint64)
        self.problem = joined((problems[index] for (_, problems), index in numbered), np.uint64)
        self._by_rank = np.lexsort((self.run, joined(ranks)))

    def finding_of(self, number: int, case: int) -> int:
        """The number of the finding of a case in a list."""
        columns = self.lists[number].columns
        return int(self._groups[columns.run][0][columns.ranks(True)[case] - 1])

    def first_of_findings(self) -> list[Ordered]:
        """The lists with only the first case of each finding, in the order of their pages."""
        if not self.lists:
            return []
        major, cases = (joined((getattr(each, name) for each in self.lists), float) for name in ("major", "cases"))
        order = np.lexsort((cases, self.lists[0].sign * self.run, major))
        is_first: Booleans = np.zeros(len(order), dtype=bool)
        is_first[order[np.unique(self._finding[order], return_index=True)[1]]] = True
        parts = np.split(is_first, np.cumsum([len(each.cases) for each in self.lists])[:-1])
        return [
            Ordered(each.columns, each.major[part], each.cases[part], each.sign)
            for each, part in zip(self.lists, parts, strict=True)
        ]

    def members(self, findings: Sequence[int]) -> dict[int, Array]:
        """The cases of findings as indices of the arrays, by the number of the finding, the worst first."""
        candidates = self._by_rank[np.isin(self._finding[self._by_rank], np.array(findings, dtype=np.uint64))]
        of_finding = self._finding[candidates]
        return {finding: candidates[of_finding == finding] for finding in findings}

    def problems(self, start: int, limit: int) -> tuple[int, list[CountedProblem]]:
        """How many problems there are, and some of them: by how many sentences they touch, then by their findings.

        The problem of a finding is that of its worst case.
        """
        _, first, finding = np.unique(self._finding[self._by_rank], return_index=True, return_inverse=True)
        problem = self.problem[self._by_rank][first][finding]
        numbers, begin, index = np.unique(problem, return_index=True, return_inverse=True)
        cases, findings = np.bincount(index), np.bincount(index[first], minlength=len(numbers))
        sentences = _distinct(index, self.sentence[self._by_rank], len(numbers))
        order = np.lexsort((begin, -findings, -sentences))
        ranked = order[numbers[order] != 0]
        counted = [
            CountedProblem(
                number=int(numbers[which]),
                sentences=int(sentences[which]),
                findings=int(findings[which]),
                cases=int(cases[which]),
                examples=self._by_rank[np.sort(first[index[first] == which])[:EXAMPLES]].tolist(),
            )
            for which in ranked[start : start + limit]
        ]
        return len(ranked), counted


def _distinct(group: Array, value: Array, count: int) -> Array:
    """How many different values each of `count` groups has."""
    values, index = np.unique(value, return_inverse=True)
    pairs = np.unique(group * np.int64(len(values)) + index)
    return np.bincount(pairs // max(1, len(values)), minlength=count)


def joined(parts: Iterable[Array], dtype: type = np.int64) -> Array:
    """Arrays one after the other; none of them are an empty one."""
    return np.concatenate([np.zeros(0, dtype=dtype), *parts])
