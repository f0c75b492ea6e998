"""The file's name is the plug-in's name, and its signature says what it can be told."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Literal

import pytest

from concord import plugins
from concord.errors import UnknownName, UserError


def test_built_in_plugins_are_found_by_their_file_names():
    assert {"pivot", "rtt"} <= set(plugins.names("relations"))
    assert {"bleu", "chrf", "cosine", "levenshtein"} <= set(plugins.names("metrics"))
    assert {"apertium", "apy", "command", "fake", "faulty", "replay", "table"} <= set(plugins.names("translators"))
    assert not [name for family in plugins.SINGULAR for name in plugins.names(family) if name.startswith("_")]


def test_listing_names_imports_nothing():
    code = "import sys; from concord import plugins; plugins.names('metrics'); print('concord.metrics' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_misspelt_name_gets_the_nearest_one_and_all_choices():
    with pytest.raises(UnknownName, match=r"there is no relation 'rttt'\. Did you mean 'rtt'\? Known: pivot, rtt"):
        plugins.parse("relations", "rttt")


def test_options_become_what_the_signature_asks_for():
    spec = plugins.parse("relations", "pivot,pivots=ca,gl,threshold=0.25,allocation=every")
    assert spec.options == {"pivots": ("ca", "gl"), "threshold": 0.25, "allocation": "every"}
    assert str(spec) == "pivot,pivots=ca,gl,threshold=0.25,allocation=every"
    assert plugins.settings("relations", spec)["metrics"] == ("levenshtein", "bleu", "cosine")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rtt,metrc=bleu", "there is no option of rtt 'metrc'. Did you mean 'metric'"),
        ("rtt,threshold=high", "threshold cannot be 'high'"),
        ("rtt,threshold=nan", "not a number"),
        ("pivot,allocation=some", "Choose one of: random, every"),
        ("rtt:es", "takes no argument"),
        ("rtt,bleu", "options are written as ,name=value"),
        ("rtt,to=es", "there is no option of rtt 'to'"),
        ("", "there is no relation ''"),
    ],
)
def test_a_wrong_option_says_what_is_right(text, said):
    with pytest.raises(UserError) as caught:
        plugins.parse("relations", text)
    assert said in str(caught.value)


def test_an_argument_may_hold_commas_and_colons():
    spec = plugins.parse("translators", "command:./mt --pair {source},{target} --url http://x:1,batch=7")
    assert spec.argument == "./mt --pair {source},{target} --url http://x:1"
    assert spec.options == {"batch": 7}


def test_a_system_wraps_a_system():
    system = plugins.system("faulty:fake,kind=drop_word,rate=0.5,seed=3")
    assert all(part in system.id for part in ("fake", "drop_word", "0.5", "3"))


def test_a_flag_is_true_or_false():
    assert plugins.coerce("x", "True", bool) is True
    assert plugins.coerce("x", "false", bool) is False
    with pytest.raises(UserError, match="true, false"):
        plugins.coerce("x", "yes", bool)


def test_types_are_named_as_users_read_them():
    assert plugins.type_name(Literal["a", "b"]) == "a|b"
    assert plugins.type_name(tuple[str, ...]) == "text,text"
    assert plugins.type_name(float) == "number"


def test_a_guest_is_found_by_its_entry_point(tmp_path, monkeypatch):
    (tmp_path / "guest_always.py").write_text(
        textwrap.dedent(
            '''
            """Always: every text is fine."""
            async def check(x, translate, *, to, threshold: float = 0.5):
                return []
            '''
        )
    )
    metadata = tmp_path / "guest-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[concord.relations]\nalways = guest_always\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "always" in plugins.names("relations")
    assert plugins.purpose("relations", "always") == "Always: every text is fine."
    assert plugins.settings("relations", plugins.parse("relations", "always")) == {"threshold": 0.5}
