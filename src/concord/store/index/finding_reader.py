"""Reading findings and problems from the index: their numbers from columns, and the rows of those that are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from concord.store.finding_filter import Filter
from concord.store.findings import Problem, TranslationFinding, finding_number, problems_of, suspects
from concord.store.index.groups import CountedProblem, GroupedCases, groups
from concord.store.index.pages import CasePage, page
from concord.store.index.reader import Reader, Row


def read_findings(
    reader: Reader, filters: Filter, limit: int, after: str = "", most: int = 1
) -> tuple[CasePage, list[TranslationFinding]]:
    """A page of the findings with flagged cases that pass the filters, and at most `most` rows of each."""
    cases = _grouped(reader, filters)
    case_page = page(cases.first_of_findings(), filters, after, limit)
    numbers = [cases.finding_of(*picked) for picked in case_page.picked]
    members = cases.members(numbers)
    made = (_finding(reader, cases, number, members[number].tolist(), most) for number in numbers)
    return case_page, [finding for finding in made if finding is not None]


def read_problems(reader: Reader, filters: Filter, limit: int, start: int = 0) -> tuple[int, list[Problem]]:
    """How many problems have flagged cases that pass the filters, and those from `start` on, the largest first."""
    cases = _grouped(reader, filters)
    total, counted = cases.problems(start, limit)
    made = (_problem(reader, cases, problem) for problem in counted)
    return total, [problem for problem in made if problem is not None]


def _grouped(reader: Reader, filters: Filter) -> GroupedCases:
    corpora: dict[str, int] = {}
    numbers = {record.id: corpora.setdefault(record.corpus, len(corpora)) for record in reader.records}
    lists = reader.lists(replace(filters, violated=True))
    return GroupedCases(lists, groups([columns for _, columns in reader.indexed]), numbers)


def _finding(
    reader: Reader, cases: GroupedCases, number: int, members: Sequence[int], most: int
) -> TranslationFinding | None:
    """A finding with the first rows of its members; None if its runs no longer have them."""
    rows = _rows(reader, cases, members[:most])
    by_row = [{finding_number(row, suspect): suspect for suspect in suspects(row)} for row in rows]
    if not by_row or number not in by_row[0]:
        return None
    shared = [other for other in by_row[0] if other != number and all(other in numbers for numbers in by_row)]
    relation = {record.id: record.relation for record in reader.records}
    return TranslationFinding(
        translations=[by_row[0][each].translation for each in (number, *shared)],
        wrong=problems_of(rows[0]).get(int(cases.problem[members[0]])),
        cases=len(members),
        sentences=len(np.unique(cases.sentence[members])),
        relations=Counter(relation[run] for run in cases.run[members].tolist()),
        rows=rows,
    )


def _problem(reader: Reader, cases: GroupedCases, problem: CountedProblem) -> Problem | None:
    """A problem with the rows of its examples; None if its runs no longer have them."""
    rows = _rows(reader, cases, problem.examples)
    wrong = problems_of(rows[0]).get(problem.number) if rows else None
    return Problem(wrong, problem.sentences, problem.findings, problem.cases, rows) if wrong else None


def _rows(reader: Reader, cases: GroupedCases, members: Sequence[int]) -> list[Row]:
    located = ((cases.lists[cases.list[index]].columns, int(cases.case[index])) for index in members)
    return list(reader.rows_of(located, True))
