"""A relation that can do without a service says so, and runs without it."""

from __future__ import annotations

from types import ModuleType

import pytest

from concord.engine.services import Terms, done_without, service, versions
from concord.errors import Refused, UserError
from concord.language.substitutes import Slot
from concord.language.trees import read_brackets
from concord.model import Traits
from concord.relations._protocol import RelationForm, load_relation

NOTE = "only half of it is tested"


def relation_of(check, **names):
    """A relation whose module defines this check, and whatever else the protocol knows."""
    module = ModuleType("test")
    vars(module).update(check=check, **names)
    return load_relation(module)


def relation(**services: str | None) -> RelationForm:
    async def check(x, translate, parse, substitutes, *, to, half=True):
        return []

    traits = Traits(parses=("source", "target"))
    return relation_of(
        check, TRAITS=traits, services=lambda *, half=True: services if half else dict.fromkeys(services)
    )


SPARING = relation(parse=NOTE, substitutes=NOTE)


def test_a_language_without_a_parser_is_named_with_none():
    found = versions(SPARING, {}, "en", "ja")
    assert found["parse[en]"].startswith("concord_en@")
    assert found["substitutes[en]"].startswith("lexicon@")
    assert found["parse[ja]"] == "none"


def test_a_source_that_no_substitutes_know_is_named_with_none():
    found = versions(SPARING, {}, "es", "en")
    assert found["substitutes[es]"] == "none"
    assert found["parse[es]"].startswith("apertium@")


def test_what_is_done_without_is_said_in_the_relation_s_words():
    found = {"parse[en]": "concord_en@1", "parse[ja]": "none", "substitutes[es]": "none"}
    assert done_without(SPARING, found) == [
        f"without 'parse' for 'ja': {NOTE}",
        f"without 'substitutes' for 'es': {NOTE}",
    ]
    assert done_without(SPARING, {"parse[en]": "concord_en@1"}) == []


def test_what_can_be_done_without_may_depend_on_the_options():
    made = relation(parse=NOTE)
    found = versions(made, {}, "en", "ja", {"to": "ja", "half": True})
    assert found["parse[ja]"] == "none"
    assert done_without(made, found, {"half": True}) == [f"without 'parse' for 'ja': {NOTE}"]
    assert done_without(relation(parse=""), found) == []
    with pytest.raises(UserError, match="none of the embedded parsers knows 'ja'"):
        versions(made, {}, "en", "ja", {"half": False})


def test_a_relation_that_spares_nothing_is_refused_as_before():
    with pytest.raises(UserError, match="none of the embedded parsers knows 'ja'"):
        versions(relation(parse=None), {}, "en", "ja")
    with pytest.raises(UserError, match="none of the embedded sources of substitutes knows 'es'"):
        versions(relation(substitutes=None), {}, "es", "en")


def test_a_parser_that_does_not_exist_is_an_error_all_the_same():
    with pytest.raises(UserError, match="there is no parser 'nonsense'"):
        versions(SPARING, {"parse": "nonsense"}, "en", "ja")


def test_a_source_that_does_not_know_the_language_refuses_each_place():
    made = service("substitutes", {}, Terms("es"))
    tree = read_brackets("(ROOT (S (NOUN gatos)))")
    (answer,) = made.answers("es", [Slot(tree, 0, 5, lang="es")])
    assert isinstance(answer, Refused)
    assert "none of the embedded sources of substitutes knows 'es'" in str(answer)


def test_relations_that_can_only_be_read_from_full_trees_are_done_without_where_trees_are_shallow():
    async def check(x, translate, depend, *, to):
        return []

    sparing = relation_of(check, TRAITS=Traits(parses=("source", "target")), services=lambda: {"depend": NOTE})
    found = versions(sparing, {}, "en", "es")
    assert found["depend[en]"].startswith("concord_en@")
    assert found["depend[es]"] == "none"
