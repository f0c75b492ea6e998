"""The table of languages is true: of this machine, by the services themselves, and of what installs more."""

from __future__ import annotations

import pytest

from concord import plugins
from concord.engine.services import versions
from concord.errors import UserError
from concord.language.plugin_choice import EMBEDDED, EXTRAS, PluginChoice
from concord.relations._protocol import load_relation
from concord.runs.languages import NEVER, NOTHING, grouped, known_languages, language_needs
from concord.views.languages import languages_table

LANGS = ("en", "es", "de", "ja", "sw")


def serves(relation: str, lang: str) -> str:
    """What the services of a relation come to for a source language: all, a part, or nothing."""
    form, target = load_relation(relation), "es" if lang == "en" else "en"
    try:
        found = versions(form, {}, lang, target, plugins.settings("relations", plugins.parse("relations", relation)))
    except UserError:
        return "nothing"
    return "a part" if any(found.get(f"{name}[{lang}]") == "none" for name in ("parse", "substitutes")) else "all"


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_table_says_of_this_machine_is_what_the_services_do(lang):
    for need in language_needs([lang])[lang]:
        served = serves(need.relation, lang)
        if need.needs != NEVER:
            assert need.runs == (served == "all"), need
            assert not need.without or served == "a part", need


def test_what_needs_nothing_runs_and_what_is_not_for_a_language_does_not():
    rows = [need for row in language_needs(LANGS).values() for need in row]
    assert all(need.runs for need in rows if need.needs == NOTHING)
    assert not any(need.runs for need in rows if need.needs == NEVER)
    assert {need.relation for need in rows if need.needs == NEVER} == {"concatenation", "semmt"}


def test_any_language_has_the_relations_that_need_nothing():
    (row,) = language_needs(["sw"]).values()
    free = {need.relation for need in row if need.needs == NOTHING}
    assert free >= {"sane", "literals", "rtt", "pivot"}
    assert next(need.without for need in row if need.relation == "mgmt").startswith("only the sentence")


def test_what_is_missing_comes_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    (row,) = language_needs(["pl"]).values()
    by_relation = {need.relation: need.install for need in row}
    assert by_relation["rti"] == "apt-get install apertium-pol-szl"
    assert by_relation["sit"] == "apt-get install apertium-pol-szl mythes-pl"
    assert by_relation["rtt"] == ""


def test_an_embedded_plugin_of_an_extra_is_told_with_the_extra(guest, monkeypatch):
    guest("parsers", "klingon", '"""Not installed."""\nclass Parser:\n    def __init__(self): raise Missing\n')
    monkeypatch.setitem(EMBEDDED, "parsers", {"klingon": ("tlh",)})
    monkeypatch.setitem(EXTRAS, "klingon", "tlh")
    monkeypatch.setattr(PluginChoice, "find", lambda self, lang: None)
    (row,) = language_needs(["tlh"]).values()
    rti = next(need for need in row if need.relation == "rti")
    assert (rti.needs, rti.install) == ("an extra", "pip install 'concord-mt[tlh]'")


def test_languages_that_need_the_same_share_a_row():
    by_language = language_needs(known_languages())
    assert sorted(lang for langs, _ in grouped(by_language) for lang in langs) == known_languages()
    assert len(grouped(by_language)) < len(by_language) / 3
    table = languages_table(by_language, here=True)
    assert [row[0] for row in table.rows if set(row[1:]) == {NOTHING}] == ["English (en)"]
