"""Reading findings and problems from the index: their numbers from arrays, and the rows of those that are shown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from concord.store.finding_filter import Filter
from concord.store.findings import Problem, TranslationFinding, finding_number, problems_of, suspects
from concord.store.index.columns import LOCATION, Array
from concord.store.index.groups import CountedProblem, GroupedCases, groups
from concord.store.index.pages import CasePage, page
from concord.store.index.reader import Reader, Row
from concord.store.workspace import Workspace


def read_findings(
    reader: Reader, filters: Filter, limit: int, after: str = "", most: int = 1
) -> tuple[CasePage, list[TranslationFinding]]:
    """A page of the findings with flagged cases that pass the filters, and at most `most` rows of each."""
    cases = grouped_cases(reader, filters)
    case_page = page(cases.first_of_findings(), filters, after, limit)
    numbers = np.array([cases.finding_of(*picked) for picked in case_page.picked], dtype=np.uint64)
    return case_page, list(findings(reader.store, cases, numbers, most))


def read_problems(reader: Reader, filters: Filter, limit: int, start: int = 0) -> tuple[int, list[Problem]]:
    """How many problems have flagged cases that pass the filters, and those from `start` on, the largest first."""
    cases = grouped_cases(reader, filters)
    total, counted = cases.problems(start, limit)
    return total, list(problems(reader.store, cases, counted))


def grouped_cases(reader: Reader, filters: Filter) -> GroupedCases:
    """The flagged cases that pass the filters. They are grouped as all cases of these runs are."""
    lists = reader.lists(replace(filters, flagged=True))
    return GroupedCases(lists, groups([columns for _, columns in reader.indexed]), reader.records)


def finding_numbers(reader: Reader) -> dict[tuple[int, int], int]:
    """The number of the finding of each flagged case, by its run and the first half of its key."""
    grouped = groups([columns for _, columns in reader.indexed])
    numbers: dict[tuple[int, int], int] = {}
    for record, columns in reader.indexed:
        keys = columns["keys"][np.argsort(columns["by_key"])][columns.listed(True)]
        of_run = zip(keys.tolist(), grouped[record.id].finding.tolist(), strict=True)
        numbers |= {(record.id, key): number for key, number in of_run}
    return numbers


def findings(store: Workspace, cases: GroupedCases, numbers: Array, most: int = 1) -> Iterator[TranslationFinding]:
    """Findings one by one, with the first rows of their cases; one that its runs no longer have is left out."""
    for number, members in zip(numbers.tolist(), cases.members(numbers), strict=True):
        if finding := _finding(cases, number, members, list(_rows(store, cases, members[:most].tolist()))):
            yield finding


def problems(store: Workspace, cases: GroupedCases, counted: Iterable[CountedProblem]) -> Iterator[Problem]:
    """Problems one by one, with the rows of their examples; one that its runs no longer have is left out."""
    for problem in counted:
        rows = list(_rows(store, cases, problem.examples))
        if rows and (wrong := problems_of(rows[0]).get(problem.number)):
            yield Problem(wrong, problem.sentences, problem.findings, problem.cases, rows)


def _finding(cases: GroupedCases, number: int, members: Array, rows: Sequence[Row]) -> TranslationFinding | None:
    if not rows:
        return None
    example = cases.cases[members[0]]
    by_number = {finding_number(rows[0], suspect.translation): suspect.translation for suspect in suspects(rows[0])}
    if number not in by_number:
        return None
    return TranslationFinding(
        translations=[by_number[each] for each in (number, int(example["other"])) if each in by_number],
        wrong=problems_of(rows[0]).get(int(example["problem"])),
        cases=len(members),
        sentences=len(np.unique(cases.cases["sentence"][members])),
        relations=Counter(cases.records[run].relation for run in cases.cases["run"][members].tolist()),
        rows=rows,
    )


def _rows(store: Workspace, cases: GroupedCases, members: Iterable[int]) -> Iterator[Row]:
    """The rows of cases with their rank; a case that its run no longer has is left out."""
    for index in members:
        case = cases.cases[index]
        if row := store.row_at(cases.records[int(case["run"])], [int(case[name]) for name in LOCATION]):
            yield {**row, "rank": int(case["rank"])}
