"""The file's name is the plug-in's name, and its signature says what it can be told."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from typing import Literal

import pytest

from concord import api, plugins
from concord.errors import UnknownName, UserError
from concord.signature import option_text


def test_built_in_plugins_are_found_by_their_file_names():
    assert {"pivot", "rtt"} <= set(plugins.names("relations"))
    assert {"bleu", "chrf", "cosine", "levenshtein"} <= set(plugins.names("metrics"))
    assert {"apertium", "apy", "command", "fake", "faulty", "replay", "table"} <= set(plugins.names("translators"))
    assert not [name for family in plugins.FAMILIES for name in plugins.names(family) if name.startswith("_")]


def test_listing_names_imports_nothing():
    code = "import sys; from concord import plugins; plugins.names('metrics'); print('concord.metrics' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_every_option_says_in_one_sentence_what_it_means():
    for family in plugins.FAMILIES:
        for name in plugins.names(family):
            for option in plugins.options(family, name):
                assert option.help.endswith("."), f"{family}: {name},{option.name}"


def test_a_misspelt_name_gets_the_nearest_one_and_all_choices():
    with pytest.raises(UnknownName, match=r"there is no relation 'rttt'\. Did you mean 'rtt'\? Known: cat, .*rtt"):
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
        ("rtt,threshold=nan", "a finite number"),
        ("rtt,threshold=-inf", "a finite number"),
        ("rtt,metric=blue", "there is no metric 'blue'. Did you mean 'bleu'"),
        ("rtt,metric=bleu:variant=old", "Choose one of: sacrebleu, paper"),
        ("pivot,metrics=", "at least one metric"),
        ("pivot,allocation=some", "Choose one of: random, every"),
        ("rtt:es", "has no other form"),
        ("rtt,threshold=0.1,threshold=0.9", "rtt: threshold is given twice"),
        ("rtt,metric=bleu:variant=paper:variant=nltk", "bleu: variant is given twice"),
        ("rtt,bleu", "options are written as ,name=value"),
        ("rtt,", "options are written as ,name=value; ',' is not"),
        ("x" * 300, f"there is no relation '{'x' * 50}…{'x' * 50}'."),
        ("rtt,to=es", "there is no option of rtt 'to'"),
        ("", "there is no relation ''"),
    ],
)
def test_a_wrong_option_says_what_is_right(text, said):
    with pytest.raises(UserError) as caught:
        plugins.parse("relations", text)
    assert said in str(caught.value)


def test_a_plugin_may_be_another_with_defaults_of_its_own():
    def check(x, translate, *, to: str, least: float = 0.9, kinds: tuple[str, ...] = ()): ...

    both = [
        [(p.name, p.kind, p.default) for p in plugins.parameters(each)] for each in (check, partial(check, least=0.8))
    ]
    assert both == [[("least", float, least), ("kinds", tuple[str, ...], ())] for least in (0.9, 0.8)]


@pytest.mark.parametrize(
    ("value", "kind"), [(True, int), (True, float), (2.5, int), (["a"], str), (1, bool), (5, tuple[str, ...])]
)
def test_values_of_another_type_are_refused(value, kind):
    with pytest.raises(UserError, match="x cannot be"):
        plugins.coerce("x", value, kind)


@pytest.mark.parametrize(("text", "wanted"), [("openai", "openai,model=…"), ("faulty:openai", "openai,model=…")])
def test_a_system_without_an_indispensable_option_says_how_to_write_it(text, wanted):
    with pytest.raises(UserError, match=f"openai must be told: model. Write: {wanted}"):
        plugins.system(text)


def test_a_guest_without_its_argument_says_how_to_write_it(tmp_path):
    guest = tmp_path / "mine.py"
    guest.write_text("class Translator:\n    def __init__(self, *, argument: str, key: str): ...\n")
    plugins.admit(str(guest))
    with pytest.raises(UserError, match=r"must be told: key. Write: .*mine.py:…,key=…"):
        plugins.system(str(guest))


def test_an_argument_may_hold_commas_and_colons():
    spec = plugins.parse("translators", "command:./mt --pair {source},{target} --url http://x:1,batch=7")
    assert spec.argument == "./mt --pair {source},{target} --url http://x:1"
    assert spec.options == {"batch": 7}


def test_a_system_wraps_a_system():
    system = plugins.system("faulty:fake,kind=drop_word,rate=0.5,seed=3")
    assert all(part in system.id for part in ("fake", "drop_word", "0.5", "3"))


def test_a_file_describes_a_system(tmp_path):
    file = tmp_path / "my-model.toml"
    file.write_text('translator = "command"\nargument = "cat"\nbatch = 7\n')
    system = plugins.system(str(file))
    assert system.id.startswith("my-model#")
    assert system.limits.texts == 7
    file.write_text('translator = "command"\nname = "ours"\nargument = "cat"\nbatch = 8\n')
    other = plugins.system(str(file))
    assert other.id.startswith("ours#")
    assert other.id.partition("#")[2] != system.id.partition("#")[2]


def test_a_file_sets_what_the_users_plan_allows_without_making_it_another_system(tmp_path):
    file = tmp_path / "my-plan.toml"
    file.write_text('translator = "fake"\n')
    plain = plugins.system(str(file))
    file.write_text('translator = "fake"\n[limits]\nper_month = 2_000_000\nper_second = 5\nin_flight = 2\n')
    limited = plugins.system(str(file))
    assert (limited.limits.per_month, limited.limits.per_second, limited.limits.in_flight) == (2_000_000, 5, 2)
    assert limited.limits.texts == plain.limits.texts
    assert limited.id == plain.id


def test_a_file_says_what_its_system_costs(tmp_path):
    file = tmp_path / "my-plan.toml"
    file.write_text('translator = "fake"\nprice = 12.5\ncurrency = "EUR"\n')
    price = plugins.system(str(file)).price
    assert (price.per_million_characters, price.currency) == (12.5, "EUR")
    file.write_text('translator = "fake"\nprice = 0\ncurrency = "EUR"\n')
    assert plugins.system(str(file)).price.per_million_characters == 0


def test_what_a_file_says_holds_for_every_sample(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    file = tmp_path / "gpt.toml"
    file.write_text(
        'translator = "openai"\nmodel = "m"\nsamples = 3\nprice = 5\ncurrency = "EUR"\n[limits]\nper_month = 1000\n'
    )
    systems = plugins.system(str(file)).each()
    assert len({system.id for system in systems}) == 3
    assert all(system.id.startswith("gpt#") for system in systems)
    assert {(system.limits.per_month, system.price.currency, system.account) for system in systems} == {
        (1000, "EUR", "openai")
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("batch = 7", "must say which translator"),
        ("translator = ", "is not TOML"),
        ('translator = "comand"', "Did you mean 'command'"),
        ('translator = "fake"\nflaw = 1', "Did you mean 'flaws'"),
        ('translator = "fake"\nlimits = 3', "limits is a table"),
        ('translator = "fake"\n[limits]\nper_mont = 1', "Did you mean 'per_month'"),
        ('translator = "fake"\n[limits]\nper_month = 0', "per_month is a whole number above 0, not 0"),
        ('translator = "fake"\n[limits]\ntexts = 2.5', "texts is a whole number above 0, not 2.5"),
        ('translator = "fake"\nprice = "free"\ncurrency = "EUR"', "price is a number above 0, not 'free'"),
        ('translator = "fake"\nprice = 3', "a price needs its currency"),
        ('translator = "fake"\nprice = 3\ncurrency = 5', "currency is a text that is not empty, not 5"),
        ('translator = "fake"\nname = " "', "name is a text that is not empty, not ' '"),
        ('translator = "fake"\nargument = "5"', "the translator 'fake' takes no argument, but was given '5'"),
        ('translator = "openai"', "openai must be told: model. Write: openai,model=…"),
        ('translator = "fake"\nflaws = true', "fake: flaws cannot be 'True': a value of type number is expected"),
        (None, "cannot be read"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(tmp_path, text, said):
    file = tmp_path / "my-model.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UserError) as caught:
        plugins.system(str(file))
    assert said in str(caught.value)


def test_a_flag_is_true_or_false():
    assert plugins.coerce("x", "True", bool) is True
    assert plugins.coerce("x", "false", bool) is False
    with pytest.raises(UserError, match="true, false"):
        plugins.coerce("x", "yes", bool)


def test_a_metric_takes_options_after_colons():
    spec = plugins.parse("relations", "pivot,metrics=levenshtein:over=sum,bleu:variant=paper,threshold=0.3")
    assert spec.options == {"metrics": ("levenshtein:over=sum", "bleu:variant=paper"), "threshold": 0.3}
    module, options = plugins.metric("chrf:char_order=4:beta=1")
    assert (module.__name__, options) == ("concord.metrics.chrf", {"char_order": 4, "beta": 1.0})


@pytest.mark.parametrize(("value", "text"), [(0.4, "0.4"), (1.0, "1"), (0.1234567, "0.1234567"), (True, "true")])
def test_a_value_is_written_so_that_it_is_read_back_exactly(value, text):
    assert option_text(value) == text
    assert plugins.coerce("x", text, type(value)) == value


def test_types_are_named_as_users_read_them():
    assert plugins.type_name(Literal["a", "b"]) == "a|b"
    assert plugins.type_name(tuple[str, ...]) == "text,…"
    assert plugins.type_name(float) == "number"


def test_a_guest_is_found_by_its_entry_point(guest):
    code = (
        '"""Always: every text is fine."""\nasync def check(x, translate, *, to, threshold: float = 0.5): return []\n'
    )
    guest("relations", "always", code)
    assert "always" in plugins.names("relations")
    assert plugins.purpose("relations", "always") == "Always: every text is fine."
    assert plugins.settings("relations", plugins.parse("relations", "always")) == {"threshold": 0.5}


def test_a_broken_guest_is_named_and_does_not_hide_the_others(guest):
    guest("relations", "broken", "import nothing_of_that_name\n")
    with pytest.raises(UserError, match=r"plug-in 'broken' .*cannot be loaded .*nothing_of_that_name"):
        plugins.parse("relations", "broken")
    rows = {row["name"]: row["purpose"] for row in api.describe("relations")}
    assert "cannot be loaded" in rows["broken"]
    assert rows["rtt"].startswith("RTT")
