"""concord.toml: read as defaults, written without touching the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concord import api
from concord.errors import UserError
from concord.runs.config import Configuration, configured_relation, read_configuration, write_configuration


def test_without_a_file_nothing_is_configured(tmp_path):
    assert read_configuration(tmp_path / "none.toml") == {}
    assert str(configured_relation("rtt,threshold=0.3", {})) == "rtt,threshold=0.3"


def test_options_of_the_file_are_defaults_and_the_command_line_wins(tmp_path):
    file = tmp_path / "concord.toml"
    file.write_text('[relations.rtt]\nmetric = "bleu"\nthreshold = 0.25\n')
    tables = read_configuration(file)
    assert configured_relation("rtt", tables).options == {"metric": "bleu", "threshold": 0.25}
    assert configured_relation("rtt,threshold=0.7", tables).options == {"metric": "bleu", "threshold": 0.7}
    assert configured_relation("pivot", tables).options == {}


@pytest.mark.parametrize(
    ("text", "threshold", "said"),
    [
        ("semmt", 0.3, []),
        ("semmt,metric=h", 0.3, []),
        ("semmt,threshold=0.2,metric=d", 0.2, []),
        ("semmt,metric=d", None, ["threshold = 0.3 of semmt is for other options than metric=d, and is not used"]),
        ("semmt,k=0.7", None, ["other options than k=0.7"]),
    ],
)
def test_a_threshold_is_not_used_with_other_options_than_it_is_for(text, threshold, said):
    tables = {"semmt": {"threshold": 0.3, "metric": "h"}}
    assert configured_relation(text, tables).options.get("threshold") == threshold
    notes = Configuration(Path(), tables).unused_thresholds([text])
    assert len(notes) == len(said)
    assert all(words in note for words, note in zip(said, notes, strict=True))


def test_a_threshold_named_otherwise_is_left_out_too():
    tables = {"rti:paper": {"d": 3}}
    assert configured_relation("rti:paper,max_words=5", tables).options == {"max_words": 5}
    notes = Configuration(Path(), tables).unused_thresholds(["rti:paper,max_words=5"])
    assert "Name one: rti:paper,max_words=5,d=…" in notes[0]


def test_a_run_uses_it_and_says_so_in_its_signature(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.txt").write_text("A dog sleeps.\n")
    what = {"relations": ["rtt"], "systems": ["fake"], "to": ["es"], "workspace": tmp_path / "w.sqlite"}
    (plain,) = api.run("c.txt", **what)
    write_configuration("concord.toml", "rtt", {"threshold": 0.125}, {})
    (told,) = api.run("c.txt", **what)
    (elsewhere,) = api.run("c.txt", **what, config="none.toml")
    assert "threshold:0.125" in told.run.signature
    assert plain.run.signature == elsewhere.run.signature != told.run.signature


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("relations = 3", "such as"),
        ("[relations]\nrtt = 1", "such as"),
        ("[relations.rtii]\nd = 1", "Did you mean 'rti'"),
        ("[relation.rtt]\nthreshold = 1", r"Did you mean \[relations\]"),
        ("[Relations.rtt]\nthreshold = 1", r"Did you mean \[relations\]"),
        ("[rtt]\nthreshold = 1", r"Did you mean \[relations.rtt\]"),
        ("[[relation]]\nd = 1", r"Did you mean \[relations\]"),
        ("threshold = 1", "'threshold' stands outside of all tables"),
        ("threshold = [1, 2]", "'threshold' stands outside of all tables"),
        ("[relations.rtt\n", "not TOML"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_cure(tmp_path, text, said):
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(UserError, match=said):
        read_configuration(tmp_path / "c.toml")


@pytest.mark.parametrize("theirs", ["[tool.ruff]\nline-length = 3", "[translators.x]\ny = 1", "[[metrics]]\nname = 1"])
def test_tables_of_others_are_passed_over_and_kept(tmp_path, theirs):
    file = tmp_path / "concord.toml"
    file.write_text(f"{theirs}\n")
    assert read_configuration(file) == {}
    write_configuration(file, "rtt", {"threshold": 0.5}, {})
    assert read_configuration(file) == {"rtt": {"threshold": 0.5}}
    assert file.read_text().startswith(theirs)


def test_an_unknown_option_is_named(tmp_path):
    with pytest.raises(UserError, match=r"relations.rtt.*treshold.*Did you mean 'threshold'"):
        configured_relation("rtt", {"rtt": {"treshold": 1}})
    (tmp_path / "c.toml").write_bytes(b"\xff")
    with pytest.raises(UserError, match="UTF-8"):
        read_configuration(tmp_path / "c.toml")
    with pytest.raises(UserError, match="cannot be read"):
        read_configuration(tmp_path)


def test_writing_keeps_everything_else(tmp_path):
    file = tmp_path / "concord.toml"
    file.write_text("# ours\n[relations.rtt] # round trips\nthreshold = 0.9 # old\n\n[relations.rti]\nd = 2\n")
    write_configuration(file, "rtt", {"metric": "chrf", "threshold": 0.5}, {"threshold": "new"})
    write_configuration(file, "pivot", {"pivots": ("ca", "gl")}, {})
    assert file.read_text() == (
        '# ours\n[relations.rtt] # round trips\nthreshold = 0.5 # new\nmetric = "chrf"\n\n'
        '[relations.rti]\nd = 2\n\n[relations.pivot]\npivots = ["ca", "gl"]\n'
    )


def test_writing_keeps_marks_and_ends_of_lines(tmp_path):
    file = tmp_path / "concord.toml"
    file.write_bytes(b"\xef\xbb\xbf[relations.rtt]\r\nthreshold = 0.9\r\n# ours\r\n")
    write_configuration(file, "rtt", {"threshold": 0.5, "metric": None}, {})
    write_configuration(file, "rti", {"d": 2.0}, {})
    assert file.read_bytes() == (
        b"\xef\xbb\xbf[relations.rtt]\r\nthreshold = 0.5\r\n# ours\r\n\r\n[relations.rti]\r\nd = 2.0\r\n"
    )
    assert read_configuration(file) == {"rtt": {"threshold": 0.5}, "rti": {"d": 2.0}}


@pytest.mark.parametrize(
    "text",
    [
        'relations.rtt.threshold = 0.9\nrelations.rtt.metric = "bleu"\nrelations.rti.d = 2\n',
        'relations = { rtt = { threshold = 0.9, metric = "bleu" }, rti = { d = 2 } }\n',
        '[relations]\nrtt = { threshold = 0.9, metric = "bleu" }\nrti.d = 2\n',
        '[relations.rtt]\nthreshold = 0.9\nmetric = "bleu"\n[tool.x]\na = 1\n[relations.rti]\nd = 2\n',
        '[relations.rti]\nd = 2\n[relations.pivot]\npivots = [\n  "ca",\n]\n[relations.rtt]\nmetric = "bleu"\n',
    ],
)
def test_options_are_set_however_the_file_is_written(tmp_path, text):
    file = tmp_path / "concord.toml"
    file.write_text(text)
    write_configuration(file, "rtt", {"threshold": 0.5}, {"threshold": "new"})
    write_configuration(file, "pivot", {"pivots": ("gl",)}, {})
    assert read_configuration(file) == {
        "rtt": {"threshold": 0.5, "metric": "bleu"},
        "rti": {"d": 2},
        "pivot": {"pivots": ["gl"]},
    }


def test_what_others_wrote_may_be_no_number(tmp_path):
    file = tmp_path / "concord.toml"
    file.write_text("[tool]\nx = nan\n")
    write_configuration(file, "rtt", {"threshold": 0.5}, {})
    assert file.read_text() == "[tool]\nx = nan\n\n[relations.rtt]\nthreshold = 0.5\n"


PLAIN = st.one_of(
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8")),
)


@given(PLAIN | st.lists(PLAIN))
def test_values_are_written_as_toml_reads_them(tmp_path_factory, value):
    file = tmp_path_factory.mktemp("toml") / "concord.toml"
    write_configuration(file, "pivot", {"pivots": value}, {})
    assert read_configuration(file) == {"pivot": {"pivots": value}}


def test_a_tolerance_holds_whichever_granularities_are_tested():
    tables = {"mgmt": {"tolerance_word": 0.2}}
    assert configured_relation("mgmt,granularities=word", tables).options["tolerance_word"] == 0.2
    assert "tolerance_word" not in configured_relation("mgmt,unit=words", tables).options
