"""No word stays in the script of the source."""

from __future__ import annotations

import pytest

from concord.errors import UserError
from concord.model import Text
from concord.relations import untranslated
from concord.testing import Table, now


def test_words_left_in_the_sources_script_are_flagged():
    x = Text("chummy bilateral talks", "en")
    (case,) = now(untranslated.check(x, Table({x.words: "chummy双边会谈"}), to="zh"))
    assert (case.evidence["untranslated"], case.suspicion, case.flagged) == (["chummy"], 1, True)
    (case,) = now(untranslated.check(x, Table({x.words: "亲切的双边会谈"}), to="zh"))
    assert not case.flagged


def test_addresses_tags_and_placeholders_may_stay():
    x = Text("see https://example.com/docs or ask {name}", "en")
    (case,) = now(untranslated.check(x, Table({x.words: "参见 https://example.com/docs 或询问 {name}"}), to="zh"))
    assert case.evidence["untranslated"] == []


def test_languages_of_one_script_cannot_be_tested():
    with pytest.raises(UserError, match="'en' and 'es' share a script"):
        untranslated.plan("en", to="es")
    assert untranslated.plan("en", to="ru").directions == [("en", "ru")]
