"""A case keeps its key whatever the system answers: what comes out is no part of the question."""

from __future__ import annotations

import json

import pytest

from concord import plugins
from concord.model import RelationFacts, Text
from concord.relations._protocol import load_relation
from concord.store import RunRecord
from concord.store.case_keys import asked_factors, case_key
from concord.testing import Echo, SubstituteTable
from concord.testing._relations import SENTENCE, _cases

OPTIONS = {
    "rti": {"min_content": 1},
    "semmt": {"mutants": 2},
    "sit": {"top": 9},
    "pivot": {"allocation": "every"},
}
SERVICES = {"patinv": {"substitutes": SubstituteTable({"cat": ["dog"], "mat": ["floor"]}, kind="antonym")}}
FACTORS = {
    "cat": {"word"},
    "concatenation": {"finding"},
    "literals": set(),
    "mgmt": {"granularity"},
    "patinv": {"of", "way"},
    "pivot": {"path", "pivot"},
    "rti": {"finding"},
    "rtt": set(),
    "sane": set(),
    "semmt": {"test"},
    "sit": {"structure", "word"},
    "transrepair": {"word"},
    "untranslated": set(),
}
"""The factors by which each relation tells its questions apart."""


class Otherwise(Echo):
    """A system that leaves numbers out and says the rest backwards."""

    async def __call__(self, x, to):
        return Text(" ".join(word for word in reversed(x.words.split()) if not word.isdigit()), to)


def cases(relation, system):
    given = {"translate": system, **SERVICES.get(relation, {})}
    return _cases(load_relation(relation), Text(SENTENCE, "en"), given, OPTIONS.get(relation, {}))


def keys(relation, found):
    where = ("mt", "en", "es", "c#1", 1, (), False, "", None, 0, 0, 0, 0.0)
    run = RunRecord(1, "s", relation, {}, *where, facts=load_relation(relation).facts({}))
    return {case_key(run, case) for case in found}


def test_every_relation_is_looked_at():
    assert FACTORS.keys() == set(plugins.names("relations"))


@pytest.mark.parametrize("relation", sorted(FACTORS))
def test_other_answers_leave_the_keys_of_the_cases_alone(relation):
    right, wrong = cases(relation, Echo()), cases(relation, Otherwise())
    assert right
    assert [case.source_output for case in right] != [case.source_output for case in wrong]
    assert keys(relation, right) == keys(relation, wrong)


@pytest.mark.parametrize("relation", sorted(FACTORS))
def test_the_factors_of_a_question_are_those_that_tell_questions_apart(relation):
    found = [case for system in (Echo(), Otherwise()) for case in cases(relation, system)]
    facts = load_relation(relation).facts({})
    assert {name for case in found for name in json.loads(asked_factors(facts, case.factors))} == FACTORS[relation]


@pytest.mark.parametrize("relation", ["literals", "semmt"])
def test_a_factor_that_came_out_is_no_part_of_the_question(relation):
    (answered,) = load_relation(relation).traits.answered
    found = [case for system in (Echo(), Otherwise()) for case in cases(relation, system)]
    assert all(answered in case.factors for case in found)
    (first, *_), other = found, found[0].factors[answered] + " and more"
    before = keys(relation, [first])
    first.factors[answered] = other
    assert keys(relation, [first]) == before


def test_a_relation_that_says_nothing_has_all_its_factors_in_its_question():
    assert json.loads(asked_factors(RelationFacts(), {"b": "2", "a": "1"})) == {"a": "1", "b": "2"}
